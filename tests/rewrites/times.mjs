// Times of the examples of docs/rewrites.md, before and after, on SWI-Prolog and GNU Prolog.
//
//     node tests/rewrites/times.mjs [--rounds N]
//
// Each version is a program of its own, which runs its goal as often as takes the version before 50 ms, and tells the processor time that this took. Both take turns,
// and the least time of all rounds counts. GNU Prolog compiles to native code (`gplc`).

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');
const flag = process.argv.indexOf('--rounds');
const ROUNDS = flag > 0 ? Number(process.argv[flag + 1]) : 9;
/** Slower by more than this is slower. */
const TOLERANCE = 1.05;

/** For each rewrite its sizes, goals that make the input, and the goal of its example. All solutions of the goal are looked for. */
const RUNS = {
  'reverse-with-accumulator': ['n = 300', 'up(1, 300, Xs)', 'nrev(Xs, _)', 'Xs'],
  'difference-list': ['n = 601', 'tree(300, T)', 'labels(T, _)', 'T'],
  'list-grown-at-its-end': ['n = 300', 'up(1, 300, Xs)', 'squares(Xs, [], _)', 'Xs'],
  'match-instead-of-length': ['n = 1,000', 'up(1, 1000, Xs)', 'busy(Xs)', 'Xs'],
  'last-element': ['n = 1,000', 'up(1, 1000, Xs)', 'newest(Xs, _)', 'Xs'],
  'member-once': ['n = 1,000', 'up(1, 1000, Xs)', 'kind(x, Xs, _)', 'Xs'],
  'append-from-the-right': ['n = m = 1,000', 'up(1, 1000, Xs)', 'page(Xs, Xs, Xs, _)', 'Xs'],
  'any-solution': ['n = 1,000', 'up(1, 1000, Xs)', 'used(Xs)', 'Xs'],
  'needless-copy': ['n = 1,000', 'up(1, 1000, Xs)', 'snapshot(Xs, _)', 'Xs'],
  'sort-once': ['n = 1,000', 'down(1000, Xs)', 'ordered(Xs, _)', 'Xs'],
  'two-values-carried': ['n = 20', 'true', 'fib(20, _)', 'x'],
  power: ['n = 1,000', 'true', 'pow(1, 1000, _)', 'x'],
  'compute-once': ['n = 12', 'down(12, Xs)', 'largest(Xs, _)', 'Xs'],
  'join-all-at-once': ['n = m = 30', 'up(1, 30, Xs), copies(30, Xs, Ls)', 'text(Ls, _)', 'Ls'],
  'written-cells': ['any size', 'up(1, 100, Xs)', 'put(1, Xs, _)', 'Xs'],
  'reversed-twice': ['n = 1,000', 'up(1, 1000, Xs)', 'same(Xs, _)', 'Xs'],
  'elements-with-index': ['n = 300', 'up(1, 300, Xs)', 'at(Xs, 300, _)', 'Xs'],
  'numbers-without-list': ['n = 1,000', 'true', 'multiple(1000, _)', 'x'],
  'member-of-both': ['n = m = 1,000', 'up(1, 1000, Xs)', 'known(x, Xs, Xs)', 'Xs'],
  'unused-rest': ['n = 1,000', 'up(1, 1000, Xs)', 'large(Xs, _)', 'Xs'],
  'walk-instead-of-index': ['n = 300', 'up(1, 300, Xs)', 'total(Xs, _)', 'Xs'],
  'sort-instead-of-permutation': ['n = 6', 'down(6, Xs)', 'sorted(Xs, _)', 'Xs'],
  'aggregate-without-list': ['n = 1,000', 'up(1, 1000, Xs)', 'income(Xs, _)', 'Xs'],
  'decide-once': ['n = 1,000', 'up(1, 1000, Xs)', 'small(Xs, 500, _)', 'Xs'],
  accumulate: ['n = 1,000', 'up(1, 1000, Xs)', 'sum(Xs, _)', 'Xs'],
  'computed-instead-of-searched': ['k = 1,000', 'true', 'third(400, 500, 1000, _)', 'x'],
  'computed-before-the-loop': ['n = m = 100', 'up(1, 100, Xs)', 'shifted(Xs, Xs, _)', 'Xs'],
  'same-goal-twice': ['n = 1,000', 'up(1, 1000, Xs)', 'share(Xs, _)', 'Xs'],
  'equal-predicate': ['n = 1,000', 'up(1, 1000, Xs)', 'size(Xs, _)', 'Xs'],
};

