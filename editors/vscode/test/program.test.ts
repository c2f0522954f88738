import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { test } from 'node:test';
import { BUNDLED, findProgram, isRunnable } from '../src/program';

function withFolder(check: (folder: string) => void): void {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'costlens-'));
  try {
    check(folder);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

function putProgram(folder: string, mode: number): string {
  const place = path.join(folder, BUNDLED);
  fs.mkdirSync(path.dirname(place));
  fs.writeFileSync(place, '#!/bin/sh\n');
  fs.chmodSync(place, mode);
  return place;
}

test('the setting comes before the program in the package', () =>
  withFolder((folder) => {
    putProgram(folder, 0o755);
    assert.equal(findProgram('/opt/costlens', folder), '/opt/costlens');
  }));

test('without a setting it is the program in the package', () =>
  withFolder((folder) => {
    const place = putProgram(folder, 0o755);
    assert.equal(findProgram('', folder), place);
  }));

test('a program that lost its mode bit while being unpacked gets it back', () =>
  withFolder((folder) => {
    const place = putProgram(folder, 0o644);
    assert.equal(findProgram('', folder), place);
    assert.equal(fs.statSync(place).mode & 0o111, 0o111);
  }));

test('with neither it is the one on the PATH', () => withFolder((folder) => assert.equal(findProgram('', folder), 'costlens')));

test('only an executable file can be run', () =>
  withFolder((folder) => {
    const place = putProgram(folder, 0o755);
    assert.ok(isRunnable(place));
    assert.ok(!isRunnable(path.dirname(place)), 'a folder');
    assert.ok(!isRunnable(`${place}-not-there`));
    fs.chmodSync(place, 0o644);
    assert.ok(!isRunnable(place), 'no mode bit');
  }));

test('a bare name is looked for on the PATH', () =>
  withFolder((folder) => {
    const place = putProgram(folder, 0o755);
    assert.ok(isRunnable('costlens', `/nowhere:${path.dirname(place)}`));
    assert.ok(!isRunnable('costlens', '/nowhere'));
  }));
