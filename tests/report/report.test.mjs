// The pages that Costlens writes, in a real browser: accessible (axe), in light and dark, on wide and narrow screens, with scripts and without.
// Nothing is loaded. COSTLENS_BIN is the program; the browser is Debian's Chromium, or CHROMIUM.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as os from 'node:os';
import * as path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const repository = path.join(here, '../..');
// Installed by tests/run into a folder of the cache, or here.
const require = createRequire(path.join(process.env.COSTLENS_REPORT_DEPS ?? here, 'package.json'));
const { chromium } = require('playwright-core');
const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'costlens-report-'));
const report = path.join(folder, 'report.html');
const validation = path.join(folder, 'validation.html');
let browser;

before(async () => {
  const costlens = process.env.COSTLENS_BIN;
  assert.ok(costlens, 'COSTLENS_BIN names the program');
  const run = (...args) => execFileSync(costlens, args, { cwd: repository, encoding: 'utf8' });
  run('report', 'tests/report/workspace', '--no-cache', '--platform', 'swi-9.0.4-x86_64-instructions', '--fix-time', '120', '--output', report);
  run('validate', 'tests/report/workspace/lists.pl', 'reversed/2', '--sizes', '0,1,2,4,8', '--html', validation);
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
});

after(async () => {
  await browser?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Opens a page; whatever it asks of the network fails the test. */
async function opened(file, options = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('pageerror', (error) => assert.fail(`the script of the page: ${error.message}`));
  await page.goto(pathToFileURL(file).href);
  assert.deepEqual(asked, [pathToFileURL(file).href], 'a page loads nothing');
  return { context, page };
}

/** What axe finds, each rule with the places. It works by a script of its own, so that scripts of the page must run. */
async function violations(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  return found.violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((node) => node.html).join(' | ')}`);
}

const wide = { width: 1280, height: 900 };
const narrow = { width: 360, height: 740 };

for (const [name, file] of [['the report', report], ['a validation', validation]]) {
  for (const colorScheme of ['light', 'dark']) {
    for (const [screen, viewport] of [['wide', wide], ['narrow', narrow]]) {
      test(`${name} is accessible, ${colorScheme} and ${screen}`, async () => {
        const { context, page } = await opened(file, { colorScheme, viewport });
        // What is folded up is looked at, too.
        await page.evaluate(() => { for (const details of document.querySelectorAll('details')) details.open = true; });
        assert.deepEqual(await violations(page), []);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.ok(overflow <= 0, `the page is ${overflow} pixels too wide`);
        await context.close();
      });
    }
  }
}

test('axe would find a mistake', async () => {
  const { context, page } = await opened(report, { viewport: wide });
  await page.evaluate(() => { document.querySelector('h1').innerHTML = '<span style="color:#ddd;background:#fff">hardly to be read</span><img src="data:,">'; });
  const found = await violations(page);
  assert.ok(found.some((v) => v.startsWith('image-alt')) && found.some((v) => v.startsWith('color-contrast')), `${found}`);
  await context.close();
});

test('a dark page is dark', async () => {
  const colour = async (colorScheme) => {
    const { context, page } = await opened(report, { colorScheme });
    const found = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number)[0]);
    await context.close();
    return found;
  };
  assert.ok(await colour('light') > 200 && await colour('dark') < 60);
});

test('without scripts everything is there', async () => {
  const { context, page } = await opened(report, { javaScriptEnabled: false, viewport: wide });
  const text = await page.locator('main').textContent();
  for (const part of ['reversed/2', 'O(n·log n)', 'steps_to_one/2', 'false for length(Words) >= 18', 'Costliest chains', 'call pattern guessed']) {
    assert.ok(text.includes(part), part);
  }
  assert.equal(await page.locator('#filter').isVisible(), false, 'no control that does nothing');
  await page.locator('summary', { hasText: 'Not decided' }).click();
  assert.ok(await page.getByText('steps=<100').isVisible());
  await context.close();
});

test('predicates are filtered, and tables are sorted', async () => {
  const { context, page } = await opened(report, { viewport: wide });
  const rows = () => page.locator('details[id^=class-] tbody tr:visible').count();
  const all = await rows();
  await page.getByLabel('Show').fill('longest');
  await page.waitForFunction(() => document.querySelector('#filter [role=status]').textContent === '2 shown');
  assert.equal(await rows(), 2);
  await page.getByLabel('Show').fill('');
  const guessed = await page.locator('details[id^=class-] tbody tr', { hasText: 'call pattern guessed' }).count();
  const total = await page.locator('details[id^=class-] tbody tr').count();
  assert.ok(guessed > 0 && guessed < total);
  await page.getByLabel('declared call patterns only').check();
  await page.waitForFunction((n) => document.querySelector('#filter [role=status]').textContent === `${n} shown`, total - guessed);
  assert.equal(await rows(), total - guessed);
  await page.getByLabel('declared call patterns only').uncheck();
  await page.waitForFunction(() => document.querySelector('#filter [role=status]').textContent === '');
  assert.equal(await rows(), all);
  const linear = page.locator('#class-linear');
  const names = () => linear.locator('tbody th').allTextContents();
  await linear.getByRole('button', { name: 'predicate' }).click();
  assert.deepEqual(await names(), [...(await names())].sort((a, b) => a.localeCompare(b, 'en')));
  assert.equal(await linear.locator('thead th').first().getAttribute('aria-sort'), 'ascending');
  await context.close();
});

test('a link to a class opens it', async () => {
  const { context, page } = await opened(report, { viewport: wide });
  assert.equal(await page.locator('#class-unknown').getAttribute('open'), null);
  await page.getByRole('link', { name: 'unknown', exact: true }).click();
  await page.waitForFunction(() => document.getElementById('class-unknown').open);
  await context.close();
});

test('links lead to lines of files that are there', async () => {
  const { context, page } = await opened(report);
  const links = await page.locator('main a[href*="#L"]').evaluateAll((all) => all.map((a) => a.href));
  assert.ok(links.length > 20);
  for (const link of links) {
    const url = new URL(link);
    const lines = fs.readFileSync(fileURLToPath(url.href.split('#')[0]), 'utf8').split('\n');
    assert.ok(lines.length >= Number(url.hash.slice(2)), link);
  }
  await context.close();
});
