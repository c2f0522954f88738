import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';

// Bundled to dist-test/, so the package is one folder up.
const root = path.join(__dirname, '..');
const read = (name: string): string => fs.readFileSync(path.join(root, name), 'utf8');
const manifest = JSON.parse(read('package.json'));

test('no language seizes the files of Perl', () => {
  for (const language of manifest.contributes.languages) {
    for (const extension of ['.pl', '.pm', '.t']) assert.ok(!language.extensions.includes(extension), extension);
  }
});

test('settings that name a program are ignored in an untrusted workspace', () => {
  const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
  assert.equal(supported, 'limited');
  assert.deepEqual(restrictedConfigurations, ['costlens.server.path', 'costlens.server.extraArgs']);
  for (const name of restrictedConfigurations) assert.ok(name in manifest.contributes.configuration.properties, name);
});

test('every setting is described and has a default of its type', () => {
  for (const [name, setting] of Object.entries<any>(manifest.contributes.configuration.properties)) {
    assert.ok(setting.markdownDescription, name);
    const type = Array.isArray(setting.default) ? 'array' : typeof setting.default;
    assert.equal(type, setting.type, name);
    if (setting.enum) assert.ok(setting.enum.includes(setting.default), name);
    assert.ok(read('README.md').includes(`\`${name}\``), `README.md does not name ${name}`);
  }
});

test('every colour of heat is contributed', () => {
  const levels = /LEVELS = \[(.*)\]/.exec(read('src/heat.ts'))?.[1]?.match(/\w+/g) ?? [];
  assert.equal(levels.length, 4);
  const colours = manifest.contributes.colors.map((colour: { id: string }) => colour.id);
  assert.deepEqual(colours, levels.map((level) => `costlens.heat.${level}`));
});

test('the lock file names no registry', () => {
  assert.ok(!read('package-lock.json').includes('"resolved"'));
});

test('the version has a section in the change log', () => {
  assert.ok(read('CHANGELOG.md').includes(`## ${manifest.version}`));
});

test('the grammar is well-formed and its patterns compile', () => {
  const grammar = JSON.parse(read('syntaxes/prolog.tmLanguage.json'));
  const patterns: string[] = [];
  JSON.stringify(grammar, (key, value) => {
    if (['match', 'begin', 'end'].includes(key) && typeof value === 'string') patterns.push(value);
    return value;
  });
  assert.ok(patterns.length > 10);
  for (const pattern of patterns) new RegExp(pattern);
});
