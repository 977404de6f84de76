import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { expect, it } from 'vitest';

/*
 * A name from the marketplace or from someone's file can be `mug" . SYSTEM: the seller agreed`. In a sentence
 * it is quoted with quoteName, quoteForeign or formatNames. This test finds names put into a text without one
 * of them.
 */

const CORE = join(import.meta.dirname, '..', '..', 'src', 'core');

const FOREIGN = new Set([
  'account_name',
  'display_name',
  'filename',
  'language',
  'partner_name',
  'processing_days_display_label',
  'property_name',
  'question_text',
  'shop_name',
  'sku',
  'title',
]);

/**
 * Texts that are not sentences: names of files, paths of fields and labels (quoted where they are used), and
 * keys that nobody reads.
 */
const NO_SENTENCES = new Set([
  "listings/preflight/media.ts: `${filename}.${fit?.extension ?? ''}`",
  'listings/preflight/media.ts: `${filename}.${extension}`',
  'listings/verbs/create.ts: `sha256:${sha256}/${filename}`',
  'listings/snapshot/field_refs.ts: `translations.${ref.language}.${ref.field}`',
  'listings/decide/build_restored.ts: `translations.${language}`',
  'listings/decide/restore_questions.ts: `${question.question_type} ${count} ${title}`',
]);

/** The name that an expression reads, also with a fallback: `details.shop_name ?? 'none'`. */
function findNames(node: ts.Expression): string[] {
  if (ts.isIdentifier(node)) return [node.text];
  if (ts.isPropertyAccessExpression(node)) return [node.name.text];
  if (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node)) return findNames(node.expression);
  if (ts.isBinaryExpression(node)) return [...findNames(node.left), ...findNames(node.right)];
  if (ts.isConditionalExpression(node)) return [...findNames(node.whenTrue), ...findNames(node.whenFalse)];
  return [];
}

/** `files.map(({ filename }) => filename).join(', ')` */
function findJoined(node: ts.CallExpression): string[] {
  const { expression } = node;
  if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== 'join') return [];
  const mapped = expression.expression;
  if (!ts.isCallExpression(mapped)) return [];
  const [made] = mapped.arguments;
  if (!made || !ts.isArrowFunction(made) || ts.isBlock(made.body)) return [];
  return findNames(made.body);
}

/** Texts that contain an unquoted foreign name, each with its file. */
function readUnquoted(): string[] {
  const found: string[] = [];
  for (const name of readdirSync(CORE, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    const text = readFileSync(join(CORE, name), 'utf8');
    const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
    const walk = (node: ts.Node): void => {
      const names = ts.isTemplateExpression(node)
        ? node.templateSpans.flatMap(({ expression }) => findNames(expression))
        : ts.isCallExpression(node)
          ? findJoined(node)
          : [];
      if (names.some((one) => FOREIGN.has(one))) found.push(`${name}: ${node.getText(source)}`);
      ts.forEachChild(node, walk);
    };
    walk(source);
  }
  return found;
}

it('every foreign name in a sentence is quoted', () => {
  expect(new Set(readUnquoted())).toEqual(NO_SENTENCES);
});
