// Takes the place of @vscode/spdlog, whose logger is a native module that would need a compiler: VS Code's log files,
// written without rotation. Loggers below `info` stay silent, as in the original's default.
const fs = require('node:fs');
const path = require('node:path');

const LEVELS = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];
const INFO = LEVELS.indexOf('info');

class Logger {
  #file;
  #level = INFO;
  #bare = false;

  constructor(_type, _name, file) {
    this.#file = file;
    if (file) fs.mkdirSync(path.dirname(file), { recursive: true });
  }

  #write(level, message) {
    if (level < this.#level || !this.#file) return;
    const line = this.#bare ? message : `${new Date().toISOString()} [${LEVELS[level]}] ${message}\n`;
    try {
      fs.appendFileSync(this.#file, line);
    } catch {
      // The profile folder may already be gone at shutdown.
    }
  }

  trace(message) { this.#write(0, message); }
  debug(message) { this.#write(1, message); }
  info(message) { this.#write(2, message); }
  warn(message) { this.#write(3, message); }
  error(message) { this.#write(4, message); }
  critical(message) { this.#write(5, message); }
  getLevel() { return this.#level; }
  setLevel(level) { this.#level = level; }
  setPattern() {}
  clearFormatters() { this.#bare = true; }
  flush() {}
  drop() { this.#file = null; }
}

const create = async (name, file) => new Logger('rotating', name, file);
const nothing = () => {};

// One by one: VS Code imports these by name from an ES module, for which Node reads the assignments without running them.
exports.Logger = Logger;
exports.version = 0;
exports.setLevel = nothing;
exports.setFlushOn = nothing;
exports.shutdown = nothing;
exports.createRotatingLogger = create;
exports.createAsyncRotatingLogger = create;
