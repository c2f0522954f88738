//! Tells Prolog from Perl by the text of a file. `.pl` belongs to both, and VS Code gives it to Perl.

/** What a text looks like; `undecided` where nothing in it speaks for either. */
export type Verdict = 'prolog' | 'perl' | 'undecided';

/** Lines looked at: a long licence comment may stand before the first clause. */
const LINES = 400;
/** Characters of a line, and of the text, looked at: the patterns may take quadratic time in the length of a line. */
const LINE_LENGTH = 300;
const TEXT_LENGTH = LINES * LINE_LENGTH;

interface Sign {
  readonly pattern: RegExp;
  readonly weight: number;
}

/** Matched against one line, with comments and quoted text taken out. */
const PROLOG: readonly Sign[] = [
  { pattern: /^\s*:-\s*[a-z]/, weight: 5 }, // directive
  { pattern: /^\s*\?-\s*[a-z]/, weight: 3 }, // query
  { pattern: /^[a-z]\w*(\(.*\))?\s*(:-|-->)/, weight: 4 }, // clause head and neck, DCG head and arrow
  { pattern: /^[a-z]\w*\(.*\)\s*\.\s*$/, weight: 2 }, // fact
  { pattern: /^\s+[a-z]\w*\(.*\)\s*[,.]\s*$/, weight: 1 }, // goal of a body
  { pattern: /\b[A-Z_]\w*\s+(is|=:=|=\\=|=<|==|\\==|=\.\.)\s/, weight: 1 }, // arithmetic and comparison
  { pattern: /\[[A-Z_]\w*\|[A-Z_]\w*\]/, weight: 2 }, // [X|Xs]
];

const PERL: readonly Sign[] = [
  { pattern: /^\s*(use|no)\s+(strict|warnings|utf8|feature|lib|parent|base|[A-Z]\w*(::\w+)*|v?5[.\d]*)\b.*;\s*$/, weight: 5 },
  { pattern: /^\s*(package|require)\s+[A-Za-z]\w*(::\w+)*\s*;/, weight: 4 },
  { pattern: /^\s*sub\s+\w+\s*(\(.*\))?\s*\{?\s*$/, weight: 4 },
  { pattern: /^\s*(my|our|local)\s*[($@%]/, weight: 4 },
  { pattern: /(^|[^\w'])[$@][a-zA-Z_]\w*/, weight: 1 }, // $scalar, @array
  { pattern: /=~\s*[ms]?\//, weight: 3 },
  { pattern: /^\s*\}?\s*(elsif|unless|foreach)\b.*\{/, weight: 2 },
  { pattern: /;\s*$/, weight: 1 },
];

/**
 * Judges a text by its first lines. A `#!` line that names an interpreter decides alone; otherwise the signs of both
 * languages are weighed, and a tie is `undecided`.
 */
export function sniff(text: string): Verdict {
  const lines = text
    .slice(0, TEXT_LENGTH)
    .split(/\r\n|\r|\n/, LINES)
    .map((line) => line.slice(0, LINE_LENGTH));
  const interpreter = /^#!.*\b(perl|swipl|prolog|gprolog|scryer-prolog|yap|ciao-shell)\b/.exec(lines[0] ?? '')?.[1];
  if (interpreter) return interpreter === 'perl' ? 'perl' : 'prolog';

  let prolog = 0;
  let perl = 0;
  let state: State = 'code';
  for (const raw of lines) {
    const line = stripComments(raw, state);
    state = line.state;
    // `% comment` is never Perl (there `%name` is a hash), `# comment` never Prolog.
    if (/^\s*%+([!\s]|$)/.test(raw)) prolog += 1;
    if (/^\s*#(?!!)/.test(raw)) perl += 1;
    prolog += weigh(PROLOG, line.code);
    perl += weigh(PERL, line.code);
  }
  if (prolog === perl) return 'undecided';
  return prolog > perl ? 'prolog' : 'perl';
}

function weigh(signs: readonly Sign[], line: string): number {
  return signs.reduce((sum, sign) => (sign.pattern.test(line) ? sum + sign.weight : sum), 0);
}

type State = 'code' | 'block comment' | 'pod';

/**
 * The line without what either language would skip: Prolog's block and line comments, Perl's documentation between
 * `=head1` and `=cut`, and quoted text (a Prolog atom may hold a `$`, a Perl string a `:-`).
 */
function stripComments(line: string, state: State): { code: string; state: State } {
  if (state === 'pod') return { code: '', state: /^=cut\b/.test(line) ? 'code' : 'pod' };
  let code = line;
  if (state === 'block comment') {
    const end = code.indexOf('*/');
    if (end < 0) return { code: '', state };
    code = code.slice(end + 2);
  } else if (/^=(pod|head[1-6]|over|item|begin|for|encoding)\b/.test(code)) {
    return { code: '', state: 'pod' };
  }
  code = code.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, 'q').replace(/\/\*.*?\*\//g, ' ');
  const open = code.indexOf('/*');
  if (open >= 0) return { code: code.slice(0, open), state: 'block comment' };
  return { code: code.replace(/(^|\s)%+([!\s].*)?$/, ''), state: 'code' };
}
