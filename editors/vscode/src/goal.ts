//! The goal that a command is about, asked for where it was not given.

import * as vscode from 'vscode';
import { PROLOG } from './language';

/** A goal, and the document of the program that it calls. */
export interface Goal {
  uri: string;
  goal: string;
}

/** The goal of a wish with the document in front, or what the user types; none where they do not. `done` is what happens to goals: "profiled". */
export async function asked(given: Partial<Goal>, done: string, prompt: string, last: string): Promise<Goal | undefined> {
  const active = vscode.window.activeTextEditor?.document;
  const uri = given.uri ?? (active?.languageId === PROLOG ? active.uri.toString() : undefined);
  if (uri === undefined) {
    void vscode.window.showErrorMessage(`Costlens: open the Prolog file whose goal is to be ${done}.`);
    return undefined;
  }
  if (given.goal !== undefined) return { uri, goal: given.goal };
  const goal = await vscode.window.showInputBox({ prompt, value: last, placeHolder: 'nrev([1,2,3], X)' });
  return goal?.trim() ? { uri, goal } : undefined;
}
