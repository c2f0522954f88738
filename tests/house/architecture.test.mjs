// The arrows between the rooms are those of docs/architecture.md, and the rooms below the binary do what they may.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { test } from 'node:test';
import { circles, imports } from './circles.mjs';
import { reached, readMetadata, repository, rooms } from './workspace.mjs';

/** The rooms that a room may use. A new room gets a line here, and a paragraph, its arrows and an invariant in docs/architecture.md. */
const MAY_USE = {
  'costlens-grammar': [],
  'costlens-syntax': ['costlens-grammar'],
  'costlens-catalog': [],
  'costlens-body': ['costlens-catalog', 'costlens-syntax'],
  'costlens-program': ['costlens-body', 'costlens-catalog', 'costlens-syntax'],
  'costlens-algebra': [],
  'costlens-recurrences': ['costlens-algebra'],
  'costlens-verify': ['costlens-algebra'],
  'costlens-events': [],
  'costlens-compile': ['costlens-body', 'costlens-catalog', 'costlens-events', 'costlens-syntax'],
  'costlens-platform': ['costlens-events'],
  'costlens-calibrate': ['costlens-events'],
  'costlens-engines': [],
  'costlens-history': [
    'costlens-algebra', 'costlens-analysis', 'costlens-body', 'costlens-calibrate', 'costlens-catalog', 'costlens-machine', 'costlens-program', 'costlens-syntax',
  ],
  'costlens-profile': ['costlens-body', 'costlens-machine', 'costlens-program', 'costlens-syntax'],
  'costlens-machine': ['costlens-catalog', 'costlens-compile', 'costlens-program', 'costlens-syntax'],
  'costlens-infer': [
    'costlens-algebra', 'costlens-body', 'costlens-catalog', 'costlens-compile', 'costlens-events', 'costlens-program', 'costlens-recurrences', 'costlens-syntax',
  ],
  'costlens-analysis': [
    'costlens-algebra', 'costlens-body', 'costlens-catalog', 'costlens-events', 'costlens-infer', 'costlens-program', 'costlens-recurrences',
    'costlens-syntax',
  ],
  'costlens-ide': [
    'costlens-algebra', 'costlens-analysis', 'costlens-body', 'costlens-catalog', 'costlens-compile', 'costlens-events', 'costlens-machine', 'costlens-platform',
    'costlens-program',
    'costlens-syntax',
  ],
  costlens: [
    'costlens-algebra', 'costlens-analysis', 'costlens-calibrate', 'costlens-compile', 'costlens-engines', 'costlens-events', 'costlens-history', 'costlens-ide', 'costlens-machine', 'costlens-platform',
    'costlens-profile', 'costlens-program', 'costlens-recurrences', 'costlens-syntax', 'costlens-verify',
  ],
};

/** Which rooms may name a package: the protocol, its JSON and the runtime are the binary's, salsa is not everybody's. */
const ONLY_IN = {
  'tower-lsp-server': ['costlens'],
  'tower-service': ['costlens'],
  tokio: ['costlens'],
  // Summaries are kept as bytes; what they consist of says how. JSON is the binary's all the same (`serde_json`).
  serde: ['costlens', 'costlens-algebra', 'costlens-analysis', 'costlens-infer', 'costlens-program', 'costlens-recurrences', 'costlens-syntax'],
  postcard: ['costlens-analysis'],
  serde_json: ['costlens', 'costlens-platform', 'costlens-verify'],
  clap: ['costlens'],
  anyhow: ['costlens'],
  'annotate-snippets': ['costlens'],
  etcetera: ['costlens'],
  maud: ['costlens'],
  salsa: ['costlens-program', 'costlens-analysis', 'costlens-ide', 'costlens'],
  'tree-sitter': ['costlens-syntax'],
  petgraph: ['costlens-program'],
  nalgebra: ['costlens-calibrate', 'costlens-history'],
  rusqlite: ['costlens', 'costlens-history'],
  rustix: ['costlens-engines'],
};

