// A session of the language server with one document. Each step waits for the server's answer, as an editor does.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Starts a server by a command, for a document and the folder of its workspace. Returns functions that open the document, edit it and end the
 * server; each waits until it is done.
 */
export const session = (command, args, uri = 'file:///long.pl', root = null) => {
  const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map();
  let received = Buffer.alloc(0);
  server.stdout.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const header = /^Content-Length: (\d+)\r\n(?:[^\r]+\r\n)*\r\n/.exec(received.toString('latin1'));
      if (!header || received.length < header[0].length + Number(header[1])) return;
      const end = header[0].length + Number(header[1]);
      const message = JSON.parse(received.subarray(header[0].length, end).toString('utf8'));
      received = received.subarray(end);
      if (message.method && message.id !== undefined) send({ id: message.id, result: null });
      else waiting.get(message.id)?.(message.result);
    }
  });
  const send = (message) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  let id = 0;
  const ask = (method, params) => {
    id += 1;
    send({ id, method, params });
    return new Promise((done) => waiting.set(id, done));
  };
  const ended = new Promise((done) => server.on('exit', done));
  const range = (line) => ({ start: { line: Math.max(0, line - 20), character: 0 }, end: { line: line + 20, character: 0 } });
  const hints = (line) => ask('textDocument/inlayHint', { textDocument: { uri }, range: range(line) });
  return {
    /** Opens a text, and waits for the hints around a line. A client that can refresh hints gets those that are there. */
    open: async (text, line, canRefresh = false) => {
      const capabilities = canRefresh ? { workspace: { inlayHint: { refreshSupport: true } } } : {};
      await ask('initialize', { processId: null, rootUri: root, capabilities });
      send({ method: 'initialized', params: {} });
      send({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'prolog', version: 1, text } } });
      return hints(line);
    },
    hints,
    /** The resident memory of the server in MB, on Linux. */
    memory: () => {
      const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024;
    },
    /** Replaces characters of a line, and waits for the hints around it. */
    edit: (version, line, [start, end], text) => {
      const at = { start: { line, character: start }, end: { line, character: end } };
      send({ method: 'textDocument/didChange', params: { textDocument: { uri, version }, contentChanges: [{ range: at, text }] } });
      return hints(line);
    },
    /** Waits for the problems of the document, which need all its bounds. */
    problems: () => ask('textDocument/diagnostic', { textDocument: { uri } }),
    /** Waits until the server has ended. */
    end: async () => {
      await ask('shutdown');
      send({ method: 'exit' });
      await ended;
    },
  };
};
