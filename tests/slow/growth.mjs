// Compares the class of work in the headline of each predicate with the growth of its inferences in SWI-Prolog.
//
// Usage: node tests/slow/growth.mjs --binary PATH [--rows] [--json FILE] FILE.pl…
//
// For each predicate of the files, this script does three things.
// 1. It reads the first call pattern and the class of the headline from `costlens bounds`.
// 2. It writes goals of the call pattern at five sizes. All size variables have the same size N.
//    There are several families of inputs: numbers in several orders, pairs, codes, characters, lists, and words of the predicate's clauses.
//    Of several integers, the last one has the size N in some goals, and the others are 1. The largest count at each size is kept.
//    SWI-Prolog counts the inferences of all solutions. Each goal may take five seconds.
// 3. It fits an exponent to the counts, and one to the class at the same sizes.
//    The fit is that of the differences between the last three sizes, so that a constant part does not matter.
//    For exponential classes, it is the base.
//
// A class agrees if the two exponents differ by at most a quarter, and two bases by at most 0.15.
// The other predicates are listed by cause:
//   built-ins   the bound on inferences grows as the count does: the rest of the work is done inside built-ins
//   inputs      the lower bound on inferences grows as the count does: the generated inputs are not the most expensive
//   faster      the count grows more slowly than the class, and no bound on inferences says why
//   slower      the count grows faster than the class, which is an error in Costlens or in the fit
//
// Predicates are left out if the pattern has a type that the script cannot make, if the class is unknown, or if too few goals end.
// Name only files whose predicates may be run.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const folder = dirname(fileURLToPath(import.meta.url));
const counter = join(folder, "../oracle/inferences.pl");
const args = process.argv.slice(2);
let binary = null, showRows = false, save = null;
const files = [];
while (args.length > 0) {
  const arg = args.shift();
  if (arg === "--binary") binary = args.shift();
  else if (arg === "--rows") showRows = true;
  else if (arg === "--json") save = args.shift();
  else files.push(resolve(arg));
}
if (!binary || files.length === 0) {
  console.error("usage: node tests/slow/growth.mjs --binary PATH [--rows] [--json FILE] FILE.pl…");
  process.exit(2);
}

// Families of elements: numbers, and what library predicates take lists of.
const NUMBERS = ["ascending", "descending", "random", "equal", "interleaved"];
const OTHERS = ["pairs", "equal pairs", "groups", "digits", "blanks", "letters", "chars", "lists", "terms"];
// The number of words of the program of which lists are made.
const MOST_WORDS = 6;
const POLYNOMIAL = [16, 32, 64, 128, 256];
const STEEP = [8, 12, 16, 24, 32];
const EXPONENTIAL = [6, 8, 10, 12, 14];
const FACTORIAL = [3, 4, 5, 6, 7];

// A class as a function of N, with all variables equal to N: {fact, base, degree, logs}. Null for an unknown class.
function readClass(text) {
  if (!text || /unknown|diverges|inf/.test(text)) return null;
  const of = { fact: 0, base: 1, degree: 0, logs: 0 };
  let rest = text.replace(/\s+/g, "");
  const sum = rest.replace(/\([^)]*\)/g, "");
  if (sum.includes("-")) return null;
  if (sum.includes("+")) {
    const parts = rest.split("+").map(readClass);
    if (parts.length < 2 || parts.some((p) => !p)) return null;
    const key = (c) => [c.fact, c.base, c.degree, c.logs];
    return parts.reduce((a, b) => {
      const [ka, kb] = [key(a), key(b)];
      for (let i = 0; i < 4; i++) if (ka[i] !== kb[i]) return ka[i] > kb[i] ? a : b;
      return a;
    });
  }
  for (const factor of rest.split("*")) {
    let m;
    if (/^\d+(\.\d+)?$/.test(factor)) continue;
    if ((m = factor.match(/^(\d+(?:\.\d+)?)\^\(?([0-9a-z*.]+)\)?$/))) {
      const times = Number(m[2].match(/^\d+(\.\d+)?/)?.[0] ?? 1);
      of.base *= Number(m[1]) ** times;
    } else if (/^log\d*\(.*\)$/.test(factor) || /^log$/.test(factor)) of.logs += 1;
    else if ((m = factor.match(/^log\d*\(.*\)\^(\d+)$/))) of.logs += Number(m[1]);
    else if (/^[a-z]\w*!$/.test(factor) || /^fact\(.*\)$/.test(factor)) of.fact += 1;
    else if ((m = factor.match(/^[a-z]\w*\^(\d+(?:\.\d+)?)$/))) of.degree += Number(m[1]);
    else if ((m = factor.match(/^sqrt\(/))) of.degree += 0.5;
    else if (/^[a-z]\w*$/.test(factor)) of.degree += 1;
    else return null;
  }
  return of;
}

function valueOf(c, n) {
  let value = n ** c.degree * Math.log2(n) ** c.logs * c.base ** n;
  for (let i = 0; i < c.fact; i++) for (let k = 2; k <= n; k++) value *= k;
  return value;
}

