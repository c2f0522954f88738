//! Profiles in VS Code: a test is profiled by its lens, its marks stand beside the code, the list leads to the predicates, the page is drawn, and an
//! edit takes the marks away.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { check, eventually } from './steps.mjs';

const PROGRAM = fileURLToPath(new URL('../support/profiled.pl', import.meta.url));

const HEAD = /^nrev\(\[\], \[\]\).*▁ 2% · 101 steps · bound 5,151, seen 5,151/;
const LITERAL = /^\s+app\(Zs, \[X\], Ys\)\..*█ 96% · 5,050 steps/;
const ANY_MARK = /[▁█] \d+%/;

/** The file that the steps work on. */
export function fillWorkspace(folder) {
  fs.copyFileSync(PROGRAM, path.join(folder, 'profiled.pl'));
}

export async function run({ steps, workbench }) {
  const step = steps.step.bind(steps);

  await step('the lens at a test profiles it: shares beside predicate and literal, bound beside what was seen', async () => {
    await workbench.openFile('profiled.pl');
    // Those of the unit come first, then those of its tests.
    await workbench.takeLens(/^Profile$/, 2);
    await workbench.notification(/^Costlens: run_tests\(lists:reverses\): .*success/, 60_000);
    await workbench.line(HEAD);
    await workbench.line(LITERAL);
    // nrev and app, and what is called of them.
    await eventually('names in two colours', async () => new Set(await workbench.behind()).size === 2);
  });

  await step('the bottleneck is searched for, and the list walks down its tree', async () => {
    await workbench.openFile('profiled.pl');
    await workbench.commandWith('Costlens: Find the Bottleneck of a Goal', { text: 'numlist(1, 100, Xs), nrev(Xs, _)' });
    await workbench.notification(/^Costlens: numlist\(1, 100, Xs\), nrev\(Xs, _\): .*success/, 60_000);
    await workbench.openFile('profiled.pl');
    const rows = await workbench.commandList('Costlens: Walk Through the Last Profile');
    check(/^the goal.*with calls 100%/.test(rows[0]), JSON.stringify(rows));
    check(/^\s*nrev\/2.*itself 2%/.test(rows[1]) && /^\s*app\/3.*itself 96%/.test(rows[2]), JSON.stringify(rows));
    await workbench.press('ArrowDown');
    await workbench.press('ArrowDown');
    await workbench.press('Enter');
    const line = await workbench.line(/^app\(\[\], Ys, Ys\)/);
    await eventually('the cursor at app', async () => (await workbench.statusItems()).some((item) => item.includes(`Ln ${line},`)));
  });

  await step('an edit takes the marks away', async () => {
    await workbench.line(/^app\(\[\], Ys, Ys\)\..*█ 96%/);
    await workbench.goto(1);
    await workbench.type('% new');
    await workbench.press('Enter');
    await workbench.noLine(ANY_MARK);
    await eventually('no colours', async () => (await workbench.behind()).length === 0);
    await workbench.line(/^nrev\(\[\], \[\]\).*O\(n²\)/);
    await eventually('the text as it was', async () => {
      if (/^:- use_module/.test((await workbench.lines())[0])) return true;
      await workbench.press('Control+z');
      return false;
    });
  });

  await step('the page has the drawn graph and the flame graph', async () => {
    await workbench.command('Costlens: Show the Last Profile');
    await eventually('the graphs with app/3', async () => {
      const drawn = (await workbench.webviewTexts('svg')).filter((text) => text.includes('app/3'));
      return drawn.length >= 2;
    });
    await workbench.command('View: Close All Editors');
  });
}
