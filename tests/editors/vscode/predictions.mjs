//! Predictions in VS Code: past runs say what a call is likely to cost, and stand beside a predicate without a bound where somebody wants that.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../support/predicted.pl', import.meta.url));

/** The file that the steps work on. */
export function fillWorkspace(folder) {
  fs.copyFileSync(PROGRAM, path.join(folder, 'predicted.pl'));
}

export async function run({ steps, workbench, server, extension }) {
  const step = steps.step.bind(steps);
  const program = path.join(extension, 'server/costlens');
  const keep = (n) =>
    execFileSync(program, ['run', 'predicted.pl', '--history=.costlens/history.db', '--goal', `collatz(${n}, S)`], { cwd: server.workspace });

  await step('a call is predicted from past runs, beside the program', async () => {
    for (let n = 2; n < 14; n++) keep(7 * n);
    await workbench.openFile('predicted.pl');
    // Its text has been looked at: it is Prolog, not Perl.
    await workbench.line(/^collatz\(1, 0\).*cost \?/);
    await workbench.commandWith('Costlens: Predict the Cost of a Goal', { text: 'collatz(50, S)' });
    await workbench.line(/^\?- collatz\(50, S\)\./);
    await workbench.line(/^predicted: from 12 past runs/);
    await workbench.line(/^no upper bound is proved of collatz/);
  });

  await step('past runs stand beside a predicate without a bound where that is asked for, and new ones join them', async () => {
    await workbench.openFile('predicted.pl');
    await workbench.line(/^collatz\(1, 0\).*cost \?/);
    await workbench.noLine(/obs, \d+ runs/);
    server.workspaceSettings({ 'costlens.hints.observed': true });
    await workbench.line(/^collatz\(1, 0\).*cost \?\s+≈ .*\(obs, 12 runs\)/);
    keep(27);
    await workbench.line(/^collatz\(1, 0\).*\(obs, 13 runs\)/);
    server.workspaceSettings({});
    await workbench.noLine(/obs, \d+ runs/);
    fs.rmSync(path.join(server.workspace, '.costlens'), { recursive: true });
    await workbench.command('View: Close All Editors');
  });
}
