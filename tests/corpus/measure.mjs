// Analyses a folder of check-outs and prints what share of the predicates of public repositories is bounded, and how it reads.
//
//   node tests/corpus/measure.mjs [--costlens BINARY] [--save FOLDER] [--frozen FILE] [--only NAME] CHECKOUTS
//
// CHECKOUTS has a folder OWNER+NAME for each line of repositories.tsv; what is missing is said and left out. Each repository is
// analysed as one workspace. `--save` keeps the answers (OWNER+NAME.json), `--freeze` writes the list of predicates of complete code
// with their call patterns, and `--frozen` says what share of such a list is bounded now, under the same patterns and under others.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    costlens: { type: 'string', default: 'costlens' },
    save: { type: 'string' },
    freeze: { type: 'string' },
    frozen: { type: 'string' },
    only: { type: 'string' },
    saved: { type: 'string' },
  },
});
const checkouts = positionals[0];
if (!checkouts && !options.saved) {
  console.error('Name the folder that the repositories of tests/corpus/repositories.tsv are checked out in.');
  process.exit(2);
}

/** Names and commits of the corpus. */
function repositories() {
  const list = readFileSync(join(import.meta.dirname, 'repositories.tsv'), 'utf8');
  return list.split('\n').filter(line => line && !line.startsWith('#')).map(line => line.split('\t')[0])
    .filter(name => !options.only || name.includes(options.only));
}

/** The answer of `bounds` for one repository, with the seconds that it took. */
async function analysed(name) {
  const file = `${name.replace('/', '+')}.json`;
  if (options.saved) return JSON.parse(readFileSync(join(options.saved, file), 'utf8'));
  const folder = join(checkouts, name.replace('/', '+'));
  if (!existsSync(folder)) {
    console.error(`${name}: not checked out in ${checkouts}; left out`);
    return null;
  }
  const begun = Date.now();
  const answer = await new Promise((resolve, reject) => {
    const child = spawn(options.costlens, ['bounds', '--no-cache', '--exit-zero', '--quiet', '--format', 'json', '.'], { cwd: folder });
    const parts = [];
    child.stdout.on('data', part => parts.push(part));
    child.on('error', reject);
    // A file that cannot be read (a link to nothing) makes the code 2; the answer is about the others.
    child.on('close', code => {
      try {
        resolve(JSON.parse(Buffer.concat(parts)));
      } catch {
        resolve({ predicates: [], failed: code });
      }
    });
  });
  answer.seconds = (Date.now() - begun) / 1000;
  if (options.save) {
    mkdirSync(options.save, { recursive: true });
    writeFileSync(join(options.save, file), JSON.stringify(answer));
  }
  return answer;
}

// What makes a predicate's code incomplete: causes that no inference could remove.
const missing = /is not defined|is defined nowhere|could not be read|incomplete|foreign|not known which|C code/;

/** A predicate's row: the bounds of its first call pattern. */
function row(predicate) {
  const pattern = predicate.patterns[0];
  const steps = pattern?.bounds?.steps;
  if (!steps) return null;
  const reasons = pattern.unknown.filter(cause => cause.resource === 'steps' && cause.bound !== 'lower');
  return {
    key: [predicate.file, predicate.module, `${predicate.name}/${predicate.arity}`].join('\t'),
    origin: pattern.origin,
    types: pattern.types.join(', '),
    bounded: steps.upper !== null,
    relative: steps.upper !== null && steps.status === 'relative',
    class: steps.upper_class,
    display: steps.display,
    hint: predicate.hint,
    loose: /may be loose/.test(predicate.hint ?? ''),
    condition: steps.condition !== null,
    exception: steps.except !== null,
    reasons,
    complete: steps.upper !== null || !reasons.some(cause => missing.test(cause.reason)),
  };
}

