#!/usr/bin/env node
// Bundles the extension into dist/, or with --tests the unit tests into dist-test/.
import { build } from 'esbuild';
import { readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const tests = process.argv.includes('--tests');
const outdir = path.join(root, tests ? 'dist-test' : 'dist');
rmSync(outdir, { recursive: true, force: true });

await build({
  absWorkingDir: root,
  // Two entry points, so that the language client is loaded only when it is needed.
  entryPoints: tests
    ? readdirSync(path.join(root, 'test')).map((name) => `test/${name}`)
    : ['src/extension.ts', 'src/server.ts'],
  outdir,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode', './server.js'],
  minify: !tests,
  logLevel: 'warning',
});