/** What a room may not even reach through others. */
const NEVER_REACHES = {
  'costlens-algebra': [...Object.keys(MAY_USE), 'salsa', 'tree-sitter', 'tower-lsp-server', 'tokio'],
  'costlens-recurrences': [...Object.keys(MAY_USE).filter((room) => room !== 'costlens-algebra'), 'salsa', 'tree-sitter', 'tower-lsp-server', 'tokio'],
  'costlens-verify': ['costlens-recurrences', 'salsa', 'tree-sitter', 'tower-lsp-server', 'tokio'],
  'costlens-grammar': [...Object.keys(MAY_USE), 'salsa', 'tower-lsp-server', 'tokio'],
  'costlens-catalog': [...Object.keys(MAY_USE), 'salsa', 'tree-sitter', 'tower-lsp-server', 'tokio'],
  'costlens-syntax': ['salsa', 'tower-lsp-server', 'tokio', 'costlens-algebra'],
  'costlens-events': ['salsa', 'costlens-algebra', 'costlens-program', 'costlens-syntax'],
  'costlens-compile': ['salsa', 'costlens-algebra', 'costlens-program'],
  'costlens-platform': ['salsa', 'costlens-algebra', 'costlens-program', 'tower-lsp-server', 'tokio'],
  'costlens-calibrate': ['salsa', 'costlens-algebra', 'costlens-program', 'tower-lsp-server', 'tokio'],
  'costlens-engines': [...Object.keys(MAY_USE), 'salsa', 'tree-sitter', 'tower-lsp-server', 'tokio', 'serde'],
  'costlens-infer': ['costlens-analysis', 'costlens-verify', 'tower-lsp-server', 'tokio'],
  'costlens-ide': ['tower-lsp-server', 'tokio'],
  'costlens-history': ['tower-lsp-server', 'tokio'],
  'costlens-profile': ['costlens-analysis', 'costlens-infer', 'tower-lsp-server', 'tokio'],
};

/** Every arrow that is not in the picture, as a sentence. */
function wrongArrows(metadata) {
  const wrong = [];
  for (const { name, direct } of rooms(metadata)) {
    if (!(name in MAY_USE)) {
      wrong.push(`${name} is a room that the picture does not have`);
      continue;
    }
    for (const used of direct) {
      if (used.startsWith('costlens') && !MAY_USE[name].includes(used)) wrong.push(`${name} may not use ${used}`);
      if (used in ONLY_IN && !ONLY_IN[used].includes(name)) wrong.push(`${name} may not use ${used}`);
    }
    const all = reached(metadata, name);
    for (const other of NEVER_REACHES[name] ?? []) {
      if (other !== name && all.has(other)) wrong.push(`${name} may not reach ${other}`);
    }
  }
  return wrong;
}

const metadata = readMetadata();

test('the rooms of the picture are there', () => {
  assert.deepEqual(rooms(metadata).map((r) => r.name).sort(), Object.keys(MAY_USE).sort());
});

test('no arrow is outside the picture', () => {
  assert.deepEqual(wrongArrows(metadata), []);
});

test('a wrong arrow is noticed, direct or through others', () => {
  const copy = structuredClone(metadata);
  const find = (name) => copy.packages.find((p) => p.name === name);
  find('costlens-algebra').dependencies.push({ name: 'salsa', kind: null });
  find('costlens-ide').dependencies.push({ name: 'tower-lsp-server', kind: null });
  const program = copy.resolve.nodes.find((n) => n.id === find('costlens-syntax').id);
  program.deps.push({ name: 'salsa', pkg: find('salsa').id, dep_kinds: [{ kind: null, target: null }] });
  const wrong = wrongArrows(copy);
  for (const sentence of [
    'costlens-algebra may not use salsa', 'costlens-ide may not use tower-lsp-server', 'costlens-syntax may not reach salsa',
  ]) {
    assert.ok(wrong.includes(sentence), sentence);
  }
});

test('all rooms have one version, one licence, one least Rust, and the shared lints', () => {
  const all = rooms(metadata).map((r) => r.manifest);
  for (const key of ['version', 'license', 'rust_version', 'edition']) {
    assert.deepEqual([...new Set(all.map((p) => p[key]))], [all[0][key]], key);
    assert.ok(all[0][key], key);
  }
  for (const room of all) {
    assert.match(fs.readFileSync(room.manifest_path, 'utf8'), /\[lints\]\s*workspace = true/, room.name);
  }
});

test('a room with a clippy.toml of its own repeats the keys of the root', () => {
  const keys = (file) => fs.readFileSync(file, 'utf8').split('\n').filter((l) => /^[a-z-]+ = /.test(l)).map((l) => l.split(' ')[0]);
  const root = keys(path.join(repository, 'clippy.toml'));
  assert.ok(root.includes('disallowed-methods'));
  for (const { name, manifest } of rooms(metadata)) {
    const own = path.join(path.dirname(manifest.manifest_path), 'clippy.toml');
    if (name === 'costlens' || !fs.existsSync(own)) continue;
    assert.deepEqual(keys(own).sort(), root.slice().sort(), name);
  }
});

test('every room below the binary denies what clippy.toml lists', () => {
  const line = '#![cfg_attr(not(test), deny(clippy::disallowed_methods))]';
  for (const { name, manifest } of rooms(metadata)) {
    if (name === 'costlens') continue;
    const source = fs.readFileSync(path.join(path.dirname(manifest.manifest_path), 'src/lib.rs'), 'utf8');
    assert.ok(source.split('\n').includes(line), `${name}: src/lib.rs lacks ${line}`);
  }
});

