//! The settings under `costlens`, as the contributions in `package.json` declare them. The server gets all of them as
//! they are; only those that the extension itself reads are named here.

import * as vscode from 'vscode';

export const SECTION = 'costlens';

const read = <T>(key: string, fallback: T): T => vscode.workspace.getConfiguration(SECTION).get(key, fallback);

export const enabled = (): boolean => read('enable', true);
export const serverPath = (): string => read('server.path', '').trim();
export const extraArguments = (): string[] => read<string[]>('server.extraArgs', []);
export const profileEngine = (): string => read('profile.engine', 'embedded');
export const hintsEnabled = (): boolean => read('hints.enable', true);

/** Settings that only a fresh server process takes up. */
export const needRestart: readonly string[] = ['costlens.enable', 'costlens.server'];

/** The object under `costlens`, as plain data, and what VS Code can show: pictures in hovers, documents of the library, lenses that profile, colours of profiles. */
export function initial(): unknown {
  return { ...(all() as object), hoverPlot: true, libraryDocuments: true, profileLenses: true, profileHeat: true };
}

/** The object under `costlens`, as plain data. In an untrusted workspace, no code is run. */
export function all(): unknown {
  return trusted(JSON.parse(JSON.stringify(vscode.workspace.getConfiguration(SECTION))));
}

/** The object under `costlens`, with what an untrusted workspace may not have switched off. */
export function trusted<T>(settings: T): T {
  return vscode.workspace.isTrusted ? settings : { ...settings, expansions: false };
}

/** Flips `costlens.hints.enable` where it is set now: in the workspace if it is there, else for the user. */
export async function toggleHints(): Promise<void> {
  const settings = vscode.workspace.getConfiguration(SECTION);
  const target =
    settings.inspect('hints.enable')?.workspaceValue === undefined
      ? vscode.ConfigurationTarget.Global
      : vscode.ConfigurationTarget.Workspace;
  await settings.update('hints.enable', !hintsEnabled(), target);
}
