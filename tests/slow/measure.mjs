// Measures a corpus of small slow programs and compares Costlens with the truth.
//
// Usage: node tests/slow/measure.mjs --binary PATH [--no-run] [--rows] [NAME…]
//
// Each file NAME.pl in this folder is a program of the kind that people ask about in forums.
// Its header states the measured goal, five sizes, the true class of time, and the cause.
//
// For each program, this script does three things.
// 1. It runs the goal in SWI-Prolog at the five sizes. It counts inferences and CPU time.
//    The inputs are built before the measurement starts. Short runs are repeated three times.
//    The fit uses the last three sizes.
//    For n!, the fit is the exponent of n!. For c^n, it is the base. Otherwise it is the exponent of n.
//    The column `fit` is the exponent of time against the stated class. It should be near 1.
// 2. It runs `costlens bounds` and reads the headline of the first pattern of the predicate.
//    The column `all` says whether the headline covers all work, also of built-ins in C.
//    All size variables count as the same N, so n*m is n^2.
//    With a header line `% constant: elements`, sizes of list elements count as constant.
//    The column `hint` says whether the class in the hint, which people read, is the stated one.
//    It may be right where the headline says "diverges" because of other inputs.
// 3. It runs `costlens explain` and looks for the cause in its text and in the hint.
//    The column `dom` says whether a call marked as dominating names the cause.
//    The column `deep` follows the dominating calls into helpers and looks for the cause there too.
//
// A class agrees if it has the same degree, the same log, and the same base within 0.1.
// For exponential classes and n!, polynomial factors are ignored.
// `--no-run` skips SWI-Prolog. `--rows` prints each measurement to standard error. With names, only these programs are measured.
// The exit code is 0, unless a program fails to run.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = dirname(fileURLToPath(import.meta.url));
const args = process.argv.slice(2);
let binary = null;
let run = true;
let showRows = false;
const names = [];
while (args.length > 0) {
  const arg = args.shift();
  if (arg === "--binary") binary = args.shift();
  else if (arg === "--no-run") run = false;
  else if (arg === "--rows") showRows = true;
  else names.push(basename(arg, ".pl"));
}
if (!binary) {
  console.error("usage: node tests/slow/measure.mjs --binary PATH [--no-run] [--rows] [NAME…]");
  process.exit(2);
}

// The harness runs in SWI-Prolog. It prints one line `size inferences seconds` for each size.
const HARNESS = String.raw`
:- module(slow_harness, []).
:- use_module(library(lists)).

go([File, Call, Solutions|Sizes]) :-
    user:consult(File),
    maplist(atom_number, Sizes, Ns),
    Ns = [First|_],
    sample(Call, Solutions, First, _),
    forall(member(N, Ns), report(Call, Solutions, N)).

report(Call, Solutions, N) :-
    sample(Call, Solutions, N, I-T1),
    (   T1 < 0.2
    ->  sample(Call, Solutions, N, _-T2),
        sample(Call, Solutions, N, _-T3),
        T is min(T1, min(T2, T3))
    ;   T = T1
    ),
    format("~w ~w ~w~n", [N, I, T]).

sample(Call, Solutions, N, I-T) :-
    term_to_atom_n(Call, N, Goals),
    split(Goals, Inputs, Goal),
    once(user:Inputs),
    garbage_collect,
    garbage_collect_atoms,
    measure(Solutions, Goal, I, T).

measure(all, Goal, I, T) :- !,
    statistics(inferences, I0), statistics(cputime, T0),
    forall(user:Goal, true),
    statistics(cputime, T1), statistics(inferences, I1),
    I is I1 - I0, T is T1 - T0.
measure(_, Goal, I, T) :-
    statistics(inferences, I0), statistics(cputime, T0),
    once(user:Goal),
    statistics(cputime, T1), statistics(inferences, I1),
    I is I1 - I0, T is T1 - T0.

term_to_atom_n(Call, N, Goals) :-
    term_string(Goals, Call, [variable_names(Vs)]),
    memberchk('N'=N, Vs).

split((A, B), (A, Inputs), Goal) :- !, split(B, Inputs, Goal).
split(Goal, true, Goal).

main :-
    current_prolog_flag(argv, Argv),
    (   catch(go(Argv), E, (print_message(error, E), halt(1)))
    ->  halt(0)
    ;   format(user_error, "goal failed~n", []), halt(1)
    ).
`;

