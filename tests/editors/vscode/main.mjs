#!/usr/bin/env node
// Runs the scenario in VS Code:  main.mjs --home FOLDER --vsix FILE --version TEXT --example FILE --out FOLDER [--screenshot FILE]
// FOLDER is what setup-vscode.sh printed. Prints `ok`/`FAIL` lines; exit code 1 if a step failed.

import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { CodeServer } from './code-server.mjs';
import { fillWorkspace, run, takePicture } from './scenario.mjs';
import { Steps } from './steps.mjs';
import { Workbench } from './workbench.mjs';

const MINUTES = 60_000;
const LIMIT = 6 * MINUTES;

const string = { type: 'string' };
const { values: options } = parseArgs({
  options: { home: string, vsix: string, version: string, example: string, out: string, screenshot: string },
});
for (const name of ['home', 'vsix', 'version', 'example', 'out']) {
  if (!options[name]) {
    console.error(`--${name} is missing`);
    process.exit(2);
  }
}
fs.mkdirSync(options.out, { recursive: true });

const server = new CodeServer(options.home, options.out);
let workbench;
const steps = new Steps({ out: options.out, screenshot: async (file) => workbench?.screenshot(file) });
const finish = async () => {
  await workbench?.close();
  await server.stop();
};
setTimeout(async () => {
  console.log(`FAIL  vscode: ended after ${LIMIT / MINUTES} minutes`);
  await finish();
  process.exit(1);
}, LIMIT).unref();

let extension;
await steps.step('the package installs and VS Code opens nrev.pl', async () => {
  fillWorkspace(server.workspace, options.example);
  extension = server.install(path.resolve(options.vsix));
  await server.start();
  workbench = await Workbench.open(options.home, server, 'nrev.pl', { sharp: Boolean(options.screenshot) });
});
if (workbench) {
  if (options.screenshot) {
    fs.mkdirSync(path.dirname(options.screenshot), { recursive: true });
    await steps.step(`the picture ${options.screenshot}`, () => takePicture(workbench, options.screenshot));
  }
  await run({ steps, workbench, server, extension, version: options.version });
  await workbench.screenshot(path.join(options.out, 'end.png')).catch(() => {});
}
await finish();
process.exit(steps.failures === 0 ? 0 : 1);
