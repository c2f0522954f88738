// tests/times.tsv: the times of CI, one line a change that matters.
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';
import { repository } from './workspace.mjs';

const read = (name) => fs.readFileSync(path.join(repository, name), 'utf8');

/** The phases of tests/run in their order. */
const phases = /^phases=\((.*)\)$/m.exec(read('tests/run'))[1].split(' ');
const columns = ['date', 'commit', ...phases, 'all', 'passed'];

/** What is wrong with a table of times, a sentence for each. */
function faults(text) {
  const [title, header, ...lines] = text.trimEnd().split('\n');
  const wrong = [];
  if (!title.startsWith('# ')) wrong.push('the first line does not say what the table is');
  if (header !== columns.join('\t')) wrong.push(`the columns are not ${columns.join(', ')}`);
  let before = '';
  for (const [at, line] of lines.entries()) {
    const cells = line.split('\t');
    const complain = (what) => wrong.push(`line ${at + 3}: ${what}`);
    if (cells.length !== columns.length) {
      complain(`${cells.length} cells instead of ${columns.length}`);
      continue;
    }
    const row = Object.fromEntries(columns.map((name, i) => [name, cells[i]]));
    if (!/^\d{4}-\d\d-\d\d$/.test(row.date)) complain('no date');
    else if (row.date < before) complain('older than the line before');
    before = row.date;
    if (!/^[0-9a-f]{7,40}$/.test(row.commit)) complain('no commit');
    for (const name of columns.slice(2)) if (!/^\d+$/.test(row[name])) complain(`${name} is no number`);
    // Two shells count whole seconds, each from its own start.
    if (phases.reduce((sum, name) => sum + Number(row[name]), 0) > Number(row.all) + 2) complain('the phases take longer than all');
  }
  return wrong;
}

test('every line of tests/times.tsv has all columns, as numbers', () => {
  assert.deepEqual(faults(read('tests/times.tsv')), []);
});

test('a line that is not well formed is noticed', () => {
  const line = (change) => {
    const row = { date: '2026-11-24', commit: '0123abc', ...Object.fromEntries(phases.map((p) => [p, '1'])), all: '20', passed: '7', ...change };
    return columns.map((name) => row[name]).join('\t');
  };
  const table = (...lines) => `# Times.\n${columns.join('\t')}\n${lines.join('\n')}\n`;
  assert.deepEqual(faults(table(line({}))), []);
  assert.deepEqual(faults(table(line({ cargo: '1.5' }))), ['line 3: cargo is no number']);
  assert.deepEqual(faults(table(line({}), line({ commit: 'HEAD' }))), ['line 4: no commit']);
  assert.deepEqual(faults(table(line({}), line({ date: '2026-11-23' }))), ['line 4: older than the line before']);
  assert.deepEqual(faults(table(line({ all: '3' }))), ['line 3: the phases take longer than all']);
  assert.deepEqual(faults(table(line({}).replace('\t', ' '))), [`line 3: ${columns.length - 1} cells instead of ${columns.length}`]);
  assert.equal(faults(table(line({})).replace('editors', 'editor')).length, 1);
});
