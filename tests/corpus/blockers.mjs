// Ranks the predicates that are not written in Prolog, and of which nothing is stated, by the predicates that have no bound because of them.
//
//   node tests/corpus/blockers.mjs [--only NAME] [--top N] [--system FOLDER] ANSWERS…
//
// ANSWERS are files of `costlens bounds --format json`, or folders of them (measure.mjs --save). `--system` is the folder of SWI-Prolog's
// libraries, whose index says which undefined names SWI-Prolog has.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    top: { type: 'string', default: '60' },
    system: { type: 'string', default: '/usr/lib/swi-prolog/library' },
  },
});
if (!positionals.length) {
  console.error('Name a file or a folder of saved answers.');
  process.exit(2);
}

/** The files of answers. */
function answers(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).filter(name => name.endsWith('.json') && name.includes(options.only ?? '')).map(name => join(path, name));
}

/** The predicates of a file; none if the analysis did not end. */
function predicates(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).predicates;
  } catch (error) {
    console.error(`${file}: ${error.message}`);
    return [];
  }
}

/** The names that SWI-Prolog autoloads: `uri_encoded/3`. */
function autoloaded() {
  const index = join(options.system, 'INDEX.pl');
  if (!existsSync(index)) return new Set();
  const lines = readFileSync(index, 'utf8').matchAll(/^index\(\((.*)\), (\d+), /gm);
  return new Set([...lines].map(([, name, arity]) => `${name.replace(/^'(.*)'$/, '$1')}/${arity}`));
}

// The forms of a reason that names a predicate without clauses, each in the wording of this and of earlier versions.
const forms = [
  [/`([^`]+\/\d+)` of `library\(([^`]*)\)` is not written in Prolog/, 'not in Prolog'],
  [/the library predicate `[^`]+` needs `([^`]+\/\d+)`/, 'needed by a library'],
  [/`([^`]+\/\d+)` is built into SWI-Prolog, and nothing is stated/, 'built in'],
  [/`([^`]+\/\d+)` is not defined in this file, nor in a library that Costlens knows/, 'undefined'],
];
const known = autoloaded();

/** The predicate that a reason ends at, if it is one that SWI-Prolog has: `uri_encoded/3`. */
function blocker(reason) {
  for (const [form, kind] of forms) {
    const match = form.exec(reason);
    if (match && (kind !== 'undefined' || known.has(match[1]))) return { name: match[1], kind, library: match[2] };
  }
  return null;
}

const ranked = new Map();
let unbounded = 0;
for (const file of positionals.flatMap(answers)) {
  for (const predicate of predicates(file)) {
    const pattern = predicate.patterns[0];
    if (!pattern?.bounds?.steps || pattern.bounds.steps.upper !== null) continue;
    unbounded += 1;
    const causes = pattern.unknown.filter(cause => cause.resource === 'steps' && cause.bound !== 'lower');
    const blockers = causes.map(cause => ({ ...blocker(cause.reason), cause: cause.cause })).filter(found => found.name);
    for (const name of new Set(blockers.map(found => found.name))) {
      const its = blockers.filter(found => found.name === name);
      const row = ranked.get(name) ?? { direct: 0, all: 0, only: 0, kinds: new Set() };
      // A caller has its callees' causes, each with the predicate whose clause is the place.
      row.direct += its.some(found => found.cause === `${predicate.name}/${predicate.arity}`) ? 1 : 0;
      row.all += 1;
      row.only += its.length === causes.length ? 1 : 0;
      for (const { kind, library } of its) row.kinds.add(library ? `library(${library})` : kind);
      ranked.set(name, row);
    }
  }
}

const rows = [...ranked].sort(([a, x], [b, y]) => y.all - x.all || y.direct - x.direct || a.localeCompare(b));
const total = key => rows.reduce((sum, [, row]) => sum + row[key], 0);
console.log(`${unbounded} predicates without an upper bound; ${rows.length} blocking predicates, the only cause of ${total('only')}`);
console.log(' only  direct  all   predicate');
for (const [name, row] of rows.slice(0, Number(options.top))) {
  const counts = [row.only, row.direct, row.all].map(n => String(n).padStart(5)).join('  ');
  console.log(`${counts}  ${name}  (${[...row.kinds].join(', ')})`);
}
