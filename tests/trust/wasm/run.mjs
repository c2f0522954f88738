// Calls a goal of a program in SWI-Prolog 10.1, which runs here compiled to WebAssembly. Its output is printed.
//
//     node run.mjs PROGRAM GOAL PATH…
//
// PROGRAM stands beside what it loads. In GOAL, `$1` is the first PATH, as an atom, and `$*` are all that have no place of their own, with
// commas. A PATH is a file or a folder of files.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import SWIPL from "swipl-wasm/dist/swipl-node.js";

const [program, goal, ...paths] = process.argv.slice(2);
const swipl = await SWIPL({
  arguments: ["-q"],
  print: (line) => console.log(line),
  printErr: (line) => console.error(line),
});
const FS = swipl.FS;

const makeFolder = (path) => {
  if (!FS.analyzePath(path).exists) FS.mkdir(path);
};
const copyFile = (from, to) => FS.writeFile(to, readFileSync(from, "utf8"));
const copyFolder = (from, to, isWanted = () => true) => {
  makeFolder(to);
  const names = readdirSync(from).filter((name) => isWanted(name) && statSync(join(from, name)).isFile());
  for (const name of names) copyFile(join(from, name), `${to}/${name}`);
};

copyFolder(dirname(program), "/program", (name) => name.endsWith(".pl"));
makeFolder("/given");
const given = paths.map((path, i) => {
  if (statSync(path).isDirectory()) {
    copyFolder(path, `/given/${i}`);
    return `'/given/${i}'`;
  }
  // The folder's name tells of which version a file is.
  const folder = `/given/${basename(dirname(path))}`;
  makeFolder(folder);
  copyFile(path, `${folder}/${basename(path)}`);
  return `'${folder}/${basename(path)}'`;
});
const hasPlace = (i) => goal.includes(`$${i + 1}`);
const rest = given.filter((_, i) => !hasPlace(i));
const asked = goal.replaceAll(/\$(\d+)/g, (_, n) => given[n - 1]).replaceAll("$*", rest.join(", "));
const answer = swipl.prolog
  .query(
    `current_prolog_flag(version, Version), format("version ~w~n", [Version]), ` +
      `load_files('/program/${basename(program)}', []), ${asked}`,
  )
  .once();
if (!answer || answer.error || answer.success === false) {
  console.error("the goal did not succeed:", JSON.stringify(answer));
  process.exitCode = 1;
}
