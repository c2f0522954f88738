//! The heat of what a profile has marked: colours behind the names and in the ruler, until the server takes them back, which it does when a text of the
//! program changes.

import * as vscode from 'vscode';
import * as settings from './settings';

const LEVELS = ['low', 'medium', 'high', 'highest'] as const;
type Level = (typeof LEVELS)[number];

interface Mark {
  range: { start: { line: number; character: number }; end: { line: number; character: number } };
  level: Level;
}

/** What the server says: of all documents, none where no profile is shown. */
export interface Heat {
  files: { uri: string; marks: Mark[] }[];
}

export class HeatMarks implements vscode.Disposable {
  private marks = new Map<string, Mark[]>();
  private readonly types = new Map(LEVELS.map((level) => [level, decoration(level)]));
  private readonly editors = vscode.window.onDidChangeVisibleTextEditors(() => this.show());

  dispose(): void {
    this.editors.dispose();
    for (const type of this.types.values()) type.dispose();
  }

  /** Takes the place of what was there. */
  take({ files }: Heat): void {
    this.marks = new Map(files.map(({ uri, marks }) => [vscode.Uri.parse(uri).toString(), marks]));
    this.show();
  }

  /** Draws in all editors that are visible. The switch of hints is theirs, too. */
  show(): void {
    const enabled = settings.hintsEnabled();
    for (const editor of vscode.window.visibleTextEditors) {
      const marks = (enabled && this.marks.get(editor.document.uri.toString())) || [];
      for (const [level, type] of this.types) {
        const of = marks.filter((mark) => mark.level === level);
        editor.setDecorations(type, of.map(({ range: { start, end } }) => new vscode.Range(start.line, start.character, end.line, end.character)));
      }
    }
  }
}

function decoration(level: Level): vscode.TextEditorDecorationType {
  const colour = new vscode.ThemeColor(`costlens.heat.${level}`);
  return vscode.window.createTextEditorDecorationType({
    backgroundColor: colour,
    borderRadius: '2px',
    overviewRulerColor: colour,
    overviewRulerLane: vscode.OverviewRulerLane.Right,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
}
