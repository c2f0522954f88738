// What the documents say is so: links, paths, settings, and what commands print.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';
import { repository } from './workspace.mjs';

const read = (name) => fs.readFileSync(path.join(repository, name), 'utf8');

/** All files of the repository, as a checkout has them. */
function* files(folder = '') {
  const skipped = new Set(['.git', 'node_modules', 'target', 'out', 'dist', 'dist-test']);
  for (const entry of fs.readdirSync(path.join(repository, folder), { withFileTypes: true })) {
    const name = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!skipped.has(entry.name) && name !== 'editors/vscode/server') yield* files(name);
    } else if (entry.isFile()) yield name;
  }
}

const all = [...files()];
const documents = all.filter((name) => name.endsWith('.md'));

test('links lead to files that are there', () => {
  const broken = [];
  for (const name of documents) {
    for (const [, target] of read(name).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target) || target.startsWith('#')) continue;
      const file = path.join(repository, path.dirname(name), target.split('#')[0]);
      if (!fs.existsSync(file)) broken.push(`${name}: ${target}`);
    }
  }
  assert.deepEqual(broken, []);
});

/** The anchor of a heading, as GitHub makes it. */
const anchor = (heading) => heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').trim().replace(/\s/g, '-');

test('links into a document lead to headings that are there', () => {
  const headings = (file) => [...fs.readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, text]) => anchor(text));
  const broken = [];
  for (const name of documents) {
    for (const [, target] of read(name).matchAll(/\]\(([^)\s]*\.md#[^)\s]+|#[^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [file, heading] = target.split('#');
      const there = path.join(repository, file === '' ? name : path.join(path.dirname(name), file));
      if (fs.existsSync(there) && !headings(there).includes(heading)) broken.push(`${name}: ${target}`);
    }
  }
  assert.deepEqual(broken, []);
});

test('paths in the text are those of files that are there', () => {
  const missing = [];
  for (const name of ['README.md', 'CONTRIBUTING.md', 'fuzz/README.md', ...documents.filter((d) => d.startsWith('docs/'))]) {
    for (const [, target] of read(name).matchAll(/`((?:server|tests|docs|editors|tools|fuzz|\.ci)\/[A-Za-z0-9_./-]+)`/g)) {
      if (!fs.existsSync(path.join(repository, target))) missing.push(`${name}: ${target}`);
    }
  }
  assert.deepEqual(missing, []);
});

test('no file names a place outside the repository', () => {
  const text = all.filter((name) => /\.(md|rs|mjs|ts|js|json|lua|sh|toml|yml|pl|c|h)$|\/run$|\/empty-root$/.test(name));
  assert.ok(text.length > 100);
  // In pieces, so that this file is not a finding itself.
  const outside = new RegExp([['\\.\\.', 'shared'], ['/home', '\\w'], ['/root', '\\w'], ['/work', '\\w']].map((p) => `${p[0]}/${p[1]}`).join('|'));
  const found = [];
  for (const name of text) {
    const line = read(name).split('\n').findIndex((l) => outside.test(l));
    if (line >= 0) found.push(`${name}:${line + 1}`);
  }
  assert.deepEqual(found, []);
});

test('the words of docs/architecture/vocabulary.md are in the code', () => {
  const list = read('docs/architecture/vocabulary.md');
  const names = [...list.matchAll(/\(`(\w+)`[):]/g)].map(([, name]) => name);
  assert.ok(new Set(names).size >= 15, `only ${names.length} names were found`);
  const code = all.filter((name) => name.startsWith('server/') && name.endsWith('.rs')).map(read).join('\n');
  assert.deepEqual(names.filter((name) => !new RegExp(`\\b(?:struct|enum|trait|type|fn|const) ${name}\\b`).test(code)), []);
});

test('the README leads to every document', () => {
  const readme = read('README.md');
  const index = /^## Documents$([\s\S]*?)^## /m.exec(readme)[1];
  const missing = documents.filter((name) => /^docs\/[\w-]+\.md$/.test(name) && !index.includes(`](${name})`));
  assert.deepEqual(missing, []);
});

/** What is wrong with a list of limits, each of which names fixtures that show it. */
function limitFaults(rows, fixture) {
  const wrong = [];
  for (const row of rows) {
    const names = [...row.matchAll(/`(tests\/[\w/]+\.pl)`/g)].map(([, name]) => name);
    if (names.length === 0) wrong.push(`no fixture shows: ${row}`);
    for (const name of names) {
      const text = fixture(name);
      if (text === undefined) wrong.push(`${name} is not there`);
      else if (!/^% imprecise: \S/m.test(text)) wrong.push(`${name} does not say what the truth is (% imprecise: …)`);
    }
  }
  return wrong;
}