// The exponent of N, or the base, from the differences between the last three sizes.
function fit(sizes, values, isSteep) {
  const [x, y, z] = sizes.slice(-3), [a, b, c] = values.slice(-3);
  const [first, second] = [b - a, c - b];
  if (second <= 0 || first <= 0) return Math.max(...values) === Math.min(...values) || second <= 0 ? 0 : Infinity;
  if (isSteep) return Math.exp(Math.log(second / first) / (z - y));
  // The exponent e with (z^e - y^e) / (y^e - x^e) = second / first.
  const ratio = second / first;
  const of = (e) => Math.abs(e) < 1e-9
    ? Math.log(z / y) / Math.log(y / x)
    : (z ** e - y ** e) / (y ** e - x ** e);
  let [low, high] = [-2, 12];
  for (let i = 0; i < 60; i++) {
    const e = (low + high) / 2;
    if (of(e) < ratio) low = e; else high = e;
  }
  return Math.max(0, (low + high) / 2);
}

// A pseudo-random number that depends only on its arguments.
function chance(seed) {
  let x = (seed * 2654435761 + 12345) >>> 0;
  x ^= x << 13; x >>>= 0; x ^= x >>> 17; x ^= x << 5;
  return (x >>> 0);
}

function number(family, i, n) {
  switch (family) {
    case "ascending": return i + 1;
    case "descending": return n - i;
    case "equal": return 1;
    case "digits": return 48 + i % 10;
    case "blanks": return 32;
    case "letters": return 97 + i % 26;
    case "interleaved": return i;
    default: return 1 + chance(i * 31 + n) % (4 * n);
  }
}

