import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sniff } from '../src/sniff';

const text = (...lines: string[]): string => lines.join('\n') + '\n';

test('clauses with heads and necks are Prolog', () => {
  assert.equal(
    sniff(text('nrev([], []).', 'nrev([X|Xs], Ys) :-', '    nrev(Xs, Zs),', '    app(Zs, [X], Ys).')),
    'prolog',
  );
});

test('a lone fact is Prolog', () => {
  assert.equal(sniff(text('colour(red).')), 'prolog');
});

test('a module directive is Prolog', () => {
  assert.equal(sniff(text(':- module(lists, [append/3]).', ':- use_module(library(apply)).')), 'prolog');
});

test('a grammar is Prolog', () => {
  assert.equal(sniff(text('greeting --> [hello], name.', 'name --> [world].')), 'prolog');
});

test('a percent sign and a blank start a Prolog comment', () => {
  assert.equal(sniff(text('%% Naive reverse.', '', '%! nrev(+Xs:list, -Ys:list) is det.')), 'prolog');
});

test('a long licence comment does not hide the clauses', () => {
  const licence = Array.from({ length: 30 }, (_, n) => `    Line ${n} of my $licence; use strict;`);
  assert.equal(sniff(text('/*', ...licence, '*/', ':- module(m, []).', 'p(X) :- q(X).')), 'prolog');
});

test('dollars and semicolons in quotes do not make Prolog look like Perl', () => {
  assert.equal(
    sniff(text("price(X, '$x;') :-", '    format("my $y = ~w;~n", [X]),', "    '$internal'(X).")),
    'prolog',
  );
});

test('pragmas are Perl', () => {
  assert.equal(sniff(text('use strict;', 'use warnings;', '', 'print "hello\\n";')), 'perl');
});

test('a first line that names perl decides', () => {
  assert.equal(sniff(text('#!/usr/bin/env perl', '% not a comment', 'p(X) :- q(X).')), 'perl');
  assert.equal(sniff(text('#!/usr/bin/perl -w', 'exit 0;')), 'perl');
});

test('a first line that names a Prolog decides', () => {
  assert.equal(sniff(text('#!/usr/bin/env swipl', '', '$x;')), 'prolog');
});

test('subs and sigils are Perl', () => {
  assert.equal(
    sniff(text('sub area {', '    my ($w, $h) = @_;', '    return $w * $h;', '}', 'print area(2, 3);')),
    'perl',
  );
});

test('a Perl hash at the start of a line is no Prolog comment', () => {
  assert.equal(sniff(text('%ages = (tom => 3, ann => 4);', 'foreach $n (keys %ages) {', '    say($n);', '}')), 'perl');
});

test('Perl documentation that shows Prolog is still Perl', () => {
  assert.equal(
    sniff(text('package AI::Prolog;', '=head1 SYNOPSIS', '', ' p(X) :- q(X).', ' :- p(1).', '', '=cut', 'use strict;', '1;')),
    'perl',
  );
});

test('a Perl string that holds a clause is still Perl', () => {
  assert.equal(sniff(text('my $clause = "p(X) :- q(X).";', 'assert_clause($clause);')), 'perl');
});

test('nothing to go by is undecided', () => {
  assert.equal(sniff(''), 'undecided');
  assert.equal(sniff(text('', 'hello world')), 'undecided');
});

test('Windows and old Macintosh line ends are line ends', () => {
  assert.equal(sniff('p(1).\r\np(2).\r\n'), 'prolog');
  assert.equal(sniff('p(1).\rp(2).\r'), 'prolog');
});

test('a line of a megabyte is judged in reasonable time', () => {
  const started = Date.now();
  sniff(`p(${'a,'.repeat(500_000)}b).`);
  sniff('"'.repeat(1_000_001));
  sniff('/* '.repeat(300_000));
  sniff(' '.repeat(1_000_000) + 'x');
  sniff('a('.repeat(500_000));
  assert.ok(Date.now() - started < 5000, `took ${Date.now() - started} ms`);
});
