//! What a person sees of Costlens in VS Code, step by step.

import fs from 'node:fs';
import path from 'node:path';
import * as assertions from './assertions.mjs';
import * as predictions from './predictions.mjs';
import * as profiles from './profiles.mjs';
import * as variants from './variants.mjs';
import { check, eventually } from './steps.mjs';

/** Hints as they are drawn in their line; any run of blanks may stand between class and bound. */
const NREV_HINT = /^nrev\(\[\], \[\]\).*O\(n²\)\s+n²\/2\+3n\/2\+1/;
const APP_HINT = /^app\(\[\], Ys, Ys\).*O\(n\)\s+n\+1/;
const ANY_HINT = /O\(|cost \?/;

/** Programs as people write them, each with a hint that stands in the first forty lines, and a predicate whose hover says this. */
const EXAMPLES = [
  ['diagnosis.pl', /^implied\(lights_bright, radio_loud\).*O\(1\)\s+≤ 1/, /^rule\(flat_battery/, /learned = clauses of learned\/2/],
  ['exercises.pl', /^my_append\(\[\], L, L\).*O\(n\)\s+n\+1/, /^my_append\(\[\], L, L\)/, /Exactly n \+ 1 steps where n = length\(argument 1\)/],
  ['intervals.pl', /^normalize\(Intervals, Normal\).*O\(n·log n\) work\s+≤ n·/, /^normalize\(Intervals, Normal\)/, /O\(n·log n\) work/],
  ['puzzle.pl', /^connected\(A, Dir, B\).*O\(1\)\s+≤ 5/, /^connected\(A, Dir, B\)/, /At most 5 steps/],
  ['queens.pl', /^safe\(\[\]\).*O\(n²\)\s+≤ n²\/2\+3n\/2\+1/, /^safe\(\[\]\)/, /At most n²\/2 \+ 3n\/2 \+ 1 steps/],
  ['words.pl', /^options\(\['-n', Atom\|Files\], Top, Files\).*O\(1\)\s+1/, /^options\(\['-n'/, /Exactly 1 step/],
];

/** The files that the scenario works on. */
export function fillWorkspace(folder, example) {
  for (const name of [...EXAMPLES.map(([file]) => file), 'scores.pl']) {
    fs.copyFileSync(path.join(path.dirname(example), name), path.join(folder, name));
  }
  variants.fillWorkspace(folder);
  assertions.fillWorkspace(folder);
  profiles.fillWorkspace(folder);
  predictions.fillWorkspace(folder);
  fs.copyFileSync(example, path.join(folder, 'nrev.pl'));
  fs.copyFileSync(example, path.join(folder, 'edited.pl'));
  const text = fs.readFileSync(example, 'utf8');
  fs.writeFileSync(path.join(folder, 'rules.P'), text.slice(text.indexOf('\napp(') + 1));
  fs.writeFileSync(path.join(folder, 'report.pl'), 'use strict;\nuse warnings;\n\nsub area {\n    my ($w, $h) = @_;\n    return $w * $h;\n}\nprint area(2, 3), "\\n";\n');
}

/** The picture for the README: hints, the false assertion and what is said of it, cropped to the text. */
export async function takePicture(workbench, file) {
  await workbench.line(NREV_HINT);
  await workbench.line(APP_HINT);
  await eventually('the error underline', async () => (await workbench.squiggles('error')).length > 0);
  const assertion = await workbench.line(/@cost steps/);
  await workbench.hover(assertion, (await workbench.lines())[assertion - 1].indexOf('length') + 1);
  await workbench.hoverOffersFix();
  const group = await workbench.box('.editor-group-container');
  const hover = await workbench.box('.monaco-hover:visible');
  const last = await workbench.lineBox((await workbench.lines()).findLastIndex((line) => line.trim() !== '') + 1);
  await workbench.screenshot(file, {
    x: group.x,
    y: group.y,
    width: Math.min(group.width, hover.x + hover.width - group.x + 16),
    height: last.bottom - group.y + 12,
  });
  await workbench.closeHover();
}

export async function run({ steps, workbench, server, extension, version }) {
  const step = steps.step.bind(steps);
  const program = path.join(extension, 'server/costlens');

  await step('the installed package has an executable server inside', async () => {
    const { mode } = fs.statSync(program);
    check((mode & 0o111) === 0o111, `its mode is ${(mode & 0o777).toString(8)}`);
  });

  await step('nrev.pl, a Perl file to VS Code, becomes Prolog', async () => {
    await eventually('the language Prolog', async () => (await workbench.language()) === 'Prolog');
  });

  await step('the status bar shows the running server and its version', async () => {
    const item = await workbench.status(/^\s*Costlens \d/);
    check(item.includes(version), `it shows ${item}, the program says ${version}`);
  });

  await step('the hint beside the first clause of nrev', async () => {
    await workbench.line(NREV_HINT);
  });

  await step('the hint beside the first clause of app', async () => {
    await workbench.line(APP_HINT);
  });

  await step('the false assertion is underlined, and says for which lists it is false', async () => {
    const line = await workbench.line(/@cost steps/);
    await eventually(`an error underline in line ${line} alone`, async () => {
      const marks = await workbench.squiggles('error');
      return marks.length > 0 && marks.every((mark) => mark === line);
    });
    const { text } = await workbench.hover(line, (await workbench.lines())[line - 1].indexOf('length') + 1);
    check(/false for length\(Xs\) >= 18/.test(text), `the hover says: ${text}`);
    await workbench.closeHover();
  });

  await step('the hover over nrev has a table of bounds and names the sized argument', async () => {
    const { text, cells } = await workbench.hover(await workbench.line(/^nrev\(/), 2);
    const shown = `the hover says: ${text}\nits cells: ${JSON.stringify(cells)}`;
    check(cells.some((cell) => /^lower/i.test(cell)) && cells.some((cell) => /^upper/i.test(cell)), shown);
    check(cells.filter((cell) => /n²\/2 \+ 3n\/2 \+ 1/.test(cell)).length >= 1, shown);
    check(/length\(Xs\)|\bXs\b/.test(text), shown);
    await workbench.closeHover();
  });

  await step('the hover over nrev draws its bounds', async () => {
    await workbench.hover(await workbench.line(/^nrev\(/), 2);
    const { width, height } = await workbench.hoverPicture();
    check(width >= 300 && height >= 150, `the picture is ${width} by ${height}`);
    await workbench.closeHover();
  });

  await step('the hover over nrev has a time of the system that ships, marked as another machine\'s', async () => {
    const { text } = await workbench.hover(await workbench.line(/^nrev\(/), 2);
    check(/At n = 1000: .* ms on SWI-Prolog 9\.0\.4 \(constants of another machine\)/.test(text), `the hover says: ${text}`);
    await workbench.closeHover();
  });

  await step('Calibrate This Machine measures, and the platform that is chosen decides about times', async () => {
    await workbench.commandWith('Costlens: Calibrate This Machine', "Costlens's machine", 'Quick');
    await workbench.notification(/^Costlens: Costlens's machine .* is calibrated/, 180_000);
    server.workspaceSettings({ 'costlens.platform': `embedded-${version.replace(/^\D+/, '')}-x86_64-instructions` });
    try {
      await eventually('a time of this machine', async () => {
        const { text } = await workbench.hover(await workbench.line(/^nrev\(/), 2);
        await workbench.closeHover();
        return /At n = 1000: .* on Costlens's machine .* \(this machine\)/.test(text);
      });
    } finally {
      server.workspaceSettings({});
    }
    await eventually('a time of SWI-Prolog again', async () => {
      const { text } = await workbench.hover(await workbench.line(/^nrev\(/), 2);
      await workbench.closeHover();
      return /At n = 1000: .* on SWI-Prolog/.test(text);
    });
  });

  await step('the hover over a call says what it costs there, and its share', async () => {
    const line = await workbench.line(/^\s+app\(Zs/);
    const { text, cells } = await workbench.hover(line, (await workbench.lines())[line - 1].indexOf('app') + 2);
    const shown = `the hover says: ${text}\nits cells: ${JSON.stringify(cells)}`;
    check(cells.some((cell) => /^one call/.test(cell)) && cells.includes('n') && cells.includes('n²/2 + n/2'), shown);
    check(/98% at n = 100/.test(text) && /dominates/.test(text), shown);
    await workbench.closeHover();
  });

  await step('F12 on a call leads to the first clause', async () => {
    const line = await workbench.line(/^\s+app\(Zs/);
    await workbench.goto(line, (await workbench.lines())[line - 1].indexOf('app') + 2);
    await workbench.press('F12');
    const first = await workbench.line(/^app\(\[\], Ys, Ys\)/);
    await workbench.cursorAt(first, 1);
  });

  await step('the references of app are its heads and calls', async () => {
    await workbench.goto(await workbench.line(/^app\(\[\], Ys, Ys\)/), 2);
    await workbench.press('Shift+F12');
    await eventually('four references', async () => /References \(4\)/.test(await workbench.peek()));
    await workbench.closePeek();
  });

  await step('the call hierarchy shows who calls app, with the cost', async () => {
    await workbench.goto(await workbench.line(/^app\(\[\], Ys, Ys\)/), 2);
    await workbench.command('Peek Call Hierarchy');
    await eventually('nrev/2 and its cost', async () => /nrev\/2.*O\(n²\)\s+n²\/2\+3n\/2\+1/.test(await workbench.peek()));
    await workbench.closePeek();
  });

  await step('Toggle Hints hides every hint, and shows them again', async () => {
    await workbench.command('Costlens: Toggle Hints');
    await workbench.noLine(ANY_HINT);
    await workbench.command('Costlens: Toggle Hints');
    await workbench.line(NREV_HINT);
    await workbench.line(APP_HINT);
  });

  await step('a threshold of n^2 hides the linear hint alone', async () => {
    server.workspaceSettings({ 'costlens.hints.threshold': 'n^2' });
    try {
      await workbench.noLine(/^app.*O\(/);
      await workbench.line(NREV_HINT);
    } finally {
      server.workspaceSettings({});
    }
    await workbench.line(APP_HINT);
  });

  await step('a comment on top moves the hints and changes none', async () => {
    await workbench.openFile('edited.pl');
    const before = await workbench.line(NREV_HINT);
    await workbench.goto(1);
    await workbench.type('% a line on top');
    await workbench.press('Enter');
    await eventually('the hint one line lower', async () => NREV_HINT.test((await workbench.lines())[before]));
    await workbench.line(APP_HINT);
  });

  await step('another literal in the body changes the hint', async () => {
    await workbench.goto(await workbench.line(/^\s+nrev\(Xs, Zs\),/));
    await workbench.press('End');
    await workbench.press('Enter');
    await workbench.type('app(Zs, [X], _),');
    await workbench.line(/^nrev\(\[\], \[\]\).*O\(n²\)\s+n²\+2n\+1/);
  });

  await step('completion writes a predicate with its arguments', async () => {
    await workbench.goto((await workbench.lines()).findLastIndex((line) => line.trim() !== '') + 1);
    await workbench.press('End');
    await workbench.press('Enter');
    await workbench.press('Home');
    await workbench.type('twice(Vs) :- ap');
    const shown = await workbench.suggestions(/app\(Xs, Ys, Zs\)/);
    check(shown.some((entry) => /append\(List1, List2, Whole\)/.test(entry)), `it proposes ${JSON.stringify(shown)}`);
    await workbench.press('Enter');
    await workbench.line(/^twice\(Vs\) :- app\(Xs, Ys, Zs\)/);
    await workbench.press('Escape');
    await workbench.press('End');
    await workbench.press('Shift+Home');
    await workbench.press('Delete');
    await workbench.noLine(/^twice/);
  });

  await step('a clause that cannot be read takes no other hint away', async () => {
    const last = (await workbench.lines()).findLastIndex((line) => line.trim() !== '') + 1;
    await workbench.goto(last);
    await workbench.press('End');
    await workbench.press('Enter');
    await workbench.press('Home');
    await workbench.type('broken(X :- .');
    await workbench.page.waitForTimeout(1500);
    await workbench.line(/^nrev\(\[\], \[\]\).*O\(n²\)\s+n²\+2n\+1/);
    await workbench.line(APP_HINT);
    // A server that begins again would not know the cost of app, which the clause stands beside.
    await workbench.press('Home');
    await workbench.press('Shift+End');
    await workbench.press('Delete');
    await workbench.noLine(/broken/);
  });

  await step('a Perl file stays Perl and gets no hints', async () => {
    await workbench.openFile('report.pl');
    await workbench.line(/sub area/);
    await workbench.page.waitForTimeout(1500);
    check((await workbench.language()) === 'Perl', `it became ${await workbench.language()}`);
    await workbench.noLine(ANY_HINT, 1000);
  });

  await step('rules.P, plain text to VS Code, becomes Prolog', async () => {
    await workbench.openFile('rules.P');
    await eventually('the language Prolog', async () => (await workbench.language()) === 'Prolog');
    await workbench.line(APP_HINT);
  });

  for (const [file, hint, head, said] of EXAMPLES) {
    await step(`${file}: a hint, and a hover in plain words`, async () => {
      await workbench.openFile(file);
      await workbench.line(hint);
      const { text } = await workbench.hover(await workbench.line(head), 2);
      const shown = `the hover says: ${text}`;
      check(said.test(text.replace(/\s+/g, ' ')), shown);
      check(!/\\_|cfinite|\bv\d+\b|costlens:/.test(text), shown);
      await workbench.closeHover();
    });
  }

  await step('the quick fix of an unknown cost declares what the predicate is called with, and the hint gets better', async () => {
    await workbench.openFile('scores.pl');
    const line = await workbench.line(/^ranked\(\[\], \[\]\).*cost \?/);
    const titles = await workbench.quickFixes(line, 2);
    check(titles.some((title) => /Declare what it is called with: cost \? → n\+1 steps/.test(title)), `the menu shows: ${JSON.stringify(titles)}`);
    await workbench.takeQuickFix(/Declare what it is called with/);
    await workbench.line(/^%! ranked\(\+\w+:list, -\w+\)/);
    await workbench.line(/^ranked\(\[\], \[\]\).*O\(n\)\s+n\+1/);
  });

  await step('the quick fix on nrev names the bounds before and after', async () => {
    await workbench.openFile('nrev.pl');
    const titles = await workbench.quickFixes(await workbench.line(/^nrev\(/), 2);
    check(titles.some((title) => /n².*→.*n/.test(title)), `the menu shows: ${JSON.stringify(titles)}`);
  });

  await step('taking it makes nrev linear and the assertion true', async () => {
    await workbench.takeQuickFix(/n².*→/);
    await workbench.line(/^nrev\(.*O\(n\)\s+n\+2/);
    // The accumulator: a clause that conses the element onto an argument of the recursive call.
    await workbench.line(/^\s+\w+\(Xs, .*\[X\|\w+\].*\)\.|^\s+\w+\(Xs, \[X\|.*\)\./);
    await workbench.noLine(/^\s+app\(Zs, \[X\], Ys\)/);
    await eventually('no error underline', async () => (await workbench.squiggles('error')).length === 0);
  });

  await variants.run({ steps, workbench });

  await assertions.run({ steps, workbench, server });

  await profiles.run({ steps, workbench });
  await predictions.run({ steps, workbench, server, extension });

  await step('Restart Server brings the hints back', async () => {
    await workbench.openFile('nrev.pl');
    const [old] = processesOf(program);
    await workbench.command('Costlens: Restart Server');
    await eventually('another server process', () => processesOf(program).some((id) => id !== old));
    await workbench.status(/^\s*Costlens \d/);
    await workbench.line(APP_HINT);
  });

  await step('a killed server is started again', async () => {
    const [old] = processesOf(program);
    check(old, 'no server is running');
    process.kill(old, 'SIGKILL');
    await eventually('another server process', () => processesOf(program).some((id) => id !== old));
    await workbench.status(/^\s*Costlens \d/);
    await workbench.openFile('edited.pl');
    await workbench.line(APP_HINT);
  });

  await step('costlens.enable off ends the server and takes the hints away', async () => {
    server.workspaceSettings({ 'costlens.enable': false });
    try {
      await workbench.noLine(ANY_HINT);
      await eventually('the end of the server process', () => processesOf(program).length === 0);
    } finally {
      server.workspaceSettings({});
    }
    await workbench.line(APP_HINT);
  });

  await step('a program that is not there is said so', async () => {
    server.workspaceSettings({ 'costlens.server.path': '/nowhere/costlens' });
    try {
      await workbench.notification(/could not be started \(\/nowhere\/costlens\)/);
    } finally {
      server.workspaceSettings({});
    }
    await workbench.status(/^\s*Costlens \d/);
    await workbench.line(APP_HINT);
  });
}

/** The ids of the running processes of a program. */
function processesOf(program) {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((id) => {
      try {
        return fs.readlinkSync(`/proc/${id}/exe`) === program;
      } catch {
        return false; // ended meanwhile, or not ours to see
      }
    })
    .map(Number);
}
