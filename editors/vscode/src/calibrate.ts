//! The command that measures a Prolog system of this machine. The server does the work and shows how far it is.

import * as vscode from 'vscode';
import type { Server } from './server';

/** What is measured, and how long that may take. */
export interface Wish {
  engine: string;
  quick: boolean;
}

/** What the server says of the platform that it has stored. */
interface Platform {
  platform: string;
  engine: string;
  programs: number;
  rms: number;
}

const ENGINES = [
  { label: 'SWI-Prolog', description: 'swipl', engine: 'swi' },
  { label: 'SWI-Prolog -O', description: 'swipl -O', engine: 'swi-O' },
  { label: 'GNU Prolog', description: 'gplc', engine: 'gnu' },
  { label: 'Scryer Prolog', description: 'scryer-prolog', engine: 'scryer' },
  { label: "Costlens's machine", description: 'needs no Prolog system', engine: 'embedded' },
];

const PLANS = [
  { label: 'Quick', description: 'some ten seconds, wider intervals', quick: true },
  { label: 'Full', description: 'a minute, on GNU Prolog several', quick: false },
];

/** Asks what is not given, calibrates, and says how that ended. */
export async function calibrate(server: Server, given: Partial<Wish> = {}): Promise<void> {
  const wish = await completed(given);
  if (!wish) return;
  try {
    const { engine, programs, rms } = (await server.execute('costlens.server.calibrate', wish)) as Platform;
    const error = `${(100 * rms).toFixed(0)}%`;
    void vscode.window.showInformationMessage(
      `Costlens: ${engine} is calibrated (${programs} programs, their times explained to ${error}). Hovers show times of this machine.`,
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(`Costlens: nothing was calibrated: ${reason}`);
  }
}

async function completed(given: Partial<Wish>): Promise<Wish | undefined> {
  const engine =
    given.engine ?? (await vscode.window.showQuickPick(ENGINES, { placeHolder: 'Measure which Prolog system?' }))?.engine;
  if (engine === undefined) return undefined;
  const quick = given.quick ?? (await vscode.window.showQuickPick(PLANS, { placeHolder: 'How thoroughly?' }))?.quick;
  return quick === undefined ? undefined : { engine, quick };
}
