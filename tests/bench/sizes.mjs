// Times and memory of commands and of the server at growing sizes, on this machine. Run it with nothing else running.
//
//   node tests/bench/sizes.mjs --binary PATH [--library FOLDER] [--times]
//   node tests/bench/sizes.mjs --binary PATH --application FOLDER FILE…
//   node tests/bench/sizes.mjs --binary PATH --edits NUMBER
//
// FOLDER is a folder of Prolog files for the long rows (SWI-Prolog's library, for example); with --times, bounds on time are also computed,
// which takes several minutes. GNU time measures processor time and memory. With --application, only the first hints in the middle of some
// of its files are timed: with an empty store of summaries, and with what the session before left there. With --edits, the memory of a server
// is printed after each tenth of that many edits of a file of 2,000 lines.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { binary, each, folder, made, option } from './setup.mjs';
import { session } from './session.mjs';

const command = (name, args) => {
  const measured = ['-f', '%e %U %S %M', binary, ...args];
  const found = spawnSync('/usr/bin/time', measured, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
  const last = (found.stderr ?? '').trim().split('\n').at(-1) ?? '';
  const [elapsed, user, system, kilobytes] = last.split(' ').map(Number);
  if (!Number.isFinite(kilobytes)) throw new Error(`${name}: ${found.error?.message ?? found.stderr}`);
  const columns = [`${elapsed.toFixed(2)} s`, `${(user + system).toFixed(2)} s`, `${Math.round(kilobytes / 1024)} MB`];
  console.log(`| ${name} | ${columns.join(' | ')} |`);
};

/** Four predicates of ten lines, one of them with a number to edit in its seventh line. */
const unit = (k) => `%! rev${k}(+Xs:list, -Ys:list) is det.
rev${k}([], []).
rev${k}([X|Xs], Ys) :- rev${k}(Xs, Zs), app${k}(Zs, [X], Ys).
app${k}([], L, L).
app${k}([H|T], L, [H|R]) :- app${k}(T, L, R).
cnt${k}(0, 1).
cnt${k}(N, R) :- N > 0, M is N - 1, cnt${k}(M, S), R is S + 10.
use${k}(L, N) :- rev${k}(L, M), len${k}(M, N).
len${k}([], 0).
len${k}([_|T], N) :- len${k}(T, M), N is M + 1.
`;
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const since = (begin) => performance.now() - begin;
const quantile = (sorted, q) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))].toFixed(0);

const server = async (lines) => {
  const text = each(lines / 10, unit);
  const line = Math.floor(lines / 20) * 10 + 6;
  const column = text.split('\n')[line].lastIndexOf('10');
  const running = session(binary, ['lsp', '--no-cache']);
  let begin = performance.now();
  await running.open(text, line);
  const first = since(begin);
  await pause(Math.max(1_000, lines / 5));
  const rows = [];
  for (const gap of [30, 300]) {
    const times = [];
    for (let k = 0; k < 40; k += 1) {
      begin = performance.now();
      await running.edit(k + 2, line, [column, column + 2], String(10 + ((k + gap) % 80)));
      times.push(since(begin));
      await pause(gap);
    }
    times.sort((a, b) => a - b);
    rows.push(`${quantile(times, 0.5)}/${quantile(times, 0.95)} ms`);
  }
  await running.end();
  console.log(`| ${lines} lines | ${first.toFixed(0)} ms | ${rows.join(' | ')} |`);
};

/** The time until the first hints of 40 lines in the middle of a file are there, at most a minute. */
const firstHints = async (root, file, cache) => {
  const path = resolve(root, file);
  const text = readFileSync(path, 'utf8');
  const line = Math.floor(text.split('\n').length / 2);
  const running = session(binary, ['lsp', '--cache', cache], pathToFileURL(path).href, pathToFileURL(root).href);
  const begin = performance.now();
  let hints = await running.open(text, line, true);
  while (!hints?.length && since(begin) < 60_000) {
    await pause(20);
    hints = await running.hints(line);
  }
  const first = since(begin);
  await running.problems();
  await running.end();
  return hints?.length ? `${(first / 1000).toFixed(2)} s` : 'none';
};

const application = option('application');
if (application) {
  console.log('| first hints | cold | kept |\n|---|---|---|');
  for (const file of process.argv.slice(process.argv.indexOf('--application') + 2)) {
    const cache = join(folder, `cache-${file.replaceAll('/', '-')}`);
    const cold = await firstHints(resolve(application), file, cache);
    console.log(`| ${file} | ${cold} | ${await firstHints(resolve(application), file, cache)} |`);
  }
  rmSync(folder, { recursive: true });
  process.exit(0);
}

const edits = Number(option('edits') ?? 0);
if (edits > 0) {
  const text = each(200, unit);
  const lines = text.split('\n');
  const running = session(binary, ['lsp', '--no-cache']);
  await running.open(text, 1_006);
  console.log('| edits | memory |\n|---|---|');
  for (let k = 1; k <= edits; k += 1) {
    const line = 10 * (k % 200) + 6;
    const at = lines[line].lastIndexOf('10');
    await running.edit(k + 1, line, [at, at + 2], String(10 + (k % 90)));
    if (k % Math.ceil(edits / 10) === 0) {
      await running.problems();
      console.log(`| ${k} | ${running.memory().toFixed(0)} MB |`);
    }
  }
  await running.end();
  rmSync(folder, { recursive: true });
  process.exit(0);
}

const wide = (p, q) => `${p}(${each(200, () => '[]', ', ')}).
${p}(${each(200, (k) => `[_|T${k}]`, ', ')}) :- ${q}(${each(200, (k) => `T${(k + 1) % 200}`, ', ')}).
`;
const bounds = (path) => ['bounds', '--no-cache', path];
console.log('| command | time | processor time | memory |\n|---|---|---|---|');
command('a list of 1,000,000 elements', bounds(made('list.pl', `l([${each(1_000_000, String, ',')}]).\n`)));
command('100,000 facts', bounds(made('facts.pl', each(100_000, (k) => `f(${k}, a${k % 1_000}, "s${k}").\n`))));
const edge = (k) => `edge(node${k}, node${(k * 7_919) % 100_003}, ${k * 3}, [a${k % 10},b]).\n`;
command('facts of 10 MB', bounds(made('rows.pl', each(250_000, edge))));
command('two predicates of 200 arguments', bounds(made('wide.pl', wide('p', 'q') + wide('q', 'p'))));
const library = option('library');
if (library) {
  const cache = join(folder, 'cache');
  const steps = ['bounds', '--resource', 'steps', '--format', 'json', library];
  command('folder, `bounds --resource steps`', [...steps, '--no-cache']);
  command('folder, the same with a cache, first run', [...steps, '--cache', cache]);
  command('folder, second run', [...steps, '--cache', cache]);
  const report = ['report', '--fix-time', '0', '--format', 'json', '--output', join(folder, 'report.json')];
  command('folder, `report`', [...report, '--no-cache', library]);
  if (process.argv.includes('--times')) {
    command('folder, steps and time', [...steps, '--resource', 'time', '--no-cache']);
  }
}
console.log('\n| server | first hints | edits 30 ms apart, p50/p95 | edits 300 ms apart |\n|---|---|---|---|');
for (const lines of [200, 2_000, 20_000]) await server(lines);
rmSync(folder, { recursive: true });
