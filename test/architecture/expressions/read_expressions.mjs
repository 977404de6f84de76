import { runInNewContext } from 'node:vm';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** The input length that an expression must be fast on, unless its entry has `most`: a whole body. */
export const MOST_CHARS = 1024 * 1024;
export const LIST = join(import.meta.dirname, 'list.json');

/** Every regular expression of the product as written: literals and constructed ones. */
export function readExpressions() {
  const found = new Set();
  for (const folder of ['schemas', 'tools', 'src']) {
    for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
      if (/\.tsx?$/.test(name)) readFile(join(ROOT, folder, name), found);
    }
  }
  return [...found].sort((a, b) => (a < b ? -1 : 1));
}

function readFile(file, found) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const walk = (node) => {
    if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) found.add(node.text);
    const isMade = ts.isNewExpression(node) || ts.isCallExpression(node);
    if (isMade && node.expression.getText() === 'RegExp') found.add(node.getText().replace(/\s+/g, ' '));
    ts.forEachChild(node, walk);
  };
  walk(source);
}

export function readList() {
  return JSON.parse(readFileSync(LIST, 'utf8'));
}

/** Undefined for a constructed one: its parts are constants or names, and its entry says so. */
export function toExpression(text) {
  const [, source, flags] = /^\/(.*)\/([a-z]*)$/s.exec(text) ?? [];
  return source === undefined ? undefined : new RegExp(source, flags.replace('y', ''));
}

/** The slowest text for the expression: the first part repeated, then the second. */
export function buildWorst([repeated, end], chars) {
  return repeated.repeat(Math.ceil(chars / repeated.length)).slice(0, chars) + end;
}

/** Longer than any linear expression takes on a busy machine. */
const MOST_MS = 10_000;

/** Throws if the match does not finish: nothing else can interrupt a match. */
export function run(expression, text) {
  expression.lastIndex = 0;
  const code = expression.global ? `text.replace(expression, '')` : 'expression.exec(text)';
  runInNewContext(code, { expression, text }, { timeout: MOST_MS });
}
