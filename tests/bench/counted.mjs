// Counts the instructions of short commands and sessions, and fails where one takes 5% more than the last line about it in history.tsv says.
//
//   node tests/bench/counted.mjs --binary PATH                     compares
//   node tests/bench/counted.mjs --binary PATH --accept 'REASON'   adds lines for the measures that differ by more than 1%
//   node tests/bench/counted.mjs --binary PATH --only NAME         counts one measure
//
// valgrind's cachegrind counts; on one processor, equal commands differ by less than 0.1%, sessions by 0.3%. Counts are of the profile `ci`, and
// compared with those of the same compiler: another one gives other code. So does an incremental build, which inlines less or more (7% for
// `machine, reverse`): CARGO_INCREMENTAL=0 cargo build --profile ci --locked
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { session } from './session.mjs';
import { binary, each, folder, made, option } from './setup.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const repository = resolve(here, '../..');
const history = join(here, 'history.tsv');
/** The growth from which a measure fails, and from which a change is worth a line. */
const MOST = 0.05;
const NOTABLE = 0.01;

/** The predicates of a long file, with a number in their names. */
const unit = (k) => `
%! rev${k}(+Xs:list, -Ys:list) is det.
rev${k}([], []).
rev${k}([X|Xs], Ys) :- rev${k}(Xs, Zs), app${k}(Zs, [X], Ys).
app${k}([], L, L).
app${k}([H|T], L, [H|R]) :- app${k}(T, L, R).
sum${k}([], 0).
sum${k}([X|Xs], S) :- sum${k}(Xs, R), S is R + X.
size${k}(l, 0).
size${k}(t(L, _, R), N) :- size${k}(L, A), size${k}(R, B), N is A + B + 1.
use${k}(Xs, T, N) :- rev${k}(Xs, Ys), sum${k}(Ys, A), size${k}(T, B), N is A + B.
`;
/** A copy of a fixture in a folder of its own: beside it, all files of the repository would be searched for those that belong to it. */
const fixture = (name) => made(`${name}.pl`, readFileSync(join(repository, 'tests/fixtures', `${name}.pl`)));
const bounds = (...paths) => ['bounds', '--no-cache', '--no-library', ...paths];
const cache = join(folder, 'cache');
const kept = ['bounds', '--no-library', '--cache', cache];

const list = (many, of) => each(many, of, ', ');
/** Two predicates of many lists that call each other with these in another order. */
const wide = (p, q) => `
${p}(${list(60, () => '[]')}).
${p}(${list(60, (k) => `[_|T${k}]`)}) :- ${q}(${list(60, (k) => `T${(k + 1) % 60}`)}).
`;
const program = (name) => join(here, 'machine', `${name}.pl`);
const ran = (name, goal) => ['run', '--goal', goal, program(name)];
const text = each(40, unit);
/** The line of the text whose last number is edited. */
const middle = text.split('\n').findIndex((line) => line.startsWith('sum20([], 0)'));
const column = 'sum20([], '.length;

/** Opens the long file, and edits it so many times. No edit interrupts the work for the one before, so that the counts are steady. */
const edited = (many) => async (server) => {
  await server.open(text, middle);
  await server.problems();
  for (let k = 0; k < many; k += 1) {
    await server.edit(k + 2, middle, [column, column + 1], String(k % 10));
    await server.problems();
  }
  await server.end();
};