const isExponential = row => row.bounded && /\^[(]?[a-z]|!|2ⁿ|\^n/.test(row.class);
const percent = (part, whole) => `${part} of ${whole} (${whole ? (100 * part / whole).toFixed(1) : 0}%)`;
const median = sorted => sorted[Math.floor(sorted.length / 2)] ?? 0;
// The names and numbers in a reason are of one program; without them reasons can be counted.
const template = reason => reason.replace(/`[^`]*`/g, '…').replace(/\b[\w.:]+\/\/?\d+/g, '…').replace(/\d+/g, '…').slice(0, 90);

function report(name, rows, seconds) {
  const complete = rows.filter(row => row.complete);
  const bounded = rows.filter(row => row.bounded);
  console.log(`\n${name}: ${rows.length} predicates, ${complete.length} of complete code${seconds ? `, ${seconds.toFixed(1)} s` : ''}`);
  console.log(`  bounded above                  ${percent(bounded.length, rows.length)}`);
  console.log(`  bounded above, complete code   ${percent(complete.filter(row => row.bounded).length, complete.length)}`);
  console.log(`    of these with parameters or assumptions ${percent(complete.filter(row => row.relative).length, complete.length)}`);
  console.log(`  exponential                    ${percent(bounded.filter(isExponential).length, bounded.length)}`);
  console.log(`  exponential, may be loose      ${percent(bounded.filter(row => isExponential(row) && row.loose).length, bounded.length)}`);
  console.log(`  with a condition               ${percent(bounded.filter(row => row.condition).length, bounded.length)}`);
  console.log(`  with an exception, no condition ${percent(bounded.filter(row => row.exception && !row.condition).length, bounded.length)}`);
}

/** The length of hints and headlines in characters. */
function lengths(rows) {
  const bounded = rows.filter(row => row.bounded);
  for (const [what, of] of [['display', row => row.display], ['hint', row => row.hint ?? '']]) {
    const sorted = bounded.map(row => [...of(row)].length).sort((a, b) => a - b);
    console.log(`  ${what}: median ${median(sorted)}, 95% ${sorted[Math.floor(sorted.length * 0.95)]}, maximum ${sorted.at(-1)} characters`);
    const longest = bounded.filter(row => [...of(row)].length > 30).slice(0, 10);
    for (const row of longest) console.log(`    ${of(row)}   ${row.key.replaceAll('\t', ' ')}`);
  }
}

function causes(rows) {
  const counts = new Map();
  for (const row of rows.filter(row => !row.bounded && row.complete)) {
    const first = template(row.reasons[0]?.reason ?? 'no reason');
    counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  for (const [reason, count] of [...counts].sort((a, b) => b[1] - a[1]).slice(0, 20)) console.log(`  ${String(count).padStart(5)}  ${reason}`);
}

const all = [];
for (const name of repositories()) {
  const answer = await analysed(name);
  if (!answer) continue;
  if (answer.failed) console.error(`${name}: costlens ended with ${answer.failed}`);
  const rows = answer.predicates.map(row).filter(Boolean).map(row => ({ ...row, repository: name }));
  report(name, rows, answer.seconds);
  all.push(...rows);
}
report('all', all);
lengths(all);
console.log('\nwhat keeps predicates of complete code from an upper bound');
causes(all);
if (options.freeze) {
  const lines = all.filter(row => row.complete).map(row => [row.repository, row.key, row.types].join('\t'));
  writeFileSync(options.freeze, `${lines.sort().join('\n')}\n`);
}
if (options.frozen) {
  // A predicate of this name may stand in a file more than once, in branches of conditional compilation.
  const now = new Map(all.map(row => [`${row.repository}\t${row.key}`, row]));
  let [total, same, other, gone] = [0, 0, 0, 0];
  for (const line of readFileSync(options.frozen, 'utf8').split('\n').filter(Boolean)) {
    const at = line.lastIndexOf('\t');
    const row = now.get(line.slice(0, at));
    total += 1;
    if (!row) gone += 1;
    else if (row.bounded) row.types === line.slice(at + 1) ? same += 1 : other += 1;
  }
  console.log(`\nof the frozen list: bounded under the same pattern ${percent(same, total)}, under another ${percent(other, total)}, not found ${gone}`);
}
