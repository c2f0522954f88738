// Mannerisms in comments and documents, counted by file against ceilings that only fall: tests/house/english.json. What is new has none.
//
//     UPDATE_EXPECT=1 node --test tests/house/english.test.mjs     lowers the ceilings to what is there
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';
import { repository } from './workspace.mjs';

const ceilingsFile = path.join(repository, 'tests/house/english.json');

/** Each with what to write instead. */
const MANNERISMS = [
  [/[;.,] [Nn]one (if|where|for|of)\b/, 'Returns `None` if …'],
  [/\bstands?\b(?! for\b)/, 'is, appears, comes'],
  [/\bbehind\b/, 'after, following'],
  [/\bof (which|whom)\b/, 'whose, the … of …'],
  [/\b([Ww]hoever|[Nn]obody|[Ss]omebody)\b/, 'name it: callers, a reader, no rule'],
  [/\bbeside\b/, 'next to, in addition to'],
  [/, too\b/, 'also, before the verb; or nothing'],
  [/^(What|Whether) [a-z]/, 'a noun or a verb'],
  [/\b(is|are|be|was) told\b/, 'reported, shown'],
  [/\b[Ss]o (many|much)\b/, 'that many'],
  [/\b(is|are) there$|\b(go|goes) on\b|\bof before\b|\bby chance\b|\bis to be\b|\banew\b|\bdearer\b|\bthe like\b/, 'exist; continue; previous; random; should be; again; more expensive; similar'],
];

/** The lines of prose of a file: comments of Rust, text of Markdown outside of code. */
function prose(name, text) {
  const lines = text.split('\n');
  if (name.endsWith('.rs')) {
    return lines.map((line) => /^[^"]*?\/\/[/!]? ?(.*)$/.exec(line)?.[1].trimEnd() ?? '');
  }
  let isCode = false;
  return lines.map((line) => {
    if (line.trimStart().startsWith('```')) isCode = !isCode;
    return isCode || line.startsWith('    ') ? '' : line.replace(/`[^`]*`/g, '``');
  });
}

/** The places with mannerisms, by file. */
function found() {
  const tracked = execFileSync('git', ['ls-files', '*.rs', '*.md'], { cwd: repository, encoding: 'utf8' }).split('\n').filter(Boolean);
  const all = {};
  for (const name of tracked) {
    const full = path.join(repository, name);
    if (!fs.existsSync(full)) continue;
    prose(name, fs.readFileSync(full, 'utf8')).forEach((line, i) => {
      const instead = MANNERISMS.find(([pattern]) => pattern.test(line))?.[1];
      if (instead) (all[name] ??= []).push(`${name}:${i + 1}: ${line.trim()}    (write: ${instead})`);
    });
  }
  return all;
}

test('no file has more mannerisms than it had', () => {
  const now = found();
  const ceilings = JSON.parse(fs.readFileSync(ceilingsFile, 'utf8'));
  const tooMany = Object.entries(now).filter(([name, places]) => places.length > (ceilings[name] ?? 0));
  assert.deepEqual(tooMany.map(([name, places]) => [`${name}: ${places.length} for ${ceilings[name] ?? 0}`, ...places].join('\n')), []);
  if (process.env.UPDATE_EXPECT) {
    const lower = Object.fromEntries(Object.entries(now).sort().map(([name, places]) => [name, places.length]));
    fs.writeFileSync(ceilingsFile, `${JSON.stringify(lower, null, 1)}\n`);
  }
});