const logFactorial = (n) => { let s = 0; for (let i = 2; i <= n; i++) s += Math.log(i); return s; };

function slope(xs, ys) {
  const mx = xs.reduce((a, b) => a + b) / xs.length;
  const my = ys.reduce((a, b) => a + b) / ys.length;
  let num = 0, den = 0;
  xs.forEach((x, i) => { num += (x - mx) * (ys[i] - my); den += (x - mx) ** 2; });
  return num / den;
}

// A class is read as a sum of products. The result is the largest product, with all variables equal to N:
// {fact, base, degree, logs}. The result is null if the text has no known form.
function parseClass(text, constants = []) {
  if (!text || /unknown|diverges|infinite/.test(text)) return null;
  for (const c of constants) text = text.replace(new RegExp(`(?<![A-Za-z0-9_])${c}(?![A-Za-z0-9_(])`, "g"), "1");
  const tokens = text.match(/\d+(?:\.\d+)?(?:\/\d+)?|[A-Za-z_][A-Za-z_0-9]*|[-+*^()!,/]|\S/g);
  let at = 0;
  const peek = () => tokens[at];
  const next = () => tokens[at++];
  const one = { fact: 0, base: 1, degree: 0, logs: 0 };
  const isExp = (c) => c.fact > 0 || c.base > 1;
  const key = (c) => [c.fact, c.base, c.degree, c.logs];
  const bigger = (a, b) => {
    const ka = key(a), kb = key(b);
    for (let i = 0; i < 4; i++) if (ka[i] !== kb[i]) return ka[i] > kb[i] ? a : b;
    return a;
  };
  function sum() {
    let c = product();
    while (peek() === "+" || peek() === "-") { next(); c = bigger(c, product()); }
    return c;
  }
  function product() {
    let c = power();
    while (peek() === "*" || (peek() && /^[A-Za-z(0-9]/.test(peek()))) {
      if (peek() === "*") next();
      const d = power();
      c = { fact: c.fact + d.fact, base: c.base * d.base, degree: c.degree + d.degree, logs: c.logs + d.logs };
    }
    return c;
  }
  function power() {
    const number = /^\d/.test(peek()) ? value(peek()) : null;
    let c = atom();
    while (peek() === "!") { next(); c = { fact: 1, base: 1, degree: 0, logs: 0 }; }
    if (peek() === "^") {
      next();
      const start = at;
      if (/^\d/.test(peek())) {
        const e = value(next());
        return { fact: c.fact * e, base: c.base ** e, degree: c.degree * e, logs: c.logs * e };
      }
      exponent(start);
      const copies = exponentSize(tokens.slice(start, at));
      if (number === null) return { fact: 1, base: 1, degree: 0, logs: 0 };
      return { fact: 0, base: number ** copies, degree: 0, logs: 0 };
    }
    return c;
  }
  function exponent() {
    if (peek() === "(") {
      let depth = 0;
      do { const t = next(); if (t === "(") depth++; if (t === ")") depth--; } while (depth > 0 && at < tokens.length);
    } else next();
  }
  // The sum of the coefficients of the variables, such as 2 for n+m and for 2*n.
  function exponentSize(part) {
    let size = 0, factor = 1;
    for (const t of part) {
      if (/^\d/.test(t)) factor *= value(t);
      else if (/^[A-Za-z]/.test(t)) { size += factor; factor = 1; }
      else if (t === "-" || t === "+") factor = 1;
    }
    return size;
  }
  function atom() {
    const t = next();
    if (t === "(") { const c = sum(); next(); return c; }
    if (/^\d/.test(t)) return { ...one };
    if (/^[a-z]*log\d*$/.test(t)) {
      if (peek() === "(") { next(); while (next() !== ")") { /* its argument does not matter */ } }
      else next();
      return { ...one, logs: 1 };
    }
    if (t === "max" || t === "min") {
      next();
      let c = sum();
      while (peek() === ",") { next(); c = bigger(c, sum()); }
      next();
      return c;
    }
    if (peek() === "(") return bad();
    if (/^[A-Za-z_]/.test(t)) return { ...one, degree: 1 };
    return bad();
  }
  function bad() { throw new Error("class"); }
  function value(t) { const [a, b] = t.split("/"); return b ? a / b : Number(a); }
  try {
    const c = sum();
    if (at < tokens.length) return null;
    return c;
  } catch { return null; }
}

// The class in a hint such as `~O(n²·m) work  ≤ …` or `~n≥0: 2ⁿ⁺¹-1, else diverges`.
function classOfHint(hint) {
  const found = hint.match(/O\((.*?)\)(?=[ ,]|$)/) ?? hint.match(/: ([^,]*), else/);
  if (!found) return null;
  const normal = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿᵐᵏᵖ", plain = "0123456789+-()nmkp";
  return found[1].replace(/[≈≤≥]/g, "").trim()
    .replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿᵐᵏᵖ·]+/g, (run) => run.replace(/[^·]+/g, (r) => {
      const t = [...r].map((c) => plain[normal.indexOf(c)]).join("");
      return /^\d+$/.test(t) ? `^${t}` : `^(${t})`;
    }))
    .replace(/·/g, "*").replace(/log ([a-z]+)/g, "log($1)");
}

