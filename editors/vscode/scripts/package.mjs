#!/usr/bin/env node
// Packs the extension with the program inside:  npm run package -- --server PATH [--out FILE.vsix] [--target linux-x64]
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import path from 'node:path';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const { values } = parseArgs({
  options: {
    server: { type: 'string' },
    out: { type: 'string' },
    target: { type: 'string', default: 'linux-x64' },
  },
});
if (!values.server || !existsSync(values.server)) {
  console.error('usage: npm run package -- --server PATH [--out FILE.vsix] [--target linux-x64]\n  PATH is the costlens program to put inside');
  process.exit(2);
}

const windows = values.target.startsWith('win32');
const place = path.join(root, 'server', windows ? 'costlens.exe' : 'costlens');
rmSync(path.dirname(place), { recursive: true, force: true });
mkdirSync(path.dirname(place), { recursive: true });
copyFileSync(values.server, place);
chmodSync(place, 0o755);

execFileSync(process.execPath, [path.join(root, 'scripts/bundle.mjs')], { stdio: 'inherit' });
const vsce = createRequire(import.meta.url).resolve('@vscode/vsce/vsce');
const out = path.resolve(values.out ?? path.join(root, `costlens-${values.target}.vsix`));
execFileSync(
  process.execPath,
  [vsce, 'package', '--no-dependencies', '--allow-missing-repository', '--target', values.target, '--out', out],
  { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
);
console.log(`${out}  ${(statSync(out).size / 1e6).toFixed(1)} MB`);
