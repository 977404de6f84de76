import { expect, it } from 'vitest';
import ts from '@typescript/typescript6';
import { readSources } from './sources.js';

/** Allowed prefixes of local booleans. Fields of objects stay in snake_case. */
const NAME = /^(is|has|was|are|can|may|should|needs)[A-Z]/;
const SNAKE = /^(is|has|was|are|can|may|should|needs)_/;
const { SyntaxKind } = ts;
const COMPARING: ReadonlySet<ts.SyntaxKind> = new Set([
  SyntaxKind.EqualsEqualsEqualsToken,
  SyntaxKind.ExclamationEqualsEqualsToken,
  SyntaxKind.LessThanToken,
  SyntaxKind.LessThanEqualsToken,
  SyntaxKind.GreaterThanToken,
  SyntaxKind.GreaterThanEqualsToken,
  SyntaxKind.InstanceOfKeyword,
  SyntaxKind.InKeyword,
]);
const JOINING: ReadonlySet<ts.SyntaxKind> = new Set([
  SyntaxKind.AmpersandAmpersandToken,
  SyntaxKind.BarBarToken,
]);
// isIP returns a number.
const ASKING = /^(some|every|includes|startsWith|endsWith|test|has|(?!isIP$)(is|has|can|needs)[A-Z]\w*)$/;

/** Whether the form of an expression alone makes it boolean. */
function isBoolean(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node) || ts.isAwaitExpression(node)) return isBoolean(node.expression);
  if (ts.isPrefixUnaryExpression(node)) return node.operator === SyntaxKind.ExclamationToken;
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    return COMPARING.has(kind) || (JOINING.has(kind) && isBoolean(node.left) && isBoolean(node.right));
  }
  if (ts.isCallExpression(node)) {
    const called = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
    return ts.isIdentifier(called) && ASKING.test(called.text);
  }
  return node.kind === SyntaxKind.TrueKeyword || node.kind === SyntaxKind.FalseKeyword;
}

function isBooleanType(type: ts.TypeNode): boolean {
  return ts.isUnionTypeNode(type)
    ? type.types.some((one) => one.kind === SyntaxKind.BooleanKeyword)
    : type.kind === SyntaxKind.BooleanKeyword;
}

/** Local booleans without such a prefix. A field destructured under its own name keeps it. */
function listWrong(file: string, text: string): string[] {
  const wrong: string[] = [];
  const visit = (node: ts.Node): void => {
    const isDeclared =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      (ts.isBindingElement(node) && node.propertyName);
    if (isDeclared && ts.isIdentifier(node.name)) {
      const type = ts.isBindingElement(node) ? undefined : node.type;
      const isHeld = type
        ? isBooleanType(type)
        : node.initializer !== undefined && isBoolean(node.initializer);
      const { text: name } = node.name;
      if (SNAKE.test(name) || (isHeld && !NAME.test(name) && name !== 'value')) wrong.push(name);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return wrong;
}

it('local booleans are named isX, hasX, canX or the like', () => {
  const found = readSources().flatMap(({ file, text }) =>
    listWrong(file, text).map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});

it.each([
  ['const is_paid = fee > 0;', ['is_paid']],
  ['let done = false;', ['done']],
  ['const ready = await isReady(shop) && !closed;', ['ready']],
  ['function send(force: boolean | undefined, text: string) {}', ['force']],
  ['const { is_paid: paid = false } = shop;', ['paid']],
  ['const { is_paid } = shop; const isPaid = is_paid;', []],
  ['const name = shop?.name || "none";', []],
])('misnamed local booleans are found in %s: %j', (text, wrong) => {
  expect(listWrong('sample.ts', text)).toEqual(wrong);
});