// A stated class, such as `n^2 log n`, has a space for the product.
const parseStated = (text) => parseClass(text.replace(/\s+log n/, "*log(n)").replace(/^log n/, "log(n)"));

const exponential = (c) => c.fact > 0 || c.base > 1;

function agrees(stated, shown) {
  if (!shown) return false;
  if (stated.fact !== shown.fact) return false;
  if (exponential(stated) || exponential(shown)) return Math.abs(stated.base - shown.base) <= 0.1;
  return stated.degree === shown.degree && stated.logs === shown.logs;
}

function logOf(c, n) {
  return c.fact * logFactorial(n) + n * Math.log(c.base) + c.degree * Math.log(n) + c.logs * Math.log(Math.log(n));
}

function fits(stated, rows) {
  const last = rows.slice(-3);
  const measure = (of) => {
    const ys = last.map((r) => Math.log(Math.max(of(r), 1e-7)));
    if (stated.fact > 0) return slope(last.map((r) => logFactorial(r.n)), ys);
    if (stated.base > 1) return Math.exp(slope(last.map((r) => r.n), ys));
    return slope(last.map((r) => Math.log(r.n)), ys);
  };
  const times = last.map((r) => Math.log(Math.max(r.seconds, 1e-7)));
  return {
    inferences: measure((r) => r.inferences),
    time: measure((r) => r.seconds),
    fit: slope(last.map((r) => logOf(stated, r.n)), times),
  };
}