/** The measures: arguments of the program, and commands that run before and are not counted; or the messages of a session. */
const measures = {
  start: { run: ['--version'] },
  reverse: { run: bounds(fixture('naive_reverse')) },
  'quick sort': { run: bounds(fixture('quick_sort')) },
  'greatest divisor': { run: bounds(fixture('euclid')) },
  amortised: { run: bounds(fixture('amortised')) },
  'walked terms': { run: bounds(fixture('walked_terms')) },
  'mutual recursion': { run: bounds(fixture('even_after_odd')) },
  check: { run: ['check', '--no-cache', '--no-library', fixture('naive_reverse')] },
  explain: { run: ['explain', '--no-cache', '--no-library', fixture('quick_sort'), 'qsort/2'] },
  'long file': { run: bounds(made('long.pl', text)) },
  'long file, kept': { before: [...kept, join(folder, 'long.pl')], run: [...kept, join(folder, 'long.pl')] },
  facts: { run: bounds(made('facts.pl', `${each(4_000, (k) => `row(${k}, ${k % 7}).\n`)}look(K) :- row(K, V), V > 3.\n`)) },
  nested: { run: bounds(made('nested.pl', `p(${'('.repeat(20_000)}x${')'.repeat(20_000)}).\n`)) },
  'long list': { run: bounds(made('list.pl', `l([${list(50_000, String)}]).\n`)) },
  'many arguments': { run: bounds(made('wide.pl', wide('p', 'q') + wide('q', 'p'))) },
  report: { run: ['report', '--no-cache', '--no-library', '--fix-time', '0', '--output', join(folder, 'report.html'), join(folder, 'long.pl')] },
  'machine, reverse': { run: ran('nrev', 'bench(1000)') },
  'machine, backtracking': { run: ran('queens', 'bench(1)') },
  'server, opened': { session: edited(0) },
  'server, 10 edits': { session: edited(10) },
};

const counted = async ({ before, run, session: messages }) => {
  if (before) execFileSync(binary, before, { stdio: 'ignore' });
  const log = join(folder, 'valgrind.log');
  const valgrind = ['valgrind', '--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null', `--log-file=${log}`];
  // On one processor there is one thread, so the order of the work is always the same.
  const command = ['taskset', '-c', '0', ...valgrind, binary];
  let status = 0;
  if (messages) {
    const [first, ...rest] = [...command, 'lsp', '--no-cache'];
    await messages(session(first, rest));
  } else {
    const [first, ...rest] = [...command, ...run];
    ({ status } = spawnSync(first, rest, { encoding: 'utf8', maxBuffer: 1 << 28 }));
  }
  const line = /I\s+refs:\s+([\d,]+)/.exec(readFileSync(log, 'utf8'));
  if (!line || status > 1) {
    throw new Error(`${run?.join(' ') ?? 'lsp'}: ${readFileSync(log, 'utf8')}`);
  }
  return Number(line[1].replaceAll(',', ''));
};

const increments = join(dirname(resolve(binary)), 'incremental');
const isIncremental = existsSync(increments) && readdirSync(increments).length > 0;
if (isIncremental) {
  console.log('The program may be built incrementally: its counts can differ by 7% from those that are compared here.');
  if (option('accept')) {
    console.error('Counts of incremental builds are not accepted. Build in another target folder, with CARGO_INCREMENTAL=0.');
    process.exit(2);
  }
}
const compiler = execFileSync('rustc', ['--version'], { encoding: 'utf8' }).split(' ')[1];
const known = new Map();
for (const line of readFileSync(history, 'utf8').split('\n').slice(1)) {
  const [, of, measure, instructions] = line.split('\t');
  if (of === compiler) known.set(measure, Number(instructions));
}
if (known.size === 0) console.log(`history.tsv has no counts of rustc ${compiler}; nothing is compared`);

let failed = 0;
const only = option('only');
const reason = option('accept');
const accepted = [];
for (const [name, measure] of Object.entries(measures)) {
  if (only && only !== name) continue;
  const now = await counted(measure);
  const before = known.get(name);
  const growth = before === undefined ? undefined : now / before - 1;
  const percent = growth === undefined ? 'new' : `${growth < 0 ? '' : '+'}${(100 * growth).toFixed(1)}%`;
  const grows = growth === undefined ? known.size > 0 : growth > MOST;
  if (grows && !reason) failed += 1;
  if (growth === undefined || Math.abs(growth) > NOTABLE) accepted.push([name, now]);
  const millions = (now / 1e6).toFixed(1).padStart(10);
  console.log(`${grows && !reason ? 'FAIL ' : 'ok   '} ${name.padEnd(18)} ${millions} million instructions  ${percent}`);
}
rmSync(folder, { recursive: true });
if (reason) {
  const date = new Date().toISOString().slice(0, 10);
  for (const [name, now] of accepted) appendFileSync(history, `${date}\t${compiler}\t${name}\t${now}\t${reason}\n`);
  console.log(`${accepted.length} lines added to tests/bench/history.tsv`);
} else if (failed > 0) {
  console.error("A measure grew by more than 5%. Make it faster, or say why: node tests/bench/counted.mjs --binary PATH --accept 'REASON'");
}
process.exit(failed > 0 ? 1 : 0);
