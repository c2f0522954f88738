// The clauses that ship for libraries against those of SWI-Prolog 10.1, which runs here compiled to WebAssembly.
//
//     node compare.mjs SEED RUNS PROGRAM FILE…
//
// PROGRAM is `tests/trust/library.pl`; it stands beside what it loads. Its output is printed.
import { readFileSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import SWIPL from "swipl-wasm/dist/swipl-node.js";

const [seed, runs, program, ...files] = process.argv.slice(2);
const swipl = await SWIPL({
  arguments: ["-q"],
  print: (line) => console.log(line),
  printErr: (line) => console.error(line),
});
const FS = swipl.FS;
FS.mkdir("/trust");
FS.mkdir("/shipped");
for (const name of readdirSync(dirname(program)).filter((n) => n.endsWith(".pl"))) {
  FS.writeFile(`/trust/${name}`, readFileSync(join(dirname(program), name), "utf8"));
}
// What a version adds stands in a folder that is called as it.
const shipped = files.map((file) => {
  const folder = `/shipped/${basename(dirname(file))}`;
  if (!FS.analyzePath(folder).exists) FS.mkdir(folder);
  const name = `${folder}/${basename(file)}`;
  FS.writeFile(name, readFileSync(file, "utf8"));
  return `'${name}'`;
});
const answer = swipl.prolog
  .query(
    `current_prolog_flag(version, Version), format("version ~w~n", [Version]), ` +
      `load_files('/trust/library.pl', []), shipped_library:compared(${Number(seed)}, ${Number(runs)}, [${shipped}])`,
  )
  .once();
if (!answer || answer.error || answer.success === false) {
  console.error("the comparison did not end:", JSON.stringify(answer));
  process.exitCode = 1;
}
