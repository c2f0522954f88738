//! Profiles of goals: the server runs them, shows how far it is, and marks what used what; here is what asks for them and what shows the rest.

import * as vscode from 'vscode';
import { asked } from './goal';
import type { Server } from './server';
import * as settings from './settings';

/** What is profiled: a lens names all of it. */
export interface Wish {
  uri: string;
  goal: string;
  search: boolean;
}

interface Place {
  uri: string;
  range: { start: { line: number; character: number }; end: { line: number; character: number } };
}

/** A predicate: its shares, and where it begins. */
interface Row {
  name: string;
  depth: number;
  own: string | null;
  withCalls: string | null;
  location: Place | null;
}

/** What the server says of a profile. */
interface Profile {
  goal: string;
  summary: string;
  exception: string | null;
  outdated: boolean;
  warnings: string[];
  list: Row[];
  page: string;
}

const WALK = 'Walk Through';
const SHOW = 'Show';

export class Profiler implements vscode.Disposable {
  private last: Profile | undefined;
  private panel: vscode.WebviewPanel | undefined;
  /** The goal of the last time, to begin with. */
  private goal = '';

  constructor(private readonly server: () => Server) {}

  dispose(): void {
    this.panel?.dispose();
  }

  /** Asks what is not given, profiles, and says how that ended. */
  async profile(given: Partial<Wish> = {}): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      void vscode.window.showErrorMessage('Costlens: in an untrusted workspace no goal is run. Trust it first (Workspaces: Manage Workspace Trust).');
      return;
    }
    const wish = await this.completed(given);
    if (!wish) return;
    try {
      const argument = { ...wish, engine: settings.profileEngine(), trusted: true };
      this.last = (await this.server().execute('costlens.server.profile', argument)) as Profile;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      void vscode.window.showErrorMessage(`Costlens: nothing was profiled: ${reason}`);
      return;
    }
    if (this.panel) this.panel.webview.html = this.last.page;
    const { goal, summary, exception, outdated, warnings } = this.last;
    const more = (exception ? `: ${exception}` : '') + (outdated ? '. The text has changed meanwhile, so that nothing is marked in it' : '') + warnings.map((warning) => `. ${warning}`).join('');
    const choice = await vscode.window.showInformationMessage(`Costlens: ${goal}: ${summary}${more}.`, WALK, SHOW);
    if (choice === WALK) await this.walk();
    if (choice === SHOW) this.show();
  }

  /** Lists the predicates of the last profile. The editor goes along with the entry that is chosen. */
  async walk(): Promise<void> {
    const last = this.known();
    if (!last) return;
    const before = vscode.window.activeTextEditor;
    const picks = vscode.window.createQuickPick<vscode.QuickPickItem & { row: Row }>();
    picks.placeholder = `What ${last.goal} spends`;
    picks.items = last.list.map((row) => ({
      row,
      label: `${'\u2003'.repeat(row.depth)}${row.name}`,
      description: [row.own && `itself ${row.own}`, row.withCalls && `with calls ${row.withCalls}`].filter(Boolean).join(', '),
    }));
    let taken = false;
    picks.onDidChangeActive(([item]) => item && void reveal(item.row, true));
    picks.onDidAccept(async () => {
      taken = true;
      const [item] = picks.activeItems;
      picks.hide();
      if (item) await reveal(item.row, false);
    });
    picks.onDidHide(() => {
      picks.dispose();
      if (!taken && before) void vscode.window.showTextDocument(before.document, before.viewColumn);
    });
    picks.show();
  }

  /** Shows the page of the last profile: flame graph, tables, the graph of calls. It loads nothing. */
  show(): void {
    const last = this.known();
    if (!last) return;
    if (!this.panel) {
      this.panel = vscode.window.createWebviewPanel('costlens.profile', 'Costlens Profile', vscode.ViewColumn.Beside, {
        enableScripts: true,
        localResourceRoots: [],
      });
      this.panel.onDidDispose(() => (this.panel = undefined));
    }
    this.panel.webview.html = last.page;
    this.panel.reveal();
  }

  private known(): Profile | undefined {
    if (!this.last) void vscode.window.showInformationMessage('Costlens: nothing was profiled yet.');
    return this.last;
  }

  private async completed(given: Partial<Wish>): Promise<Wish | undefined> {
    const prompt = 'The goal, as at a prompt. It is run with the program of this file.';
    const of = await asked(given, 'profiled', prompt, this.goal);
    if (!of) return undefined;
    if (given.goal === undefined) this.goal = of.goal;
    return { ...of, search: given.search ?? false };
  }
}

/** Goes to a predicate; as a preview the list keeps the focus. */
async function reveal({ location }: Row, preview: boolean): Promise<void> {
  if (!location) return;
  const { start, end } = location.range;
  const selection = new vscode.Range(start.line, start.character, end.line, end.character);
  await vscode.window.showTextDocument(vscode.Uri.parse(location.uri), { selection, preview, preserveFocus: preview });
}