const DRIVER = `
up(I, N, []) :- I > N, !.
up(I, N, [I|Xs]) :- J is I+1, up(J, N, Xs).
down(0, []) :- !.
down(N, [N|Xs]) :- M is N-1, down(M, Xs).
copies(0, _, []) :- !.
copies(N, X, [X|Xs]) :- M is N-1, copies(M, X, Xs).
tree(0, leaf) :- !.
tree(N, node(L, N, leaf)) :- M is N-1, tree(M, L).
times(N) :- N > 0.
times(N) :- N > 1, M is N-1, times(M).
measured(Times, Input) :- cpu(T0), ( times(Times), all(Input), fail ; true ), cpu(T1), T is T1-T0, write(T), nl.
all(Input) :- goal(Input), fail.
all(_).
`;

const ENGINES = [
  {
    name: 'SWI-Prolog',
    driver: `${DRIVER}cpu(T) :- statistics(cputime, S), T is S*1000.\n`,
    prepare(folder, name) {
      const file = path.join(folder, `${name}.pl`);
      return (times) => ['swipl', ['-q', '-g', `main(${times}), halt`, file]];
    },
  },
  {
    name: 'GNU Prolog',
    driver: `${DRIVER}cpu(T) :- statistics(user_time, [T, _]).\n:- initialization(start).\nstart :- argument_value(1, A), number_atom(N, A), main(N), halt.\n`,
    prepare(folder, name) {
      const binary = path.join(folder, name);
      execFileSync('gplc', ['--no-top-level', '-o', binary, `${binary}.pl`], { stdio: 'pipe' });
      return (times) => [binary, [String(times)]];
    },
  },
];

/** The programs of a section of the document. */
function examples() {
  const text = readFileSync(path.join(root, 'docs/rewrites.md'), 'utf8');
  return text
    .split('\n## ')
    .slice(1)
    .map((section) => [section.split('\n')[0], [...section.matchAll(/```prolog\n(.*?)```/gs)].map((m) => m[1])])
    .filter(([, programs]) => programs.length === 2);
}

function timeOf([program, args]) {
  // A system without a predicate of the example says so.
  const out = execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 });
  const time = Number(out.trim().split('\n').pop());
  if (Number.isNaN(time)) throw new Error(out);
  return time;
}

function measure(engine, [id, programs], folder) {
  const [, setup, goal, input] = RUNS[id];
  const run = ['before', 'after'].map((version, i) => {
    // Directives declare types for Costlens alone.
    const clauses = programs[i].replace(/^:- .*$/gm, '');
    const end = `goal(${input}) :- ${goal}.\nmain(Times) :- ${setup}, measured(Times, ${input}).\n`;
    writeFileSync(path.join(folder, `${version}.pl`), clauses + end + engine.driver);
    return engine.prepare(folder, version);
  });
  let times = 1;
  while (timeOf(run[0](times)) < 50 && times < 1e7) times *= 2;
  const least = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const i of [0, 1]) least[i] = Math.min(least[i], timeOf(run[i](times)));
  }
  return least.map((ms) => (ms / times) * 1000);
}

const folder = mkdtempSync(path.join(tmpdir(), 'rewrites-'));
for (const engine of ENGINES) {
  let [faster, slower, missing] = [0, 0, 0];
  console.log(`\n| ${engine.name} | size | µs before | µs after | times as fast |\n|---|---|---|---|---|`);
  for (const example of examples()) {
    const [id] = example;
    let told;
    try {
      const [before, after] = measure(engine, example, folder);
      const factor = before / after;
      faster += factor > 1 ? 1 : 0;
      slower += after > before * TOLERANCE ? 1 : 0;
      told = `${before.toPrecision(3)} | ${after.toPrecision(3)} | ${factor.toPrecision(3)}`;
    } catch {
      missing += 1;
      told = 'it lacks a predicate of the example | | ';
    }
    console.log(`| ${id} | ${RUNS[id][0]} | ${told} |`);
  }
  console.log(`\n${faster} faster, ${slower} slower by more than 5%, ${missing} not run`);
}
rmSync(folder, { recursive: true });
