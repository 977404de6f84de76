import { sep } from 'node:path';
import ts from '@typescript/typescript6';
import { expect, it } from 'vitest';
import { readSources } from './sources.js';

/*
 * The label of a field is only for display. Two combinations may have the same label, so decisions use
 * FieldRef: a label is never compared, searched or split.
 */

const EXCEPTIONS = new Set([
  // Confirmations stored with jobs of an earlier release have labels.
  'src/core/listings/decide/edit_license.ts: new Set([toCanonicalJson(ref), toLabel(ref)])',
]);

const COMPARING = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.InKeyword,
]);
const READING =
  /^(?:at|endsWith|exec|find|findIndex|get|has|includes|indexOf|match|replace|replaceAll|slice|split|startsWith|test)$/;

/** Whether this expression compares, searches or splits the label that `inner` is or has. */
function isReading(node: ts.Node, inner: ts.Node): boolean {
  if (ts.isBinaryExpression(node)) return COMPARING.has(node.operatorToken.kind);
  if (ts.isSwitchStatement(node) || ts.isElementAccessExpression(node)) return true;
  if (ts.isNewExpression(node)) return ['Map', 'Set'].includes(node.expression.getText());
  if (ts.isPropertyAccessExpression(node)) return READING.test(node.name.text);
  // `known.has(toLabel(ref))`
  return (
    ts.isCallExpression(node) &&
    node.arguments.some((argument) => argument === inner) &&
    ts.isPropertyAccessExpression(node.expression) &&
    READING.test(node.expression.name.text)
  );
}

function findReads(file: string, text: string): string[] {
  const found: string[] = [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const walk = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === 'toLabel' && !ts.isImportSpecifier(node.parent)) {
      let inner: ts.Node = node;
      while (inner.parent && !ts.isStatement(inner.parent) && !ts.isPropertyAssignment(inner.parent)) {
        if (isReading(inner.parent, inner)) {
          found.push(`${file.replaceAll(sep, '/')}: ${inner.parent.getText()}`);
          break;
        }
        inner = inner.parent;
      }
    }
    ts.forEachChild(node, walk);
  };
  walk(source);
  return found;
}

it('no decision depends on the label of a field', () => {
  const found = readSources().flatMap(({ file, text }) => findReads(file, text));
  expect(new Set(found)).toEqual(EXCEPTIONS);
});

it.each([
  `const isTitle = toLabel(ref) === 'listing.title';`,
  `const isShown = diff.some((change) => toLabel(change.ref) === toLabel(ref));`,
  `const isStock = toLabel(ref).endsWith('quantity');`,
  `const isStock = /quantity$/.test(toLabel(ref));`,
  `const isKnown = diff.map(({ ref }) => toLabel(ref)).includes(field);`,
  `const isKnown = fields.has(toLabel(ref));`,
  `const fields = new Set(refs.map(toLabel));`,
  `const name = names[toLabel(ref)];`,
  `const [part] = toLabel(ref).split('.');`,
])('a decision by label is found in %s', (text) => {
  expect(findReads('file.ts', text)).not.toEqual([]);
});

it.each([
  `const warning = { fields: [toLabel(ref)], reason };`,
  `const fields = diff.map(({ ref }) => toLabel(ref));`,
  `const text = refs.map(toLabel).join(', ');`,
])('%s is not mistaken for a decision by label', (text) => {
  expect(findReads('file.ts', text)).toEqual([]);
});
