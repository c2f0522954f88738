// The options of the scripts of this folder, and the texts that they generate.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

export const option = (name) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
};

/** The program that is measured. */
export const binary = option('binary');
if (!binary) {
  console.error(`${basename(process.argv[1])}: name the program with --binary PATH`);
  process.exit(2);
}

/** A temporary folder, which the script removes. */
export const folder = mkdtempSync(join(tmpdir(), 'bench-'));
export const made = (name, text) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

/** The texts of the numbers below `many`. */
export const each = (many, of, between = '') => Array.from({ length: many }, (_, k) => of(k)).join(between);
