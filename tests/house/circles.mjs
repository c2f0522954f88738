// Which files of a room import each other in circles, read from `use` declarations and paths as text.
import * as fs from 'node:fs';
import * as path from 'node:path';

const IDENT = '[A-Za-z_][A-Za-z0-9_]*';

/** Source without comments, strings and what is compiled for tests alone. */
function bare(text) {
  const cleaned = text
    .replace(/\/\/[^\n]*/g, '')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\br(#*)"[\s\S]*?"\1/g, '""')
    .replace(/"(?:[^"\\]|\\[\s\S])*"/g, '""')
    .replace(/'(?:[^'\\\n]|\\.)'/g, "' '");
  let result = '';
  let at = 0;
  for (const match of cleaned.matchAll(/#\[cfg\(test\)\]/g)) {
    if (match.index < at) continue;
    result += cleaned.slice(at, match.index);
    at = endOfItem(cleaned, match.index + match[0].length);
  }
  return result + cleaned.slice(at);
}

/** Behind the item that begins at `at`: its semicolon, or the brace that closes it. */
function endOfItem(text, at) {
  let depth = 0;
  for (; at < text.length; at++) {
    if (text[at] === '{') depth++;
    if (text[at] === '}' && --depth === 0) return at + 1;
    if (text[at] === ';' && depth === 0) return at + 1;
  }
  return at;
}

/** `a::{b, c as d, e::*}` as paths with the names that they are known under. */
function paths(tree, before = []) {
  const text = tree.trim();
  const brace = text.indexOf('{');
  if (brace >= 0) {
    const head = text.slice(0, brace).split('::').map((s) => s.trim()).filter(Boolean);
    return split(text.slice(brace + 1, text.lastIndexOf('}'))).flatMap((t) => paths(t, [...before, ...head]));
  }
  const [written, alias] = text.split(/\s+as\s+/);
  const segments = [...before, ...written.split('::').map((s) => s.trim()).filter(Boolean)];
  if (segments.at(-1) === 'self') segments.pop();
  if (segments.length === 0) return [];
  return segments.at(-1) === '*' ? [{ segments: segments.slice(0, -1), glob: true }] : [{ segments, name: alias?.trim() ?? segments.at(-1) }];
}

/** At the commas that stand in no braces. */
function split(text) {
  const parts = [''];
  let depth = 0;
  for (const c of text) {
    if (c === '{') depth++;
    if (c === '}') depth--;
    if (c === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += c;
  }
  return parts.filter((p) => p.trim());
}

/** The modules of a crate by path (`infer::exec`), each with its file, its items, its `use` declarations and the paths in its code. */
function readModules(source) {
  const modules = new Map();
  const visit = (file, name) => {
    const text = bare(fs.readFileSync(file, 'utf8'));
    const uses = [];
    const code = text.replace(/(?:^|(?<=[;{}\]\s]))(?:pub(?:\([^)]*\))?\s+)?use\s+([^;]+);/g, (_, tree) => {
      uses.push(...paths(tree.replace(/^::/, '')));
      return '';
    });
    const items = new Set([...code.matchAll(new RegExp(`\\b(?:fn|struct|enum|trait|type|const|static|union|macro_rules!)\\s+(${IDENT})`, 'g'))].map((m) => m[1]));
    const inline = [...code.matchAll(new RegExp(`(?<![:\\w])${IDENT}(?:\\s*::\\s*${IDENT})+`, 'g'))].map((m) => m[0].split('::').map((s) => s.trim()));
    modules.set(name, { file, uses, items, inline, globs: uses.filter((u) => u.glob) });
    const folder = path.basename(file) === 'lib.rs' || path.basename(file) === 'main.rs' ? path.dirname(file) : file.replace(/\.rs$/, '');
    for (const [, child] of code.matchAll(new RegExp(`\\bmod\\s+(${IDENT})\\s*;`, 'g'))) {
      const below = path.join(folder, `${child}.rs`);
      if (fs.existsSync(below)) visit(below, name ? `${name}::${child}` : child);
    }
  };
  const root = ['lib.rs', 'main.rs'].map((f) => path.join(source, f)).find((f) => fs.existsSync(f));
  visit(root, '');
  return modules;
}

/** The module in which the item of a path is defined, re-exports followed; nothing for another crate's. */
function resolve(modules, from, segments, seen = new Set()) {
  const key = `${from} ${segments.join('::')}`;
  if (seen.has(key) || segments.length > 12) return undefined;
  seen.add(key);
  let at = from;
  let rest = segments;
  let first = true;
  while (rest.length > 0) {
    const [head, ...tail] = rest;
    if (first && head === 'crate') at = '';
    else if (head === 'super') at = at.includes('::') ? at.slice(0, at.lastIndexOf('::')) : '';
    else if (head !== 'self') {
      const below = at ? `${at}::${head}` : head;
      const module = modules.get(at);
      if (modules.has(below)) at = below;
      else if (module.items.has(head)) return at;
      else {
        for (const use of module.uses) {
          if (use.name === head && !(first && use.segments.length === 1)) {
            const found = resolve(modules, at, [...use.segments, ...tail], seen);
            if (found !== undefined) return found;
          }
        }
        for (const use of module.globs) {
          const found = resolve(modules, at, [...use.segments, head, ...tail], seen);
          if (found !== undefined && found !== 'unknown') return found;
        }
        return undefined;
      }
    }
    rest = tail;
    first = false;
  }
  return at;
}

/** File -> files whose items it names; a module and its own children are not counted. */
export function imports(source) {
  const modules = readModules(source);
  const edges = new Map();
  const related = (a, b) => a === '' || b === '' || a.startsWith(`${b}::`) || b.startsWith(`${a}::`);
  for (const [name, module] of modules) {
    const targets = new Set();
    for (const segments of [...module.uses.map((u) => u.segments), ...module.inline]) {
      const found = resolve(modules, name, segments);
      if (found !== undefined && found !== name && !related(found, name)) targets.add(modules.get(found).file);
    }
    edges.set(module.file, targets);
  }
  return edges;
}

/** The circles of two files or more, the largest first, each in the order of its names. */
export function circles(edges) {
  const index = new Map();
  const low = new Map();
  const stack = [];
  const found = [];
  const visit = (node) => {
    index.set(node, index.size);
    low.set(node, index.get(node));
    stack.push(node);
    for (const next of edges.get(node) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node), low.get(next)));
    }
    if (low.get(node) === index.get(node)) {
      const circle = stack.splice(stack.indexOf(node));
      if (circle.length > 1) found.push(circle.sort());
    }
  };
  for (const node of edges.keys()) if (!index.has(node)) visit(node);
  return found.sort((a, b) => b.length - a.length || (a[0] < b[0] ? -1 : 1));
}
