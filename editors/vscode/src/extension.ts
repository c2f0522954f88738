//! What VS Code activates. Kept small: it runs for every Perl and plain text file, and only looks whether one of them is
//! Prolog. The client is another bundle, loaded when the first Prolog document is there.

import * as vscode from 'vscode';
import { calibrate, type Wish } from './calibrate';
import { LanguageWatcher } from './language';
import { Predictor, type Wish as PredictWish } from './predict';
import { Profiler, type Wish as ProfileWish } from './profile';
import * as settings from './settings';
import { Status } from './status';
import type { Server } from './server';

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Costlens', { log: true });
  const status = new Status();

  const running = (): Server => {
    if (!server) {
      const { Server: Implementation } = require('./server.js') as typeof import('./server');
      server = new Implementation(context.extensionPath, log, status);
    }
    return server;
  };

  const profiler = new Profiler(running);
  const predictor = new Predictor(running);

  context.subscriptions.push(
    log,
    status,
    profiler,
    predictor,
    new LanguageWatcher(() => void running().start()),
    vscode.commands.registerCommand('costlens.restart', () => running().restart()),
    vscode.commands.registerCommand('costlens.showLog', () => log.show()),
    vscode.commands.registerCommand('costlens.calibrate', (wish?: Partial<Wish>) => calibrate(running(), wish)),
    vscode.commands.registerCommand('costlens.profile', (wish?: Partial<ProfileWish>) => profiler.profile(wish)),
    vscode.commands.registerCommand('costlens.findBottleneck', (wish?: Partial<ProfileWish>) => profiler.profile({ ...wish, search: true })),
    vscode.commands.registerCommand('costlens.predict', (wish?: Partial<PredictWish>) => predictor.predict(wish)),
    vscode.commands.registerCommand('costlens.walkProfile', () => profiler.walk()),
    vscode.commands.registerCommand('costlens.showProfile', () => profiler.show()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      server?.refreshLenses();
      server?.refreshSettings();
    }),
    vscode.commands.registerCommand('costlens.toggleHints', () => settings.toggleHints()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (!server) return;
      if (settings.needRestart.some((section) => event.affectsConfiguration(section))) void server.restart();
      else if (event.affectsConfiguration(settings.SECTION)) server.refreshHints();
    }),
  );
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
