//! VS Code's window as a person uses it: keys go in, and what is read is what is drawn.

import { createRequire } from 'node:module';
import path from 'node:path';
import { check, eventually } from './steps.mjs';

/** Drawn text has non-breaking blanks and marks of no width. */
const plain = (text) => text.replace(/\u00a0/g, ' ').replace(/[\u200b\u200c\u200d]/g, '');

export class Workbench {
  /** Opens a browser on the server's workspace and waits until the file's tab is there; `sharp` is for pictures. */
  static async open(home, server, file, { sharp = false } = {}) {
    const { chromium } = createRequire(path.join(home, 'tools/package.json'))('playwright-core');
    const browser = await chromium.launchPersistentContext(server.browserProfile, {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      headless: true,
      viewport: { width: 1280, height: 800 },
      deviceScaleFactor: sharp ? 2 : 1,
      locale: 'en-US',
      permissions: ['clipboard-read', 'clipboard-write'],
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
        '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'],
    });
    const page = browser.pages()[0] ?? (await browser.newPage());
    const workbench = new Workbench(browser, page);
    await page.goto(server.url(file));
    await page.waitForSelector('.monaco-workbench', { timeout: 60_000 });
    await workbench.#tab(file);
    return workbench;
  }

  constructor(browser, page) {
    this.browser = browser;
    this.page = page;
  }

  close() {
    return this.browser.close().catch(() => {});
  }

  screenshot(file, clip) {
    return this.page.screenshot({ path: file, ...(clip && { clip }) });
  }

  /** Opens a file of the workspace by its name, through the quick open box. */
  async openFile(name) {
    await this.page.keyboard.press('Escape');
    await this.page.keyboard.press('Control+p');
    await this.#fillQuickInput(name);
    await eventually(`${name} in the list`, async () =>
      plain((await this.page.locator('.quick-input-list .monaco-list-row').first().textContent()) ?? '').includes(name));
    await this.page.keyboard.press('Enter');
    await this.#tab(name);
    await this.#focusEditor();
  }

  /** Runs a command through the command palette, by its title. */
  async command(title) {
    await this.page.keyboard.press('Escape');
    await this.page.keyboard.press('F1');
    await this.#fillQuickInput(`>${title}`);
    await eventually(`the command ${title}`, async () =>
      plain((await this.page.locator('.quick-input-list .monaco-list-row').first().textContent()) ?? '').includes(title));
    await this.page.keyboard.press('Enter');
    await this.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  }

  /** The same for a command that asks: takes an entry of each list that it shows, or types the `text` that it wants. */
  async commandWith(title, ...entries) {
    await this.page.keyboard.press('Escape');
    await this.page.keyboard.press('F1');
    for (const [index, entry] of [`>${title}`, ...entries].entries()) {
      if (entry.text !== undefined) {
        // The palette goes before the box comes.
        await eventually('a box for text', async () => !(await this.page.locator('.quick-input-list .monaco-list-row:visible').count()));
        await this.#fillQuickInput(entry.text);
        await this.page.keyboard.press('Enter');
        continue;
      }
      await this.#fillQuickInput(entry);
      const wanted = index === 0 ? title : entry;
      await eventually(`the entry ${wanted}`, async () =>
        plain((await this.page.locator('.quick-input-list .monaco-list-row').first().textContent()) ?? '').startsWith(wanted));
      await this.page.keyboard.press('Enter');
    }
    await this.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  }

  /** Runs a command that shows a list, and returns its entries; the list stays open. */
  async commandList(title) {
    await this.page.keyboard.press('Escape');
    await this.page.keyboard.press('F1');
    await this.#fillQuickInput(`>${title}`);
    const rows = this.page.locator('.quick-input-list .monaco-list-row:visible');
    const texts = async () => (await rows.allTextContents()).map(plain);
    await eventually(`the command ${title}`, async () => (await texts())[0]?.includes(title));
    await this.page.keyboard.press('Enter');
    return eventually('its list', async () => {
      const shown = await texts();
      return shown.length > 0 && !shown[0].includes(title) && shown;
    });
  }

  /** Clicks a lens: the one of this number, from 0, among those whose title matches. */
  takeLens(pattern, number) {
    return eventually(`${number + 1} lenses like ${pattern}`, async () => {
      const lenses = this.page.locator('.codelens-decoration a');
      const titles = (await lenses.allTextContents()).map(plain);
      const tops = await lenses.evaluateAll((all) => all.map((lens) => lens.getBoundingClientRect().top));
      const found = titles.map((title, at) => [at, title, tops[at]]).filter(([, title]) => pattern.test(title)).sort((a, b) => a[2] - b[2]);
      if (found.length <= number) return false;
      await lenses.nth(found[number][0]).click();
      return true;
    });
  }

  /** The texts of elements inside of web views. */
  async webviewTexts(selector) {
    const texts = [];
    for (const frame of this.page.frames()) {
      if (frame !== this.page.mainFrame()) texts.push(...(await frame.locator(selector).allTextContents().catch(() => [])));
    }
    return texts;
  }

  /** Puts the cursor to a line and column, both from 1. */
  async goto(line, column = 1) {
    await this.page.keyboard.press('Escape');
    await this.#focusEditor();
    await this.page.keyboard.press('Control+g');
    await this.#fillQuickInput(`:${line}:${column}`);
    await this.page.waitForTimeout(150);
    await this.page.keyboard.press('Enter');
    await this.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    await this.cursorAt(line, column);
  }

  /** Waits until the cursor is at a line and column. */
  cursorAt(line, column) {
    return eventually(`the cursor at ${line}:${column}`, async () =>
      (await this.page.locator('#status\\.editor\\.selection').textContent())?.includes(`Ln ${line}, Col ${column}`));
  }

  /** The text of the open peek view: its title and its list. */
  async peek() {
    return plain((await this.page.locator('.peekview-widget:visible, .zone-widget:visible').allTextContents()).join('\n'));
  }

  async closePeek() {
    await this.page.keyboard.press('Escape');
    await this.page.locator('.peekview-widget').first().waitFor({ state: 'hidden' });
    await this.#focusEditor();
  }

  /** The entries of the list of completions, once one of them matches and is the chosen one. */
  async suggestions(pattern) {
    const rows = this.page.locator('.suggest-widget:visible .monaco-list-row');
    await eventually(`a completion like ${pattern}`, async () => {
      const chosen = this.page.locator('.suggest-widget:visible .monaco-list-row.focused');
      if ((await chosen.count()) && pattern.test(plain((await chosen.first().textContent()) ?? ''))) return true;
      if (!(await rows.count())) await this.page.keyboard.press('Control+Space');
      await this.page.waitForTimeout(500);
      return false;
    });
    return (await rows.allTextContents()).map(plain);
  }

  type(text) {
    return this.page.keyboard.type(text, { delay: 15 });
  }

  press(key) {
    return this.page.keyboard.press(key);
  }

  /** The lines of the editor as drawn, hints included, top to bottom; index 0 is line 1, for files that fit the window. */
  async lines() {
    const lines = await this.page.evaluate(() =>
      [...document.querySelectorAll('.editor-instance .view-line')]
        .map((line) => ({ top: parseFloat(line.style.top), text: line.textContent ?? '' }))
        .sort((a, b) => a.top - b.top)
        .map((line) => line.text));
    return lines.map(plain);
  }

  /** Waits for a drawn line that matches; returns its number, from 1. */
  line(pattern, milliseconds) {
    return eventually(`a line like ${pattern}`, async () => (await this.lines()).findIndex((line) => pattern.test(line)) + 1, milliseconds)
      .catch(async (error) => {
        throw new Error(`${error.message}\nthe window shows:\n${(await this.lines()).join('\n')}`);
      });
  }

  /** Waits until no drawn line matches. */
  noLine(pattern, milliseconds) {
    return eventually(`no line like ${pattern}`, async () => !(await this.lines()).some((line) => pattern.test(line)), milliseconds);
  }

  /** The colours behind parts of the text that an extension has put there. */
  behind() {
    return this.page.evaluate(() =>
      [...document.querySelectorAll('.editor-instance .view-overlays [class*="TextEditorDecorationType"]')]
        .map((part) => getComputedStyle(part).backgroundColor)
        .filter((colour) => colour !== 'rgba(0, 0, 0, 0)'));
  }

  /** Line numbers that have a drawn underline of a severity (`error`, `warning`, `info`, `hint`). */
  squiggles(severity) {
    return this.page.evaluate((severity) => {
      const lines = [...document.querySelectorAll('.editor-instance .view-line')]
        .map((line) => line.getBoundingClientRect())
        .sort((a, b) => a.top - b.top);
      const marks = [...document.querySelectorAll(`.editor-instance .squiggly-${severity}`)].map((mark) => mark.getBoundingClientRect());
      const middle = (box) => (box.top + box.bottom) / 2;
      return marks
        .filter((mark) => mark.width > 0)
        .map((mark) => lines.findIndex((line) => line.top <= middle(mark) && middle(mark) < line.bottom) + 1);
    }, severity);
  }

  /** The hover that is drawn for a place (asked for by keyboard: a mouse trembles): its text and its tables' cells. */
  async hover(line, column) {
    await this.goto(line, column);
    const contents = this.page.locator('.monaco-hover:visible .hover-contents');
    await eventually(`a hover at ${line}:${column}`, async () => {
      if (await contents.count()) return true;
      await this.page.keyboard.press('Control+k');
      await this.page.keyboard.press('Control+i');
      await this.page.waitForTimeout(600);
      return (await contents.count()) > 0;
    });
    // The server's part may come after the diagnostics' part.
    await this.page.waitForTimeout(500);
    return {
      text: plain((await contents.allTextContents()).join('\n')),
      cells: (await this.page.locator('.monaco-hover:visible table :is(th, td)').allTextContents()).map((cell) => plain(cell).trim()),
    };
  }

  /** The size of the picture in the open hover, once it is there and could be decoded. */
  hoverPicture() {
    return eventually('a picture in the hover', async () => {
      const picture = this.page.locator('.monaco-hover:visible .hover-contents img').first();
      if (!(await picture.count())) return false;
      const size = await picture.evaluate((img) => ({ width: img.naturalWidth, height: img.naturalHeight }));
      return size.width > 0 && size;
    });
  }

  /** Waits until the open hover of a problem offers its quick fix. */
  hoverOffersFix() {
    return eventually('a quick fix in the hover', async () =>
      (await this.page.locator('.monaco-hover:visible .action-container').allTextContents()).some((action) => /Quick Fix/.test(action)));
  }

  async closeHover() {
    await this.page.keyboard.press('Escape');
    await this.page.locator('.monaco-hover .hover-contents').first().waitFor({ state: 'hidden' });
  }

  /** Opens the quick-fix menu at a place; returns the titles that it shows. */
  async quickFixes(line, column) {
    await this.goto(line, column);
    const rows = this.page.locator('.action-widget .monaco-list-row.action');
    await eventually(`a quick-fix menu at ${line}:${column}`, async () => {
      if (await rows.count()) return true;
      await this.page.keyboard.press('Control+.');
      await this.page.waitForTimeout(700);
      return (await rows.count()) > 0;
    });
    return (await rows.allTextContents()).map(plain);
  }

  /** Takes an entry of the open menu. */
  takeQuickFix(pattern) {
    return this.chooseQuickFix(pattern, 'Enter');
  }

  /** Opens the preview of an entry of the open menu. */
  previewQuickFix(pattern) {
    return this.chooseQuickFix(pattern, 'Control+Enter');
  }

  /** By keyboard: VS Code lays a shield over the page that swallows clicks. */
  async chooseQuickFix(pattern, key) {
    const focused = this.page.locator('.action-widget .monaco-list-row.focused').first();
    await eventually(`the menu entry ${pattern}`, async () => {
      if (pattern.test(plain((await focused.textContent()) ?? ''))) return true;
      await this.page.keyboard.press('ArrowDown');
      return false;
    }, 8000);
    await this.page.keyboard.press(key);
    await this.page.locator('.action-widget .monaco-list-row.action').first().waitFor({ state: 'hidden' });
  }

  /** Waits for a message in the corner that matches. */
  notification(pattern, milliseconds) {
    return eventually(`a message like ${pattern}`, async () =>
      (await this.page.locator('.notification-toast .notification-list-item-message').allTextContents()).map(plain).find((text) => pattern.test(text)), milliseconds);
  }

  /** Waits for an item of the status bar that matches; returns its text. */
  async status(pattern, milliseconds) {
    return eventually(`an item of the status bar like ${pattern}`, async () => (await this.statusItems()).find((item) => pattern.test(item)), milliseconds);
  }

  async statusItems() {
    return (await this.page.locator('.statusbar-item:visible').allTextContents()).map(plain);
  }

  /** The language that the status bar names for the file in front. */
  async language() {
    return plain((await this.page.locator('#status\\.editor\\.mode').textContent()) ?? '').trim();
  }

  /** Where the first element that a selector finds is drawn, for pictures. */
  async box(selector) {
    const box = await this.page.locator(selector).first().boundingBox();
    check(box, `nothing like ${selector} is drawn`);
    return box;
  }

  /** The box of a drawn line, its number from 1. */
  lineBox(number) {
    return this.page.evaluate((number) =>
      [...document.querySelectorAll('.editor-instance .view-line')]
        .map((line) => line.getBoundingClientRect().toJSON())
        .sort((a, b) => a.top - b.top)[number - 1], number);
  }

  #tab(name) {
    return this.page.waitForSelector(`.tab.active[data-resource-name="${name}"]`, { timeout: 60_000 });
  }

  async #focusEditor() {
    await this.page.keyboard.press('Control+1');
  }

  async #fillQuickInput(text) {
    const input = this.page.locator('.quick-input-widget input:visible').first();
    await input.waitFor();
    await input.fill(text);
  }
}
