// Control constructs and meta-predicates are known by name in few places: the room `body`, which lowers goals, the catalogue, the reader's
// tables of operators and its directives, and the machine's tables. Every other room matches the variants of `Goal`.
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';
import { repository } from './workspace.mjs';

/** Rooms that know them by name. */
const KNOW = ['body', 'catalog', 'machine', 'syntax'];

/** How many lines outside of these rooms still do, by name. A ceiling only falls. */
const CEILINGS = {
  '*->': 0, '->': 1, '\\\\+': 0, findall: 0, forall: 1, catch: 1, setup_call_cleanup: 0, call_cleanup: 1, once: 0, ignore: 1,
};

/** The lines of a room's code that have a string literal of this name, tests and comments apart. */
function lines(name) {
  const found = [];
  const server = path.join(repository, 'server');
  for (const room of fs.readdirSync(server).filter((r) => !KNOW.includes(r))) {
    const src = path.join(server, room, 'src');
    if (!fs.existsSync(src)) continue;
    for (const file of fs.readdirSync(src, { recursive: true }).filter((f) => f.endsWith('.rs'))) {
      const text = fs.readFileSync(path.join(src, file), 'utf8').split(/#\[cfg\(test\)\]\nmod /)[0];
      text.split('\n').forEach((line, i) => {
        if (!line.trimStart().startsWith('//') && line.includes(`"${name}"`)) found.push(`server/${room}/src/${file}:${i + 1}`);
      });
    }
  }
  return found;
}

for (const [name, ceiling] of Object.entries(CEILINGS)) {
  test(`at most ${ceiling} lines know ${name} by name`, () => {
    const found = lines(name);
    assert.ok(found.length <= ceiling, `${found.length}: match a variant of costlens_body::Goal instead\n${found.join('\n')}`);
    assert.ok(found.length >= ceiling, `only ${found.length} are left: lower the ceiling in tests/house/goals.test.mjs`);
  });
}