// The text of the argument with index `place` of a type with size n; null if the script cannot make it.
function term(type, n, family, place) {
  type = type.trim();
  let m;
  if ((m = type.match(/^list\((.*)\)$/))) {
    const parts = [];
    for (let i = 0; i < n; i++) {
      const inner = m[1].trim();
      const at = family === "interleaved" ? 2 * i + place : i;
      const element = /^list\(/.test(inner) ? term(inner, n, family, place) : flat(inner, n, family, at);
      if (element === null) return null;
      parts.push(element);
    }
    return `[${parts.join(",")}]`;
  }
  if (/^(nat|int|num|number|integer)$/.test(type)) return String(n);
  if (/^(atm|atom)$/.test(type)) return `'${"a".repeat(n)}'`;
  if (type === "string") return `"${"a".repeat(n)}"`;
  if (/^(ground|any|nonvar|term)$/.test(type)) return term("list(any)", Math.max(1, Math.floor(n / 2)), family, place);
  if (type === "list") return term("list(any)", n, family, place);
  if (type === "var") return "_";
  return null;
}

// The most frequent words in the lines of the program that begin with the name of a predicate, and those that stand alone in lists.
function wordsOf(text, name) {
  const counts = new Map();
  const own = text.split("\n").filter((line) => new RegExp(`^${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![A-Za-z0-9_])`).test(line));
  for (const [, word] of own.join("\n").matchAll(/(?<![A-Za-z0-9_'])([a-z][A-Za-z0-9_]*|\d+)(?![A-Za-z0-9_(])/g)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const words = [...counts].sort((a, b) => b[1] - a[1]).slice(0, MOST_WORDS).map(([word]) => word);
  const alone = [...text.matchAll(/\[([a-z][A-Za-z0-9_]*|\d+)\]/g)].slice(0, MOST_WORDS).map((m) => m[1]);
  return [...new Set([...words, ...alone])];
}

function flat(type, n, family, i) {
  const isAny = /^(any|ground|nonvar|term)$/.test(type);
  if (isAny) {
    switch (family) {
      case "pairs": return `${i}-${n - i}`;
      case "equal pairs": return `1-${i}`;
      case "groups": return `${i}-[${i},${i + 1}]`;
      case "chars": return `'${String.fromCharCode(97 + i % 26)}'`;
      case "lists": return `[${Array.from({ length: n }, (_, k) => k).join(",")}]`;
      case "terms": return `f(${i})`;
    }
  }
  if (family.startsWith("word:") && (isAny || /^(atm|atom)$/.test(type))) return family.slice(5);
  if (isAny || /^(nat|int|num|number|integer)$/.test(type)) return String(number(family, i, n));
  if (/^(atm|atom)$/.test(type)) return `a${number(family, i, n)}`;
  if (type === "string") return `"a${number(family, i, n)}"`;
  return null;
}

const quoted = (name) => `'${name.replace(/\\/g, "\\\\").replace(/'/g, "\\'")}'`;

const temp = mkdtempSync(join(tmpdir(), "growth-"));
const results = [];
let leftOut = 0;
for (const file of files) {
  const b = spawnSync(binary, ["bounds", "--format", "json", "--resource", "work", "--resource", "inferences", file],
    { encoding: "utf8", timeout: 300000, maxBuffer: 1 << 29 });
  let answer;
  try { answer = JSON.parse(b.stdout); } catch { console.error(`${file}: no answer: ${(b.stderr ?? "").slice(0, 300)}`); continue; }
  const [runs, text] = [[], readFileSync(file, "utf8")];
  for (const p of answer.predicates) {
    const pattern = p.patterns[0];
    const bounds = pattern?.bounds?.work;
    const headline = pattern?.headline?.class ?? bounds?.upper_class;
    const shown = readClass(headline);
    if (!shown || pattern.sizes.length === 0) { leftOut++; continue; }
    const isSteep = shown.base > 1 || shown.fact > 0;
    const sizes = shown.fact > 0 ? FACTORIAL : isSteep ? EXPONENTIAL : shown.degree > 2 ? STEEP : POLYNOMIAL;
    const goals = [];
    const isInteger = (type) => /^(nat|int|num|number|integer)$/.test(type.trim());
    const inputs = pattern.types.filter((_, i) => pattern.modes[i] !== "-");
    const hasElements = inputs.some((type) => /any|ground|nonvar|term|^list$/.test(type));
    const lastInteger = pattern.types.findLastIndex((type, i) => pattern.modes[i] !== "-" && isInteger(type));
    // Lists as elements would have another size than N where all symbols are counted.
    const isCounted = pattern.sizes.some((size) => size.metric === "size");
    const others = hasElements ? OTHERS.filter((family) => !(isCounted && family === "lists")) : [];
    const all = [...NUMBERS, ...others, ...wordsOf(text, p.name).map((word) => `word:${word}`)];
    const families = all.flatMap((family) => inputs.filter(isInteger).length > 1 ? [[family, false], [family, true]] : [[family, false]]);
    for (const n of sizes) for (const [family, isRange] of families) {
      const parts = pattern.types.map((type, i) => {
        if (pattern.modes[i] === "-") return "_";
        return isRange && isInteger(type) && i !== lastInteger ? "1" : term(type, n, family, i);
      });
      if (parts.every((part) => part !== null)) {
        goals.push(`${quoted(p.name)}${parts.length ? `(${parts.join(",")})` : ""}`);
      }
    }
    if (goals.length < sizes.length * families.length) { leftOut++; continue; }
    runs.push({ predicate: `${p.name}/${p.arity}`, file, bounds: pattern.bounds, headline, shown, isSteep, sizes, families, goals });
  }
  for (const run of runs) {
    const [goals, counts] = [join(temp, "goals.pl"), join(temp, "counts.txt")];
    writeFileSync(goals, run.goals.map((g) => `goal(${g}).\n`).join(""));
    writeFileSync(counts, "");
    spawnSync("swipl", [counter, "--", file, goals, counts], { cwd: temp, timeout: 60000, stdio: ["ignore", "ignore", "ignore"] });
    const lines = readFileSync(counts, "utf8").trim().split("\n").map((l) => Number(l.split(" ")[1]));
    const best = run.sizes.map((_, i) => {
      const own = lines.slice(i * run.families.length, (i + 1) * run.families.length).filter(Number.isFinite);
      return own.length > 0 ? Math.max(...own) : NaN;
    });
    if (best.some((c) => !Number.isFinite(c))) { leftOut++; continue; }
    const measured = fit(run.sizes, best, run.isSteep);
    const of = (text) => {
      const c = readClass(text);
      return c && (c.base > 1 || c.fact > 0) === run.isSteep ? fit(run.sizes, run.sizes.map((n) => valueOf(c, n)), run.isSteep) : null;
    };
    const expected = of(run.headline);
    const near = (a) => a !== null && Math.abs(a - measured) <= (run.isSteep ? 0.15 : 0.25);
    let cause = "agrees";
    if (!near(expected)) {
      const of_inferences = run.bounds.inferences ?? {};
      if (measured > expected) cause = "slower";
      else if (near(of(of_inferences.upper_class))) cause = "built-ins";
      else if (near(of(of_inferences.lower_class))) cause = "inputs";
      else cause = "faster";
    }
    results.push({
      file: run.file, predicate: run.predicate, class: run.headline, inferences: run.bounds.inferences?.upper_class ?? null,
      least: run.bounds.inferences?.lower_class ?? null, expected, measured, counts: best, cause,
    });
    if (showRows) console.log([run.predicate, run.headline, expected?.toFixed(2), measured.toFixed(2), cause, best.join(" ")].join("\t"));
  }
}
rmSync(temp, { recursive: true });
if (save) writeFileSync(save, JSON.stringify(results, null, 1));

const by = {};
for (const r of results) (by[r.cause] ??= []).push(r);
const share = (n) => `${(100 * n / Math.max(1, results.length)).toFixed(1)}%`;
console.log(`${results.length} predicates measured, ${leftOut} left out`);
for (const cause of ["agrees", "built-ins", "inputs", "faster", "slower"]) {
  const own = by[cause] ?? [];
  console.log(`${cause}: ${own.length} (${share(own.length)})`);
  if (cause === "agrees") continue;
  for (const r of own) {
    console.log(`  ${r.predicate}  ${r.file.split("/").pop()}  class ${r.class}, exponent ${r.measured.toFixed(2)} for ${r.expected?.toFixed(2)}, inferences ${r.least} to ${r.inferences}: ${r.counts.join(" ")}`);
  }
}
