// What cargo says of the workspace, reduced to what the checks ask for.
import { execFileSync } from 'node:child_process';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** The output of `cargo metadata`: every package that is in the lock file, tools and tests included. */
export function readMetadata() {
  const text = execFileSync('cargo', ['metadata', '--format-version', '1', '--locked', '--quiet'], {
    cwd: repository, encoding: 'utf8', maxBuffer: 1 << 28,
  });
  return JSON.parse(text);
}

/** The packages of this repository below `server/`: `{ name, manifest, direct }`, `direct` being what the shipped code depends on
 *  (normal and build dependencies, under the packages' own names; what only tests use is left out). */
export function rooms(metadata) {
  const byId = new Map(metadata.packages.map((p) => [p.id, p]));
  return metadata.workspace_members
    .map((id) => byId.get(id))
    .filter((p) => path.relative(metadata.workspace_root, p.manifest_path).startsWith(`server${path.sep}`))
    .map((p) => ({
      name: p.name,
      manifest: p,
      direct: [...new Set(p.dependencies.filter((d) => d.kind !== 'dev').map((d) => d.name))].sort(),
    }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** The names of all packages that the shipped code of `name` ends up with, `name` itself left out. */
export function reached(metadata, name) {
  const nodes = new Map(metadata.resolve.nodes.map((n) => [n.id, n]));
  const names = new Map(metadata.packages.map((p) => [p.id, p.name]));
  const start = metadata.workspace_members.find((id) => names.get(id) === name);
  const seen = new Set([start]);
  const stack = [start];
  while (stack.length > 0) {
    for (const edge of nodes.get(stack.pop()).deps) {
      if (edge.dep_kinds.every((k) => k.kind === 'dev') || seen.has(edge.pkg)) continue;
      seen.add(edge.pkg);
      stack.push(edge.pkg);
    }
  }
  seen.delete(start);
  return new Set([...seen].map((id) => names.get(id)));
}
