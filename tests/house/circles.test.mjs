// Files that import each other are few: what a reader has to understand at once. A module and its own children are not counted.
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { test } from 'node:test';
import { circles, imports } from './circles.mjs';
import { repository } from './workspace.mjs';

/** The files of the largest circle in each room; docs/architecture.md gives the reason for each. Lower a number when a circle shrinks. */
const LARGEST = {
  algebra: 3, analysis: 2, body: 0, calibrate: 0, catalog: 0, compile: 0, costlens: 0, engines: 0, events: 0, history: 0, ide: 0, infer: 3, machine: 12, platform: 0, profile: 0, program: 3, recurrences: 0, syntax: 0, verify: 0,
};

test('no circle of files has grown', () => {
  const found = {};
  for (const room of Object.keys(LARGEST)) {
    found[room] = circles(imports(path.join(repository, 'server', room, 'src')))[0]?.length ?? 0;
  }
  assert.deepEqual(found, LARGEST);
});

test('every room with Rust modules is counted', () => {
  const rooms = fs.readdirSync(path.join(repository, 'server')).filter((room) => room !== 'grammar');
  assert.deepEqual(rooms.sort(), Object.keys(LARGEST).sort());
});

test('a circle is found through re-exports, globs and paths, and not through tests', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'costlens-circles-'));
  const write = (name, text) => fs.writeFileSync(path.join(folder, name), text);
  try {
    write('lib.rs', 'mod a;\nmod b;\nmod c;\nmod d;\npub use a::A;\n');
    write('a.rs', 'pub struct A;\nfn f() { crate::b::g(); }\n');
    write('b.rs', 'use super::c::*;\npub(crate) fn g() { h(); }\n');
    write('c.rs', 'use crate::A;\npub(crate) fn h() -> A { A }\n');
    write('d.rs', 'use crate::A;\n#[cfg(test)]\nmod tests {\n    use crate::b::g;\n}\n');
    const found = circles(imports(folder)).map((files) => files.map((file) => path.basename(file)));
    assert.deepEqual(found, [['a.rs', 'b.rs', 'c.rs']]);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});