test('each limit in the README is shown by a fixture that says what the truth is', () => {
  const section = /^## What it cannot do$([\s\S]*?)^## /m.exec(read('README.md'))[1];
  const rows = section.split('\n').filter((line) => /^\| [A-Z]/.test(line));
  assert.ok(rows.length >= 5, `only ${rows.length} limits were found`);
  assert.deepEqual(limitFaults(rows, (name) => (all.includes(name) ? read(name) : undefined)), []);
});

test('a limit that no fixture shows is noticed', () => {
  const fixture = (name) => ({ 'tests/a.pl': '% imprecise: n\n', 'tests/b.pl': 'p.\n' })[name];
  assert.deepEqual(limitFaults(['| Count. | `tests/a.pl` |'], fixture), []);
  assert.equal(limitFaults(['| Count. | |', '| Add. | `tests/b.pl` |', '| Divide. | `tests/a.pl`, `tests/c.pl` |'], fixture).length, 3);
});

test('lock files of npm name no registry', () => {
  for (const name of all.filter((f) => f.endsWith('package-lock.json'))) assert.ok(!read(name).includes('"resolved"'), name);
});

test('docs/settings.md has every setting of the extension, with its default, and no other', () => {
  const settings = JSON.parse(read('editors/vscode/package.json')).contributes.configuration.properties;
  const rows = new Map([...read('docs/settings.md').matchAll(/^\| `(costlens\.[\w.]+)` \| `([^`]*)` \|/gm)].map((m) => [m[1], m[2]]));
  assert.deepEqual([...rows.keys()].sort(), Object.keys(settings).sort());
  for (const [name, { default: value }] of Object.entries(settings)) assert.equal(rows.get(name), JSON.stringify(value), name);
});

test('the Neovim plugin passes on every setting that the server reads, with the same default', () => {
  const settings = JSON.parse(read('editors/vscode/package.json')).contributes.configuration.properties;
  const defaults = /settings = \{([\s\S]*?)\n  \},/.exec(read('editors/neovim/lua/costlens/init.lua'))[1];
  let compared = 0;
  for (const [, name] of read('docs/settings.md').matchAll(/^\| `costlens\.([\w.]+)` \| `[^`]*` \| server \|/gm)) {
    const [group, key] = name.split('.');
    if (key === undefined) continue; // the master switch: in Neovim, vim.lsp.enable
    const [, value] = new RegExp(`\\b${group} = \\{[^}]*\\b${key} = (\\{\\}|[^,}]+?)\\s*[,}]`).exec(defaults) ?? [];
    assert.equal(value, JSON.stringify(settings[`costlens.${name}`].default).replaceAll('"', "'").replace('[]', '{}'), name);
    compared++;
  }
  assert.ok(compared >= 6);
});

/** The document with each command's output below it as `print` gives it, and whether there was one. */
function printed(text, print) {
  return text.replace(/^```console\n([\s\S]*?)^```/gm, (block, body) => {
    const parts = body.trimEnd().split(/^(?=\$ )/m).map((part) => {
      const command = part.split('\n')[0].slice(2);
      // Words, of which some are in single quotes.
      const words = command.replace(/^cargo run (--release )?-- /, 'costlens ').match(/'[^']*'|[^\s']+/g)
        .map((word) => word.replace(/^'(.*)'$/, '$1'));
      return words[0] === 'costlens' ? `$ ${command}\n${print(words.slice(1))}\n` : part;
    });
    return `\`\`\`console\n${parts.join('')}\`\`\``;
  });
}

// UPDATE_EXPECT=1 writes what is printed into the documents, for a person to judge.
test('commands in the documents print what stands below them', (t) => {
  const binary = process.env.COSTLENS_BIN;
  if (!binary) return t.skip('COSTLENS_BIN names no program');
  let tried = 0;
  for (const name of documents) {
    const fresh = printed(read(name), (words) => {
      tried++;
      const result = spawnSync(binary, words, { cwd: repository, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } });
      assert.notEqual(result.stdout, '', `${name}: ${words.join(' ')}: ${result.stderr}`);
      return result.stdout.trimEnd();
    });
    if (process.env.UPDATE_EXPECT) fs.writeFileSync(path.join(repository, name), fresh);
    else assert.equal(read(name), fresh, name);
  }
  assert.ok(tried > 0, 'no document shows a command');
});
