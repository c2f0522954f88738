// The GitHub action and the hooks for pre-commit, whose steps are run as they are written; and the workflows.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { test } from 'node:test';
import { repository } from './workspace.mjs';

const binary = process.env.COSTLENS_BIN;
const skip = binary === undefined && 'COSTLENS_BIN is not set';

const cheap = `%! ranked(+Xs:list, -Ys) is det.
ranked([], []).
ranked([X|Xs], [r(X)|Ys]) :- ranked(Xs, Ys).
`;
const dear = cheap.replace('ranked([X|Xs], [r(X)|Ys]) :- ranked(Xs, Ys).', 'ranked([X|Xs], Ys) :- ranked(Xs, Zs), append(Zs, [r(X)], Ys).');

/** A repository with a commit, in which a predicate became dearer since. */
function project() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'costlens-ci-'));
  const git = (...words) => {
    const out = spawnSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@example.org', ...words], { cwd: folder });
    assert.equal(out.status, 0, String(out.stderr));
  };
  fs.mkdirSync(path.join(folder, 'src'));
  fs.mkdirSync(path.join(folder, 'bin'));
  fs.symlinkSync(path.resolve(repository, binary), path.join(folder, 'bin', 'costlens'));
  fs.writeFileSync(path.join(folder, 'src', 'work.pl'), cheap);
  git('init', '--quiet');
  git('add', 'src');
  git('commit', '--quiet', '-m', 'one');
  fs.writeFileSync(path.join(folder, 'src', 'work.pl'), dear);
  return folder;
}

/** Runs a line of a shell in a project, with Costlens on the path. */
function run(folder, line, env = {}) {
  const bin = `${path.join(folder, 'bin')}:${process.env.PATH}`;
  const out = spawnSync('bash', ['-c', line], { cwd: folder, env: { ...process.env, ...env, PATH: bin }, encoding: 'utf8' });
  return { status: out.status, stdout: out.stdout, stderr: out.stderr };
}

/** The text between two marks of a YAML file's lines. */
const lines = (name) => fs.readFileSync(path.join(repository, name), 'utf8').split('\n');

test('the action tells of what became dearer', { skip }, () => {
  const [, check] = lines('action.yml').flatMap((line) => line.match(/^ +run: (.*)$/)?.[1] ?? []);
  assert.match(check, /tools\/action\/check/);
  const folder = project();
  const env = (against, tolerance = '0%') => ({
    GITHUB_ACTION_PATH: repository,
    COSTLENS_PATHS: 'src',
    COSTLENS_AGAINST: against,
    COSTLENS_TOLERANCE: tolerance,
  });
  const since = run(folder, check, env('HEAD'));
  assert.equal(since.status, 1, since.stderr);
  assert.match(since.stdout, /^::error file=src\/work\.pl,line=2,.*title=regression::`ranked\/2` became dearer: O\(n\) → O\(n²\)/);
  assert.deepEqual(run(folder, check, env('')), { status: 0, stdout: '', stderr: '' });
  assert.equal(run(folder, check, env('nothing-of-that-name')).status, 2);
  assert.equal(run(folder, 'costlens snapshot src').status, 0);
  assert.deepEqual(run(folder, check, env('costlens.lock')), { status: 0, stdout: '', stderr: '' });
  fs.rmSync(folder, { recursive: true });
});

test('each variable of the action is one that its check reads', () => {
  const given = lines('action.yml').flatMap((line) => line.match(/^ +(COSTLENS_[A-Z]+):/)?.[1] ?? []);
  const read = lines('tools/action/check').flatMap((line) => [...line.matchAll(/\$\{(COSTLENS_[A-Z]+)/g)].map(([, name]) => name));
  assert.deepEqual([...new Set(read)].sort(), given.sort());
});

test('the hooks of pre-commit take the names of files', { skip }, () => {
  const entries = lines('.pre-commit-hooks.yaml').flatMap((line) => line.match(/^ +entry: (.*)$/)?.[1] ?? []);
  assert.equal(entries.length, 2);
  const folder = project();
  const [check, diff] = entries.map((entry) => run(folder, `${entry} src/work.pl`));
  assert.equal(check.status, 0, check.stderr);
  assert.equal(diff.status, 1, diff.stderr);
  assert.match(diff.stdout, /ranked\/2/);
  fs.rmSync(folder, { recursive: true });
});

test('workflows name actions by commit, with the version in a comment', () => {
  const folder = path.join(repository, '.github/workflows');
  const used = fs.readdirSync(folder).flatMap((file) => lines(`.github/workflows/${file}`).filter((line) => /^ +(- )?uses:/.test(line)));
  assert.ok(used.length >= 5);
  assert.deepEqual(used.filter((line) => !/uses: [\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line)), []);
});
