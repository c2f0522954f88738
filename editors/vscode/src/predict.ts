//! Predictions of calls: what is proved of them and what past runs say, as a text beside the program. Nothing is run.

import * as vscode from 'vscode';
import { asked } from './goal';
import type { Server } from './server';

/** The call that is asked about. */
export interface Wish {
  uri: string;
  goal: string;
  /** Every solution, not only the first. */
  all?: boolean;
}

/** What the server says of it. */
interface Prediction {
  goal: string;
  text: string;
  warnings: string[];
}

const SCHEME = 'costlens-prediction';
const TITLE = vscode.Uri.from({ scheme: SCHEME, path: 'Prediction' });

export class Predictor implements vscode.Disposable {
  private last = '';
  /** The goal of the last time, to begin with. */
  private goal = '';
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly provider: vscode.Disposable;

  constructor(private readonly server: () => Server) {
    this.provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: this.changed.event,
      provideTextDocumentContent: () => this.last,
    });
  }

  dispose(): void {
    this.provider.dispose();
    this.changed.dispose();
  }

  /** Asks what is not given, predicts, and shows the report. */
  async predict(given: Partial<Wish> = {}): Promise<void> {
    const wish = await this.completed(given);
    if (!wish) return;
    try {
      const { goal, text, warnings } = (await this.server().execute('costlens.server.predict', wish)) as Prediction;
      this.last = [`?- ${goal}.`, '', text.trimEnd(), ...warnings.map((warning) => `warning: ${warning}`), ''].join('\n');
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      void vscode.window.showErrorMessage(`Costlens: nothing is predicted: ${reason}`);
      return;
    }
    this.changed.fire(TITLE);
    const document = await vscode.workspace.openTextDocument(TITLE);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true });
  }

  private async completed(given: Partial<Wish>): Promise<Wish | undefined> {
    const prompt = 'A call of a predicate of this file. It is not run: past runs of it say what it is likely to cost.';
    const of = await asked(given, 'predicted', prompt, this.goal);
    if (!of) return undefined;
    if (given.goal === undefined) this.goal = of.goal;
    return { ...of, all: given.all ?? false };
  }
}
