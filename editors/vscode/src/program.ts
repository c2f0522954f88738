//! Which program to start as the server.

import * as fs from 'node:fs';
import * as path from 'node:path';

/** Where the package carries the program; `scripts/package.mjs` puts it there. */
export const BUNDLED = path.join('server', process.platform === 'win32' ? 'costlens.exe' : 'costlens');

/**
 * The setting if it is not empty, else the program in the package, else `costlens` on the `PATH`.
 * Not every unpacker keeps mode bits, so the packaged program is made executable where that can be done.
 */
export function findProgram(setting: string, extensionFolder: string): string {
  if (setting) return setting;
  const bundled = path.join(extensionFolder, BUNDLED);
  if (!fs.existsSync(bundled)) return 'costlens';
  try {
    fs.accessSync(bundled, fs.constants.X_OK);
  } catch {
    try {
      fs.chmodSync(bundled, 0o755);
    } catch {
      // A folder of another user: starting it will name the reason.
    }
  }
  return bundled;
}

/** Whether the system could start this: a path of an executable file, or a name that the `PATH` leads to. */
export function isRunnable(command: string, searchPath = process.env['PATH'] ?? ''): boolean {
  if (process.platform === 'win32') return true; // suffixes, registry: left to the system
  const places = command.includes('/') ? [command] : searchPath.split(path.delimiter).map((folder) => path.join(folder, command));
  return places.some((place) => {
    try {
      fs.accessSync(place, fs.constants.X_OK);
      return fs.statSync(place).isFile();
    } catch {
      return false;
    }
  });
}
