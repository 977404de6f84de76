// Updates list.json: finds the worst input of each new expression by trial. For an expression that is not
// linear, add `most` manually.
import { writeFileSync } from 'node:fs';
import { buildWorst, LIST, readExpressions, readList, run, toExpression } from './read_expressions.mjs';

const PIECES = [
  ...'aAzZ09 \n\t-/\\"\'<>&([{}).,;:=%#@_*`!?+$^|~',
  'é',
  '\u0300',
  'a ',
  'a.',
  'a_',
  'a-',
  'aA',
  'a0',
  '&a',
  '[a',
  ' \n',
  '="',
  '; ',
  '{a',
  '"a',
  '<a',
  '-a',
  '0.',
];
const ENDS = ['', '!', '\n', '\0'];
const CHARS = 20_000;

const known = readList();
const entries = readExpressions().map((text) => [text, known[text] ?? find(text)]);
writeFileSync(LIST, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);

function find(text) {
  const expression = toExpression(text);
  if (!expression) return { built: true };
  const words = text.replace(/\\./g, '').match(/[A-Za-z:/_]{2,}/g) ?? [];
  let worst = { ms: -1, input: ['a', ''] };
  for (const piece of [...PIECES, ...new Set(words.slice(0, 8))]) {
    for (const end of ENDS) {
      const input = buildWorst([piece, end], CHARS);
      // The best of three, so other load on the computer does not count.
      const ms = Math.min(...[1, 2, 3].map(() => time(expression, input)));
      if (ms > worst.ms) worst = { ms, input: [piece, end] };
    }
  }
  return { worst: worst.input };
}

function time(expression, input) {
  const begin = performance.now();
  run(expression, input);
  return performance.now() - begin;
}
