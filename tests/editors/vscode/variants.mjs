//! A cheaper variant in VS Code: offered with its bounds and times, looked at before it is taken, taken, and taken back.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { check, eventually } from './steps.mjs';

const PROGRAM = fileURLToPath(new URL('../support/sequence.pl', import.meta.url));
const EXPONENTIAL = /^fib\(0, 0\).*O\(1\.618ⁿ\)/;
const LINEAR = /^fib\(0, 0\).*O\(n\)\s+n\+1/;
const VARIANT = /Carry the last two values along/;

/** The file that the steps work on. */
export function fillWorkspace(folder) {
  fs.copyFileSync(PROGRAM, path.join(folder, 'sequence.pl'));
}

export async function run({ steps, workbench }) {
  const step = steps.step.bind(steps);
  const open = async () => workbench.quickFixes(await workbench.line(/^fib\(0, 0\)/), 2);

  await step('a variant is offered with its bounds and times', async () => {
    await workbench.openFile('sequence.pl');
    await workbench.line(EXPONENTIAL);
    const titles = await open();
    const said = /Carry the last two values along: .*→ n\+1 steps \(cheaper for n ≥ 3\); .* → .* at n = 30 on SWI-Prolog/;
    check(titles.some((title) => said.test(title)), `the menu shows: ${JSON.stringify(titles)}`);
  });

  await step('what a table would bring is a hint of its own', async () => {
    await workbench.press('Escape');
    const { text } = await workbench.hover(await workbench.line(EXPONENTIAL), 2);
    check(/with a table .*fib\/2.* takes at most n \+ 1 steps in place of ≈ 1\.447·1\.618ⁿ-1/.test(text), `the hover says: ${text}`);
    await workbench.closeHover();
  });

  await step('its preview shows the change, and changes nothing', async () => {
    await open();
    await workbench.previewQuickFix(VARIANT);
    const panel = workbench.page.locator('.bulk-edit-panel');
    await panel.waitFor({ state: 'visible' });
    await eventually('the file in the preview', async () => /sequence\.pl/.test((await panel.textContent()) ?? ''));
    await panel.locator('.monaco-button', { hasText: 'Discard' }).click();
    await panel.waitFor({ state: 'hidden' });
    await workbench.line(EXPONENTIAL);
  });

  await step('taken, it makes the predicate linear; undone, it is as it was', async () => {
    await open();
    await workbench.takeQuickFix(VARIANT);
    await workbench.line(LINEAR);
    await workbench.line(/^fib\(N, A, B, F\) :-/);
    await workbench.press('Control+z');
    await workbench.line(EXPONENTIAL);
    await workbench.noLine(/^fib\(N, A, B, F\)/);
  });
}
