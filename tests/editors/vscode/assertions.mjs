//! Assertions and budgets in VS Code: a false one, its fixes, a comment that silences it, and a budget of `costlens.toml`.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { check, eventually } from './steps.mjs';

const PROGRAM = fileURLToPath(new URL('../support/asserted.pl', import.meta.url));

/** The file that the steps work on. */
export function fillWorkspace(folder) {
  fs.copyFileSync(PROGRAM, path.join(folder, 'asserted.pl'));
}

export async function run({ steps, workbench, server }) {
  const step = steps.step.bind(steps);
  const errors = async () => [...new Set(await workbench.squiggles('error'))];
  const noError = () => eventually('no error underline', async () => (await errors()).length === 0);
  const errorIn = (pattern) =>
    eventually(`an error underline in the line like ${pattern} alone`, async () => {
      const line = await workbench.line(pattern);
      const marks = await errors();
      return marks.length === 1 && marks[0] === line;
    });
  const budget = (text) => fs.writeFileSync(path.join(server.workspace, 'costlens.toml'), text);

  await step('a false assertion: both functions and the sizes in the hover', async () => {
    await workbench.openFile('asserted.pl');
    await errorIn(/@cost steps/);
    const line = await workbench.line(/@cost steps/);
    const { text } = await workbench.hover(line, (await workbench.lines())[line - 1].indexOf('length') + 1);
    check(/false.*inferred n \+ 1, asserted at most n, where n = length\(Xs\)/s.test(text), `the hover says: ${text}`);
    await workbench.closeHover();
  });

  await step('a comment silences it, and undoing that brings it back', async () => {
    await workbench.goto(await workbench.line(/^%! copied/));
    await workbench.type('% costlens: ignore[assertion-false] known');
    await workbench.press('Enter');
    await noError();
    await eventually('the text as it was', async () => {
      if (/^%! copied/.test((await workbench.lines())[0])) return true;
      await workbench.press('Control+z');
      return false;
    });
    await errorIn(/@cost steps/);
  });

  await step('the quick fix relaxes it to what was inferred, and it can be undone', async () => {
    const line = await workbench.line(/@cost steps/);
    const titles = await workbench.quickFixes(line, (await workbench.lines())[line - 1].indexOf('length') + 1);
    check(titles.some((title) => /Relax the assertion to the inferred bound/.test(title)), `the menu shows: ${JSON.stringify(titles)}`);
    await workbench.takeQuickFix(/Relax the assertion/);
    await workbench.line(/@cost steps =< length\(Xs\)\+1/);
    await noError();
    await workbench.press('Control+z');
    await workbench.line(/@cost steps =< length\(Xs\)$/);
    await errorIn(/@cost steps/);
    await workbench.quickFixes(await workbench.line(/@cost steps/), 12);
    await workbench.takeQuickFix(/Relax the assertion/);
    await noError();
  });

  await step('what was inferred is asserted on request', async () => {
    await workbench.quickFixes(await workbench.line(/^doubled\(\[\], \[\]\)/), 2);
    await workbench.takeQuickFix(/Assert the inferred bound/);
    await eventually('two assertions', async () => (await workbench.lines()).filter((line) => /@cost steps/.test(line)).length === 2);
    await noError();
  });

  await step('a budget of costlens.toml is broken, and mended', async () => {
    budget('[[budget]]\nfiles = ["asserted.pl"]\nsteps = "O(1)"\n');
    try {
      const first = await workbench.line(/^copied\(\[\], \[\]\)/);
      await eventually('an error underline at the head of copied', async () => (await errors()).includes(first));
      const { text } = await workbench.hover(first, 3);
      check(/takes at least n \+ 1 steps: O\(n\), where costlens\.toml \(line 1\) allows O\(1\)/.test(text), `the hover says: ${text}`);
      await workbench.closeHover();
      budget('[[budget]]\nfiles = ["asserted.pl"]\nsteps = "O(n)"\n');
      await noError();
    } finally {
      fs.rmSync(path.join(server.workspace, 'costlens.toml'), { force: true });
    }
  });
}
