// Built-ins are known by name in the catalogue and in the rooms that lower goals or run them. Every other room asks the catalogue: a mark of the
// record says what a built-in means, builds, makes or measures.
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';
import { repository } from './workspace.mjs';

const server = path.join(repository, 'server');

/** Rooms that know built-ins by name, or whose words are no goals of programs. */
const KNOW = {
  body: 'lowers goals', catalog: 'has the records', machine: 'runs them: its tables', syntax: 'tables of the reader, and the words of assertions',
  events: 'tables of the instructions of engines', compile: 'tables of the instructions of engines', engines: 'asks engines in Prolog',
  verify: 'words of certificates', algebra: 'words of expressions', recurrences: 'words of equations', platform: 'words of platforms',
  grammar: 'generated', calibrate: 'programs that it times', costlens: 'words of commands and of JSON',
};

/** Names that are words of something else, too: of types, assertions, resources, libraries, arithmetic and messages. */
const WORDS = new Set(`
  atom atomic callable compound float ground integer number nonvar rational string var
  det fail false true time name prolog rule table module random apply option debug dif gensym statistics limit remainder arg ignore reset
`.split(/\s+/).filter(Boolean));

/** Directives, which the rooms that read programs know by name. */
const DIRECTIVES = new Set(`
  autoload consult create_prolog_flag discontiguous dynamic encoding ensure_loaded expects_dialect export import include initialization license load_files meta_predicate
  module_transparent multifile non_terminal noprofile op public reexport set_prolog_flag style_check thread_local tnot use_module volatile
`.split(/\s+/).filter(Boolean));

/** How many literals name built-ins elsewhere, by file or folder, and why. A ceiling only falls. */
const CEILINGS = {
  'history/src/': [3, 'what a prediction may run'],
  'ide/src/attained/search.rs': [1, 'a word: the measure `length`'],
  'ide/src/diagnostics/undefined.rs': [4, 'ask for definitions'],
  'ide/src/fixes/': [46, 'shapes of code that rewrites replace, and what they write'],
  'infer/src/clause/dicts.rs': [2, 'functions of dicts'],
  'infer/src/clause/sized/typed.rs': [1, 'a type of library(error): `between(L, H)`'],
  'infer/src/clause/work.rs': [1, 'the name of work: sorting inside `setof/3`'],
  'infer/src/clause/wrapped.rs': [1, 'looks up the hooks of `assertion/1`'],
  'infer/src/lattice/types.rs': [1, 'a word: the measure `length`'],
  'infer/src/readers/causes.rs': [1, 'a word: the measure `length`'],
  'infer/src/readers/causes/recursion.rs': [1, 'a word of a message: `is`'],
  'profile/src/judging.rs': [1, 'an option of tests: `forall(Generator)`'],
  'profile/src/profile.rs': [2, 'names of ports: `call`, `open`'],
  'program/src/calls/clause_calls.rs': [1, 'calls from data'],
  'program/src/directives/acts.rs': [3, 'directives about modules'],
  'program/src/graph/spoilt.rs': [1, 'calls from data'],
  'program/src/graph/spoilt/clause_effects.rs': [1, 'calls from data'],
  'program/src/language/declarations.rs': [2, 'directives that declare inside other goals'],
  'program/src/language/directive_goals.rs': [3, 'goals of directives with further arguments'],
  'program/src/language/grammar_rule.rs': [1, 'builds a goal'],
  'program/src/rewriting/expansion/clpfd.rs': [3, 'goals that the library generates'],
  'program/src/rewriting/expansion/names_made.rs': [2, 'makes names from texts; expands terms'],
  'program/src/rewriting/specialise.rs': [1, 'calls of closures'],
  'program/src/rewriting/specialise/rewrite/lambda.rs': [1, 'builds a goal'],
  'program/src/workspace/folder_names.rs': [11, 'evaluates the goals of directives that compute file names'],
  'program/src/workspace/shipped.rs': [2, 'a library: `library(sort)`'],
};

/** The names of the catalogue that are words of letters. */
function names() {
  const found = new Set();
  let isHook = false;
  for (const line of fs.readFileSync(path.join(server, 'catalog/data/predicates.txt'), 'utf8').split('\n')) {
    const section = /^\[(\w+)\]$/.exec(line);
    if (section) isHook = section[1] === 'user';
    const name = /^(\$?[a-z]\w*)\/\d+ /.exec(line)?.[1];
    if (name && !isHook && !WORDS.has(name) && !DIRECTIVES.has(name)) found.add(name);
  }
  return found;
}

/** The lines of a file that have a string literal with such a name, tests and comments apart: one entry for each literal. */
function literals(file, known) {
  const found = [];
  const text = fs.readFileSync(path.join(server, file), 'utf8').split(/#\[cfg\(test\)\]\nmod /)[0];
  text.split('\n').forEach((line, i) => {
    if (line.trimStart().startsWith('//')) return;
    for (const [, word] of line.matchAll(/"((?:[^"\\]|\\.)*)"/g)) {
      if (known.has(word)) found.push(`server/${file}:${i + 1}: ${word}`);
    }
  });
  return found;
}

function files() {
  return fs.readdirSync(server).filter((room) => !(room in KNOW)).flatMap((room) => {
    const src = path.join(server, room, 'src');
    if (!fs.existsSync(src)) return [];
    const all = fs.readdirSync(src, { recursive: true }).filter((f) => f.endsWith('.rs') && !/(^|\/)tests(\.rs|\/)/.test(f));
    return all.map((f) => `${room}/src/${f}`).sort();
  });
}

test('built-ins are known by name in no more places than before', () => {
  const known = names();
  assert.ok(known.size > 600, `${known.size} names`);
  const found = new Map(Object.keys(CEILINGS).map((place) => [place, []]));
  for (const file of files()) {
    const place = Object.keys(CEILINGS).find((p) => p === file || p.endsWith('/') && file.startsWith(p)) ?? file;
    found.set(place, [...found.get(place) ?? [], ...literals(file, known)]);
  }
  const problems = [];
  for (const [place, lines] of found) {
    const [ceiling] = CEILINGS[place] ?? [0];
    if (lines.length > ceiling) {
      problems.push(`${lines.length} literals, at most ${ceiling}: ask the catalogue instead (CONTRIBUTING.md)\n${lines.join('\n')}`);
    } else if (lines.length < ceiling) {
      problems.push(`only ${lines.length} are left in ${place}: lower its ceiling in tests/house/builtins.test.mjs`);
    }
  }
  assert.deepEqual(problems, [], problems.join('\n\n'));
});
