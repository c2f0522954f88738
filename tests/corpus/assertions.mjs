// Which assertions of Ciao's libraries are called malformed: node tests/corpus/assertions.mjs --costlens BINARY FOLDER
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({ options: { costlens: { type: 'string' } }, allowPositionals: true });
const [folder] = positionals;
if (values.costlens === undefined || folder === undefined) {
  console.error('usage: node tests/corpus/assertions.mjs --costlens BINARY FOLDER');
  process.exit(2);
}

const files = fs
  .readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.pl'))
  .map((entry) => path.join(entry.parentPath, entry.name))
  .sort();

/** Messages without what is different in each, and where they stand. */
const places = new Map();
const unanswered = [];
for (const file of files) {
  const words = ['check', '--dialect', 'ciao', '--no-library', '--format', 'json', '--quiet', '--exit-zero', file];
  const out = spawnSync(values.costlens, words, { encoding: 'utf8', timeout: 20_000, maxBuffer: 1 << 28 });
  let document;
  try {
    document = JSON.parse(out.stdout);
  } catch {
    unanswered.push(file);
    continue;
  }
  for (const { code, line, message } of document.diagnostics) {
    if (code !== 'assertion-malformed') continue;
    const kind = message.replace(/[\w']+\/\d+/g, 'P/N');
    if (!places.has(kind)) places.set(kind, []);
    places.get(kind).push(`${path.relative(folder, file)}:${line}: ${message}`);
  }
}

console.log(`${files.length} files, ${unanswered.length} not answered within 20 s`);
for (const [kind, all] of [...places].sort(([, a], [, b]) => b.length - a.length)) {
  console.log(`\n${all.length}  ${kind}`);
  for (const place of all) console.log(`  ${place}`);
}