test('clippy sees a room that reads a file, starts a program, asks the environment, opens a connection or looks at the clock', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'costlens-room-'));
  try {
    fs.mkdirSync(path.join(folder, 'src'));
    fs.copyFileSync(path.join(repository, 'clippy.toml'), path.join(folder, 'clippy.toml'));
    fs.writeFileSync(path.join(folder, 'Cargo.toml'), '[package]\nname = "room"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n');
    const forbidden = {
      'std::fs::read': 'std::fs::read("x").ok();',
      'std::fs::File::open': 'std::fs::File::open("x").ok();',
      'std::path::Path::exists': 'std::path::Path::new("x").exists();',
      'std::process::Command::new': 'std::process::Command::new("x");',
      'std::env::var': 'std::env::var("X").ok();',
      'std::net::TcpStream::connect': 'std::net::TcpStream::connect("x:1").ok();',
      'std::time::Instant::now': 'std::time::Instant::now();',
    };
    const body = Object.values(forbidden).map((s) => `    let _ = ${s}`).join('\n');
    fs.writeFileSync(path.join(folder, 'src/lib.rs'), `#![cfg_attr(not(test), deny(clippy::disallowed_methods))]\npub fn f() {\n${body}\n}\n`);
    const { status, stderr } = spawnSync(
      'cargo', ['clippy', '--quiet', '--offline', '--target-dir', path.join(folder, 'target')],
      { cwd: folder, encoding: 'utf8', env: { ...process.env, CARGO_TARGET_DIR: '' } },
    );
    assert.notEqual(status, 0);
    for (const method of Object.keys(forbidden)) assert.ok(stderr.includes(`use of a disallowed method \`${method}\``), `${method}\n${stderr}`);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
});

/** The rows of the table in a section of docs/architecture.md, as lists of cells. */
function tableOf(heading) {
  const text = fs.readFileSync(path.join(repository, 'docs/architecture.md'), 'utf8');
  const section = text.split(/^## /m).find((s) => s.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^\| (`.*) \|$/gm)].map(([, row]) => row.split(' | ').map((cell) => cell.replace(/ ?\|$/, '')));
}

const quoted = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
const folderOf = (manifest) => path.basename(path.dirname(manifest.manifest_path));

test('every room has a paragraph and an invariant in docs/architecture.md', () => {
  const text = fs.readFileSync(path.join(repository, 'docs/architecture.md'), 'utf8');
  const invariants = tableOf('Invariants').map(([room]) => quoted(room)[0]);
  const folders = rooms(metadata).map(({ manifest }) => folderOf(manifest));
  for (const folder of folders) assert.ok(text.includes(`\n### \`server/${folder}\`\n`), `no section on server/${folder}`);
  assert.deepEqual(invariants.sort(), folders.sort());
});

test('the arrows in docs/architecture.md are the ones that are allowed', () => {
  const drawn = tableOf('Arrows').map(([room, uses]) => [quoted(room)[0], quoted(uses).sort()]);
  const short = (name) => (name === 'costlens' ? name : name.replace(/^costlens-/, ''));
  const allowed = Object.entries(MAY_USE).map(([room, uses]) => [short(room), uses.map(short).sort()]);
  assert.deepEqual(Object.fromEntries(drawn), Object.fromEntries(allowed));
});

test('the circles in docs/architecture.md are those of the code', () => {
  const drawn = {};
  for (const [room, files] of tableOf('Circles')) (drawn[quoted(room)[0]] ??= []).push(...quoted(files));
  const found = {};
  for (const { manifest } of rooms(metadata)) {
    const source = path.join(path.dirname(manifest.manifest_path), 'src');
    const files = circles(imports(source)).flat().map((file) => path.relative(source, file).replace(/\.rs$/, '').replaceAll(path.sep, '/'));
    if (files.length > 0) found[folderOf(manifest)] = files.sort();
  }
  for (const files of Object.values(drawn)) files.sort();
  assert.deepEqual(drawn, found);
});

test('the modules in the tables of docs/architecture/ exist', () => {
  const folder = path.join(repository, 'docs/architecture');
  const missing = [];
  let compared = 0;
  for (const page of fs.readdirSync(folder)) {
    let room;
    let isModules = false;
    for (const line of fs.readFileSync(path.join(folder, page), 'utf8').split('\n')) {
      room = /^#+ .*`(server\/\w+)`/.exec(line)?.[1] ?? room;
      if (!line.startsWith('|')) isModules = false;
      if (/^\| module \|/.test(line)) isModules = true;
      else if (isModules) {
        for (const name of quoted(line.split(' | ')[0])) {
          compared++;
          const at = path.join(repository, room, 'src', name.replaceAll('::', '/'));
          if (!fs.existsSync(`${at}.rs`) && !fs.existsSync(at)) missing.push(`${page}: ${room}: ${name}`);
        }
      }
    }
  }
  assert.ok(compared > 100, `only ${compared} names were found`);
  assert.deepEqual(missing, []);
});
