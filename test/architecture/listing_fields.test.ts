import { sep } from 'node:path';
import ts from '@typescript/typescript6';
import { expect, it } from 'vitest';
import { LISTING_FIELDS, type FieldRow } from '../../schemas/listing_fields.js';
import { readSources } from './sources.js';

/*
 * The fields of a listing are listed once, in schemas/listing_fields.ts. A second list would have to be found
 * and changed with each new field, so other code derives its lists.
 */

/** The most field names in one literal: a few are a selection, more are a list. */
const MOST = 4;

/**
 * Files that write them out by design: the schema of requests, the marketplace's wire format, the sandbox,
 * and parsers.
 */
const FREE = ['schemas/', 'src/marketplace/map/', 'src/sandbox/', 'src/docs/', 'tools/examples/'].map(
  (path) => path.replaceAll('/', sep),
);

const EXCEPTIONS = new Set([
  // The marketplace document's description of its own operation, to be compared with later versions.
  'src/marketplace/endpoints/published_facts.ts: quantity title description price who_made when_made taxonomy_id',
  // The columns of a sheet, which sellers see, and the values their cells may hold.
  'src/core/batches/sheets/columns.ts: title description tags materials price quantity sku',
  'src/core/batches/sheets/values.ts: title description tags materials price quantity sku',
  // The places where fields of the editor's form are converted.
  'src/dashboard/pages/listing/editor/to_request.ts: title description listing_type taxonomy_id price quantity sku tags materials',
  'src/dashboard/pages/listing/editor/to_request.ts: price shipping_profile_id return_policy_id processing_profile_id shop_section_id production_partner_ids',
]);

const NAMES = new Set(
  Object.entries<FieldRow>(LISTING_FIELDS).flatMap(([field, { path = field }]) => [
    field,
    path.slice(path.lastIndexOf('.') + 1),
  ]),
);

/** The last name in a path such as `listing.title`. */
function toLast(text: string): string {
  return text.slice(text.lastIndexOf('.') + 1);
}

function readName(node: ts.Node | undefined): string[] {
  if (!node) return [];
  if (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) return [toLast(node.text)];
  if (ts.isLiteralTypeNode(node)) return readName(node.literal);
  // `['title', …]`, an entry of a list of pairs
  return ts.isArrayLiteralExpression(node) ? readName(node.elements[0]) : [];
}

/** The names that a literal lists; for objects, also those of spread objects. */
function listNames(node: ts.Node): string[] {
  if (ts.isArrayLiteralExpression(node)) {
    return node.elements.flatMap((element) => (ts.isIdentifier(element) ? [] : readName(element)));
  }
  if (ts.isObjectLiteralExpression(node)) {
    return node.properties.flatMap((member) => (member.name ? readName(member.name) : listSpread(member)));
  }
  if (ts.isTypeLiteralNode(node)) return node.members.flatMap(({ name }) => readName(name));
  if (ts.isUnionTypeNode(node)) return node.types.flatMap(readName);
  if (ts.isObjectBindingPattern(node)) {
    return node.elements.flatMap(({ propertyName, name }) => readName(propertyName ?? name));
  }
  return ts.isRegularExpressionLiteral(node) ? (node.text.match(/\w+/g) ?? []) : [];
}

function listSpread(node: ts.Node): string[] {
  const found: string[] = ts.isObjectLiteralExpression(node) ? listNames(node) : [];
  if (found.length === 0) ts.forEachChild(node, (child) => void found.push(...listSpread(child)));
  return found;
}

/** Literals with more field names than allowed: the file and the names. */
function findLists(file: string, text: string): string[] {
  const found: string[] = [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const walk = (node: ts.Node): void => {
    const names = [...new Set(listNames(node).filter((name) => NAMES.has(name)))];
    if (names.length > MOST) found.push(`${file.replaceAll(sep, '/')}: ${names.join(' ')}`);
    ts.forEachChild(node, walk);
  };
  walk(source);
  return found;
}

it('the fields of a listing are listed in one table', () => {
  const others = readSources().filter(({ file }) => !FREE.some((path) => file.startsWith(path)));
  const found = others.flatMap(({ file, text }) => findLists(file, text));
  expect(new Set(found)).toEqual(EXCEPTIONS);
});

it.each([
  ['an array', `const FIELDS = ['title', 'tags', 'price', 'sku', 'styles'] as const;`],
  [
    'paths',
    `const PATHS = ['listing.title', 'listing.tags', 'listing.price', 'listing.sku', 'listing.styles'];`,
  ],
  ['entries', `const ENTRIES = [['title', 1], ['tags', 1], ['price', 1], ['sku', 1], ['styles', 1]];`],
  ['an object', `const draft = { title, tags, price: 1, sku: '', ...(styles && { styles }) };`],
  [
    'a type',
    `type Draft = { title: string; tags?: string[]; price: number; sku: string; styles: string[] };`,
  ],
  ['a union', `type Field = 'title' | 'tags' | 'price' | 'sku' | 'styles';`],
  ['a pattern', `const { title, tags, price, sku: own, styles } = listing;`],
  ['an expression', `const NAMES = /title|tags|price|sku|styles/;`],
])('reports %s with five fields', (_what, text) => {
  expect(findLists('file.ts', text)).toEqual(['file.ts: title tags price sku styles']);
});

it('allows a list of four fields', () => {
  expect(findLists('file.ts', `const FEW = ['title', 'tags', 'price', 'sku', 'images'];`)).toEqual([]);
});
