// Everything that is linked, bundled or built with may be used under a licence of the list.
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';
import { readMetadata, repository } from './workspace.mjs';

const ALLOWED = new Set([
  '0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC', 'MIT', 'MIT-0', 'NCSA', 'Unicode-3.0', 'Unlicense', 'Zlib',
]);
// `WITH` one of these gives more rights than the licence alone.
const EXCEPTIONS = new Set(['LLVM-exception']);

/** Whether an SPDX expression can be met with allowed licences alone. `A/B` is what old manifests write for `A OR B`. */
export function permits(expression) {
  const tokens = (expression ?? '').replaceAll('/', ' OR ').match(/[()]|[A-Za-z0-9.+-]+/g) ?? [];
  let at = 0;
  const choice = () => {
    let result = both();
    while (tokens[at] === 'OR') { at++; result = both() || result; }
    return result;
  };
  const both = () => {
    let result = one();
    while (tokens[at] === 'AND') { at++; result = one() && result; }
    return result;
  };
  const one = () => {
    if (tokens[at] === '(') {
      at++;
      const result = choice();
      return tokens[at++] === ')' && result;
    }
    let result = ALLOWED.has(tokens[at++]);
    if (tokens[at] === 'WITH') { at++; result = EXCEPTIONS.has(tokens[at++]) && result; }
    return result;
  };
  return tokens.length > 0 && choice() && at === tokens.length;
}

test('licence expressions are read as SPDX means them', () => {
  for (const yes of [
    'MIT', 'MIT OR Apache-2.0', 'MIT/Apache-2.0', 'MIT OR LGPL-2.1-or-later', '(MIT OR Apache-2.0) AND Unicode-3.0',
    'Apache-2.0 WITH LLVM-exception OR GPL-2.0',
  ]) assert.equal(permits(yes), true, yes);
  for (const no of [
    'GPL-3.0-only', 'AGPL-3.0', 'LGPL-3.0-or-later', 'MIT AND GPL-2.0', 'MIT AND (GPL-2.0 OR MPL-2.0)', '', undefined, 'MIT MIT', '(MIT',
    'MIT WITH GPL-exception', 'SEE LICENSE IN LICENSE.txt',
  ]) assert.equal(permits(no), false, `${no}`);
});

test('every crate of the lock file has a licence of the list', () => {
  const packages = readMetadata().packages;
  assert.ok(packages.length > 100);
  const wrong = packages.filter((p) => !permits(p.license)).map((p) => `${p.name} ${p.version}: ${p.license ?? p.license_file}`);
  assert.deepEqual(wrong, []);
});

test('cargo deny allows the same licences', () => {
  const [, list] = fs.readFileSync(path.join(repository, 'deny.toml'), 'utf8').match(/^allow = \[([^\]]*)\]/m);
  const names = [...list.matchAll(/"([^" ]+)[^"]*"/g)].map(([, name]) => name);
  assert.deepEqual(new Set(names), ALLOWED);
});

test('every npm package that the extension ships has a licence of the list', () => {
  const lock = JSON.parse(fs.readFileSync(path.join(repository, 'editors/vscode/package-lock.json'), 'utf8'));
  const shipped = Object.entries(lock.packages).filter(([, p]) => !p.dev);
  assert.ok(shipped.length > 3);
  assert.deepEqual(shipped.filter(([, p]) => !permits(p.license)).map(([name, p]) => `${name}: ${p.license}`), []);
});

test('the licence texts are there', () => {
  for (const [file, words] of [['LICENSE-MIT', 'Permission is hereby granted'], ['LICENSE-APACHE', 'Apache License']]) {
    assert.ok(fs.readFileSync(path.join(repository, file), 'utf8').includes(words), file);
  }
});
