// A folder of server/program imports folders below it in the table of docs/architecture/program.md, and no others.
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';
import { repository } from './workspace.mjs';

const source = path.join(repository, 'server/program/src');

/** The folders of the table, the highest first. */
function floors() {
  const text = fs.readFileSync(path.join(repository, 'docs/architecture/program.md'), 'utf8');
  const table = text.split('| folder, from the top | question that it answers |')[1] ?? '';
  const rows = table.split('\n\n')[0];
  return [...rows.matchAll(/^\| `(\w+)` \|/gm)].map((row) => row[1]);
}

/** The folders that the files of a folder name behind `crate::`, comments and tests left out. */
function imported(folder) {
  const files = fs.readdirSync(path.join(source, folder), { recursive: true }).filter((file) => file.endsWith('.rs'));
  const texts = [`${folder}.rs`, ...files.map((file) => path.join(folder, file))].map((file) => {
    const code = fs.readFileSync(path.join(source, file), 'utf8').split('#[cfg(test)]')[0];
    return code.replace(/\/\/[^\n]*/g, '');
  });
  return new Set([...texts.join('\n').matchAll(/\bcrate::(\w+)/g)].map((match) => match[1]));
}

test('the folders of server/program are those of the table', () => {
  const folders = fs.readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  assert.deepEqual(folders.map((entry) => entry.name).sort(), floors().sort());
});

test('a folder of server/program imports what stands below it', () => {
  const order = floors();
  for (const [at, folder] of order.entries()) {
    const below = order.slice(at + 1);
    const wrong = [...imported(folder)].filter((name) => name !== folder && !below.includes(name));
    assert.deepEqual(wrong, [], `${folder} imports what does not stand below it`);
  }
});
