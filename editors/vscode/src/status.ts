//! The item in the status bar: whether the server runs, and which version. A click shows the log.

import * as vscode from 'vscode';
import { PROLOG } from './language';

export type ServerState = 'starting' | 'running' | 'stopped' | 'failed';

const ICONS: Record<ServerState, string> = {
  starting: '$(loading~spin)',
  running: '$(pulse)',
  stopped: '$(circle-slash)',
  failed: '$(error)',
};

export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('costlens.status', vscode.StatusBarAlignment.Right, 100);
  private readonly listener: vscode.Disposable;
  private state: ServerState = 'stopped';

  constructor() {
    this.item.name = 'Costlens';
    this.item.command = 'costlens.showLog';
    this.listener = vscode.Disposable.from(
      vscode.window.onDidChangeActiveTextEditor(() => this.showWhereItMatters()),
      // A `.pl` file that turns out to be Prolog is opened again, in the same editor.
      vscode.workspace.onDidOpenTextDocument(() => this.showWhereItMatters()),
    );
    this.set('stopped');
  }

  set(state: ServerState, detail = ''): void {
    this.state = state;
    this.item.text = `${ICONS[state]} Costlens${state === 'running' ? ` ${detail}`.trimEnd() : ''}`;
    this.item.tooltip = `Costlens: ${state}${detail ? ` (${detail})` : ''}. Click to show the log.`;
    this.item.backgroundColor = state === 'failed' ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    this.showWhereItMatters();
  }

  dispose(): void {
    this.listener.dispose();
    this.item.dispose();
  }

  /** Beside a Prolog text, and everywhere once the server has failed. */
  private showWhereItMatters(): void {
    const active = vscode.window.activeTextEditor?.document.languageId === PROLOG;
    if (active || this.state === 'failed') this.item.show();
    else this.item.hide();
  }
}
