//! Runs the steps of a scenario and prints one line for each: what `tests/editors/run` counts.

import path from 'node:path';

export class Steps {
  failures = 0;

  /** @param {{ screenshot: (file: string) => Promise<void>, out: string }} where to put a picture of a failed step */
  constructor(where) {
    this.where = where;
  }

  /** One step. A failed one does not stop those after it: they often say why. */
  async step(name, body) {
    const started = Date.now();
    try {
      await body();
      console.log(`ok    vscode: ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
    } catch (error) {
      this.failures += 1;
      console.log(`FAIL  vscode: ${name}`);
      console.log(String(error.message ?? error).replace(/^/gm, '      '));
      const file = `failed-${name.replace(/[^a-z0-9]+/gi, '-').slice(0, 60)}.png`;
      await this.where.screenshot(path.join(this.where.out, file)).catch(() => {});
    }
  }
}

/** Throws unless the condition holds; the message should show what was seen. */
export function check(condition, message) {
  if (!condition) throw new Error(message);
}

/** How long a step waits for what it wants to see, in milliseconds, unless it says otherwise. */
const PATIENCE = 1000 * Number(process.env.COSTLENS_TEST_WAIT ?? 20);

/** Asks again and again until the answer is truthy, and returns it; says what it waited for when the time is over. */
export async function eventually(what, ask, milliseconds = PATIENCE) {
  const end = Date.now() + milliseconds;
  let last;
  for (;;) {
    try {
      last = await ask();
      if (last) return last;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw new Error(`waited ${milliseconds / 1000} s for ${what}${last ? `; last: ${last}` : ''}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