function wordIn(word, text) {
  const quoted = word.replace(/\/\d+$/, "").replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![A-Za-z0-9_])${quoted}(?![A-Za-z0-9_])`).test(text);
}

// The explanations of the helpers that the dominating calls in `text` lead to.
function followed(file, text, known, seen, depth) {
  if (depth === 0) return [];
  const texts = [];
  for (const line of text.split("\n").filter((l) => l.includes("(dominates)"))) {
    const called = line.trim().match(/^[a-z][A-Za-z0-9_]*/)?.[0];
    for (const p of known.filter((k) => k.name === called)) {
      const id = `${p.name}/${p.arity}`;
      if (seen.includes(id)) continue;
      const e = spawnSync(binary, ["explain", file, id], { encoding: "utf8", timeout: 120000, maxBuffer: 1 << 28 });
      const t = e.stdout ?? "";
      texts.push(t, ...followed(file, t, known, [...seen, id], depth - 1));
    }
  }
  return texts;
}

const files = readdirSync(folder).filter((f) => f.endsWith(".pl"))
  .map((f) => f.slice(0, -3)).filter((n) => names.length === 0 || names.includes(n)).sort();
for (const n of names) if (!files.includes(n)) { console.error(`no program ${n}`); process.exit(2); }

const temp = mkdtempSync(join(tmpdir(), "slow-"));
const harness = join(temp, "harness.pl");
writeFileSync(harness, HARNESS);

const head = ["program", "stated", "inf", "time", "fit", "last s", "shown", "resource", "all", "agrees", "hint", "cause", "dom", "deep"];
const table = [];
let failures = 0, agreed = 0, found = 0, dominating = 0, deeply = 0, hinted = 0;
const notes = [];

for (const name of files) {
  const file = join(folder, `${name}.pl`);
  const source = readFileSync(file, "utf8");
  const field = (key) => (source.match(new RegExp(`^% ${key}: (.*)$`, "m")) || [])[1]?.trim();
  const call = field("call"), predicate = field("predicate"), classText = field("class"), cause = field("cause");
  const sizes = field("sizes").split(/\s+/), solutions = field("solutions") ?? "first";
  const stated = parseStated(classText);
  const constantElements = /^elements/.test(field("constant") ?? "");
  let constants = [], known = [];
  let fit = null, lastSeconds = "";
  if (run) {
    const p = spawnSync("swipl", ["-q", "-f", "none", "-g", "slow_harness:main", harness, "--", file, call, solutions, ...sizes],
      { encoding: "utf8", timeout: 60000 });
    const rows = (p.stdout ?? "").trim().split("\n").filter((l) => /^\d/.test(l)).map((l) => {
      const [n, inferences, seconds] = l.split(" ").map(Number);
      return { n, inferences, seconds };
    });
    if (p.status !== 0 || rows.length !== sizes.length) {
      failures++;
      console.error(`${name}: fails to run: ${p.error?.code ?? p.status} ${(p.stderr ?? "").slice(0, 500)}`);
    } else {
      fit = fits(stated, rows);
      if (showRows) for (const r of rows) console.error(`${name} ${r.n} ${r.inferences} ${r.seconds}`);
      lastSeconds = rows.at(-1).seconds.toFixed(3);
      if (p.stderr) console.error(`${name}: ${p.stderr.trim()}`);
    }
  }
  let shownText = "error", resource = "-", allWork = "-", hint = "";
  const b = spawnSync(binary, ["bounds", file, "--format", "json"], { encoding: "utf8", timeout: 120000, maxBuffer: 1 << 28 });
  try {
    const [pn, pa] = predicate.split("/");
    known = JSON.parse(b.stdout).predicates;
    const found = known.find((p) => p.name === pn && p.arity === Number(pa));
    hint = found.hint ?? "";
    const headline = found.patterns[0].headline;
    if (constantElements) constants = found.patterns[0].sizes.filter((z) => z.element).map((z) => z.name);
    shownText = headline?.class ?? "unknown";
    resource = headline?.resource ?? "-";
    allWork = headline?.of_all_work === undefined ? "-" : headline.of_all_work ? "yes" : "no";
  } catch (e) {
    console.error(`${name}: no bounds: ${e.message} ${(b.stderr ?? "").slice(0, 300)}`);
  }
  const e = spawnSync(binary, ["explain", file, predicate], { encoding: "utf8", timeout: 120000, maxBuffer: 1 << 28 });
  const text = e.stdout ?? "";
  // The text starts with the predicate's own name; this heading does not count as an explanation.
  const body = text.split("\n").slice(3).join("\n");
  const ok = agrees(stated, parseClass(shownText, constants));
  const causeFound = wordIn(cause, body) || wordIn(cause, hint);
  const dom = text.split("\n").filter((l) => l.includes("(dominates)")).some((l) => wordIn(cause, l));
  const deep = causeFound || followed(file, text, known, [predicate], 3).some((t) => wordIn(cause, t));
  const hintOk = agrees(stated, parseClass(classOfHint(hint), constants));
  agreed += ok; found += causeFound; dominating += dom; deeply += deep; hinted += hintOk;
  if (!ok) notes.push(`${name}: ${hint}`);
  const f2 = (x) => x === undefined || x === null ? "" : x.toFixed(2);
  table.push([name, classText, f2(fit?.inferences), f2(fit?.time), f2(fit?.fit), lastSeconds, shownText, resource, allWork,
    ...[ok, hintOk, causeFound, dom, deep].map((b) => (b ? "yes" : "no"))]);
  if (process.stderr.isTTY) process.stderr.write(`${name}\n`);
}
rmSync(temp, { recursive: true, force: true });

const widths = head.map((h, i) => Math.max(h.length, ...table.map((r) => r[i].length)));
for (const r of [head, ...table]) console.log(r.map((c, i) => c.padEnd(widths[i])).join("  ").trimEnd());
console.log(`agrees ${agreed} of ${files.length}, cause ${found} of ${files.length} `
  + ` (class in the hint ${hinted}, cause named by a dominating call ${dominating}, cause in helpers too ${deeply})`);
console.log("\nhints of the programs that do not agree:");
for (const n of notes) console.log(`  ${n}`);
process.exit(failures > 0 ? 1 : 0);
