//! The running server and its client. This module is a bundle of its own, loaded with the first Prolog document, so
//! that opening a text file costs no more than the sniffer.

import * as vscode from 'vscode';
import {
  CloseAction,
  CodeLensRequest,
  DidChangeConfigurationNotification,
  ErrorAction,
  ExecuteCommandRequest,
  InlayHintRequest,
  LanguageClient,
  State,
  type CloseHandlerResult,
  type ErrorHandler,
  type LanguageClientOptions,
} from 'vscode-languageclient/node';
import { HeatMarks, type Heat } from './heat';
import { LIBRARY, PROLOG } from './language';
import { findProgram, isRunnable } from './program';
import * as settings from './settings';
import type { Status } from './status';

/** So many ends of the server within this time (in ms) count as a crash loop. */
const CRASHES = 4;
const CRASH_WINDOW = 3 * 60 * 1000;

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  /** The server ended too often and is not started again by itself. */
  private gaveUp = false;
  /** Starts and stops run one after the other, in the order they were asked for. */
  private queue: Promise<void> = Promise.resolve();

  private readonly library: vscode.Disposable;
  private readonly heat = new HeatMarks();

  constructor(
    private readonly extensionFolder: string,
    private readonly log: vscode.LogOutputChannel,
    private readonly status: Status,
  ) {
    this.library = vscode.workspace.registerTextDocumentContentProvider(LIBRARY, {
      provideTextDocumentContent: (uri) => this.client?.sendRequest<string | null>('costlens/libraryText', { uri: uri.toString() }),
    });
  }

  /** Starts the server if it is not running and is switched on. */
  start(): Promise<void> {
    return this.enqueue(() => this.startNow());
  }

  restart(): Promise<void> {
    return this.enqueue(async () => {
      await this.stopNow();
      await this.startNow();
    });
  }

  stop(): Promise<void> {
    return this.enqueue(() => this.stopNow());
  }

  dispose(): void {
    this.library.dispose();
    this.heat.dispose();
    void this.stop();
  }

  /** Has the running server carry out one of its commands, and starts it first where that is needed. */
  async execute(command: string, argument: unknown): Promise<unknown> {
    await this.start();
    if (!this.client) throw new Error('the server does not run; see the log');
    return this.client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [argument] });
  }

  /** Asks VS Code to fetch the hints again, without waiting for the server to ask for it. */
  refreshHints(): void {
    this.heat.show();
    const feature = this.client?.getFeature(InlayHintRequest.method);
    for (const document of vscode.workspace.textDocuments) {
      if (document.languageId === PROLOG) feature?.getProvider(document)?.onDidChangeInlayHints.fire();
    }
  }

  /** Asks VS Code to fetch the lenses again. */
  refreshLenses(): void {
    const feature = this.client?.getFeature(CodeLensRequest.method);
    for (const document of vscode.workspace.textDocuments) {
      if (document.languageId === PROLOG) feature?.getProvider(document)?.onDidChangeCodeLensEmitter.fire();
    }
  }

  /** Sends the settings again, since they depend on whether the workspace is trusted. */
  refreshSettings(): void {
    void this.client?.sendNotification(DidChangeConfigurationNotification.type, { settings: { [settings.SECTION]: settings.all() } });
  }

  private enqueue(step: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(step, step);
    return this.queue;
  }

  private async startNow(): Promise<void> {
    if (this.client || !settings.enabled()) return;
    const command = findProgram(settings.serverPath(), this.extensionFolder);
    const args = ['lsp', '--stdio', ...settings.extraArguments()];
    if (!isRunnable(command)) return this.cannotStart(command, 'there is no such program');
    this.log.info(`starting ${[command, ...args].join(' ')}`);
    this.status.set('starting');
    this.gaveUp = false;

    const client = new LanguageClient('costlens', 'Costlens', { command, args }, this.options());
    client.onNotification('costlens/heat', (heat: Heat) => this.heat.take(heat));
    client.onDidChangeState(({ newState }) => this.stateChanged(client, newState));
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      this.client = undefined;
      this.cannotStart(command, error instanceof Error ? error.message : String(error));
    }
  }

  private cannotStart(command: string, reason: string): void {
    this.status.set('failed');
    this.log.error(`cannot start ${command}: ${reason}`);
    void vscode.window
      .showErrorMessage(`Costlens: the server could not be started (${command}).`, 'Show Log')
      .then((choice) => choice && this.log.show());
  }

  private async stopNow(): Promise<void> {
    const client = this.client;
    if (!client) return;
    this.client = undefined;
    this.heat.take({ files: [] });
    try {
      await client.dispose();
    } catch (error) {
      this.log.warn(`the server did not stop in order: ${String(error)}`);
    }
    this.status.set('stopped');
  }

  private stateChanged(client: LanguageClient, state: State): void {
    if (client !== this.client) return;
    if (state === State.Running) {
      const info = client.initializeResult?.serverInfo;
      this.log.info(`running ${info?.name ?? 'server'} ${info?.version ?? ''}`.trimEnd());
      this.status.set('running', info?.version);
    } else if (state === State.Starting) {
      this.status.set('starting');
    } else {
      this.heat.take({ files: [] });
      this.status.set(this.gaveUp ? 'failed' : 'stopped');
    }
  }

  private options(): LanguageClientOptions {
    return {
      documentSelector: [
        { language: PROLOG, scheme: 'file' },
        { language: PROLOG, scheme: 'untitled' },
      ],
      initializationOptions: () => settings.initial(),
      synchronize: { configurationSection: settings.SECTION },
      outputChannel: this.log,
      errorHandler: this.errorHandler(),
      middleware: {
        // Switched off means off at once, whether or not the server has taken up the setting yet.
        provideInlayHints: (document, range, token, next) =>
          settings.hintsEnabled() ? next(document, range, token) : [],
        workspace: {
          configuration: async (params, token, next) => {
            const found = await next(params, token);
            return Array.isArray(found) ? found.map((section, i) => (params.items[i]?.section === settings.SECTION ? settings.trusted(section) : section)) : found;
          },
        },
        // They offer to run code of the workspace.
        provideCodeLenses: (document, token, next) => (vscode.workspace.isTrusted ? next(document, token) : []),
      },
    };
  }

  private errorHandler(): ErrorHandler {
    const ends: number[] = [];
    return {
      error: () => ({ action: ErrorAction.Continue }),
      closed: (): CloseHandlerResult => {
        const now = Date.now();
        ends.push(now);
        const recent = ends.filter((end) => now - end < CRASH_WINDOW).length;
        if (recent < CRASHES) return { action: CloseAction.Restart };
        this.gaveUp = true;
        return {
          action: CloseAction.DoNotRestart,
          message: `Costlens: the server ended ${recent} times within three minutes and is not started again; see the log.`,
        };
      },
    };
  }
}
