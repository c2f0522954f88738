// tests/run adds up what the runners write; a test program that crashes is not overlooked.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as path from 'node:path';
import { test } from 'node:test';
import { repository } from './workspace.mjs';

const counts = (reader, input) => {
  const lib = path.join(repository, 'tests/house/lib.sh');
  return spawnSync('bash', ['-c', `source "$1" && ${reader}`, 'bash', lib], { input, encoding: 'utf8' }).stdout.trim();
};

const CARGO = `   Compiling costlens v0.1.0
     Running unittests src/lib.rs (target/ci/deps/costlens_syntax-1)
running 4 tests
test result: FAILED. 2 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s
     Running tests/oracle.rs (target/ci/deps/oracle-2)
test result: ok. 70 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s
   Doc-tests costlens_algebra
test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s
`;

test('results of cargo are added up', () => {
  assert.equal(counts('count_cargo', CARGO), '75 1 1 0');
});

test('a test program that crashes is missed', () => {
  assert.equal(counts('count_cargo', CARGO.replace(/test result: ok. 70.*\n/, '')), '5 1 1 1');
});

test('results of node are read in both of its formats', () => {
  const lines = (mark) => ['tests 9', 'pass 4', 'fail 2', 'cancelled 1', 'skipped 1', 'todo 1'].map((l) => `${mark} ${l}\n`).join('');
  assert.equal(counts('count_node', lines('#')), '4 3 2');
  assert.equal(counts('count_node', lines('\u2139')), '4 3 2');
  assert.equal(counts('count_node', ''), '0 0 0');
});

test('the last line of the editor tests is read, with and without skips', () => {
  assert.equal(counts('count_last_line', 'ok a\n12 passed, 1 failed\n'), '12 1 0');
  assert.equal(counts('count_last_line', '0 passed, 0 failed, 2 skipped\n'), '0 0 2');
});
