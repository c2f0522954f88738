//! Gives a document the language `prolog` where its text says so and VS Code could only guess by the name.
//!
//! `.pl` is not contributed as an extension of Prolog: that would seize every Perl file.

import * as vscode from 'vscode';
import { sniff } from './sniff';

export const PROLOG = 'prolog';

/** Documents of the library that ships with the server; it has their texts. */
export const LIBRARY = 'costlens-library';

/** Names that several languages share (`.P` is XSB's Prolog, `.pro` also Qt's and IDL's). */
const AMBIGUOUS = /\.(pl|pro|prolog|plt|p|yap|lgt)$/i;
/** Languages that VS Code gives such a file for want of better knowledge. */
const GUESSED = new Set(['perl', 'plaintext']);

/**
 * Watches documents being opened, and saved while their text was not yet telling (a new file). Each is judged once: a
 * person who then chooses a language by hand keeps it. Calls `found` for every document that is, or becomes, Prolog.
 */
export class LanguageWatcher implements vscode.Disposable {
  private readonly judged = new Set<string>();
  private readonly listeners: vscode.Disposable;

  constructor(private readonly found: (document: vscode.TextDocument) => void) {
    this.listeners = vscode.Disposable.from(
      vscode.workspace.onDidOpenTextDocument((document) => this.look(document)),
      vscode.workspace.onDidSaveTextDocument((document) => this.look(document)),
    );
    for (const document of vscode.workspace.textDocuments) this.look(document);
  }

  dispose(): void {
    this.listeners.dispose();
  }

  private look(document: vscode.TextDocument): void {
    if (document.languageId === PROLOG) {
      this.judged.add(document.uri.toString());
      this.found(document);
    } else if (document.uri.scheme === LIBRARY) {
      void vscode.languages.setTextDocumentLanguage(document, PROLOG);
    } else if (this.looksAmbiguous(document)) {
      const verdict = sniff(document.getText());
      if (verdict !== 'undecided') this.judged.add(document.uri.toString());
      // The change of language closes the document and opens it again, which brings it to the branch above.
      if (verdict === 'prolog') void vscode.languages.setTextDocumentLanguage(document, PROLOG);
    }
  }

  private looksAmbiguous(document: vscode.TextDocument): boolean {
    return (
      GUESSED.has(document.languageId) &&
      document.uri.scheme === 'file' &&
      AMBIGUOUS.test(document.uri.path) &&
      !this.judged.has(document.uri.toString()) &&
      !associatedByHand(document)
    );
  }
}

/** Whether `files.associations` names a language for this kind of file: then the person has decided. */
function associatedByHand(document: vscode.TextDocument): boolean {
  const associations = vscode.workspace.getConfiguration('files', document.uri).get<Record<string, string>>('associations', {});
  return Object.keys(associations).some(
    (glob) => vscode.languages.match({ pattern: glob.includes('/') ? glob : `**/${glob}` }, document) > 0,
  );
}
