import { existsSync, readFileSync } from 'node:fs';
import { ERRORS } from '../../src/core/errors.js';
import { isJson, toJson, type Json } from './open_api.js';

/*
 * The decisions on the pages that describe this service's own interface: names, types, required fields,
 * bounds, statuses. The pages, if present, are stored next to the project; the facts are in interface.json.
 */

const PAGES = new URL('../../../shared/spec/', import.meta.url);
export const INTERFACE = new URL('interface.json', import.meta.url);

/** JSON Schema keywords of one field, and whether every request must have it. */
type FieldFacts = { type: string; required?: true; [keyword: string]: unknown };

/**
 * `errors`: code to HTTP status. `listing_create`: the fields of its body by path, as in `shops[].price`.
 * `long_answers`: over MCP, the maximum number of characters, the key for text shared with an earlier shop,
 * and the fields of an excerpt.
 */
type InterfaceFacts = {
  errors: Record<string, number>;
  listing_create: Record<string, FieldFacts>;
  long_answers: { max_chars: number; repeated: string; excerpt: string[] };
};

export const hasPages = existsSync(PAGES);

export function readInterface(): InterfaceFacts {
  return JSON.parse(readFileSync(INTERFACE, 'utf8')) as InterfaceFacts;
}

/** From the pages. */
export function buildInterface(): InterfaceFacts {
  return {
    errors: {
      ...readFirstCodes(readPage('decisions.md')),
      ...readLaterCodes(readPage('after-live.md')),
      ...readBatchCodes(readPage('many-at-once.md')),
    },
    listing_create: readFields(readPage('service-api.md')),
    long_answers: readLongAnswers(readPage('decisions.md')),
  };
}

/** A field of an advertised schema in the same form; undefined if there is none. */
export function findFacts(schema: Json, path: string): Json | undefined {
  let found: Json = schema;
  let isRequired = false;
  for (const [, name = '', list] of path.matchAll(/([^.[\]]+)(\[\])?\.?/g)) {
    const parent = toValue(found);
    const member = name.startsWith('<') ? parent['additionalProperties'] : toJson(parent['properties'])[name];
    if (!isJson(member)) return undefined;
    isRequired = Array.isArray(parent['required']) && parent['required'].includes(name);
    found = list === undefined ? member : toJson(toValue(member)['items']);
  }
  const value = toValue(found);
  const [type] = [value['type']].flat();
  return { ...value, type, required: isRequired };
}

/** For a nullable field, the schema without null. */
function toValue(schema: Json): Json {
  const branches: unknown[] = Array.isArray(schema['anyOf']) ? schema['anyOf'] : [];
  return toJson(branches.find((branch) => isJson(branch) && branch['type'] !== 'null') ?? schema);
}

function readPage(name: string): string {
  return readFileSync(new URL(name, PAGES), 'utf8');
}

function readSection(text: string, heading: string): string {
  return text.split(`\n${heading}`)[1]?.split('\n#')[0] ?? '';
}

/**
 * `Codes: 404 A; 400 B, C.` Without codes that only items have, and without those of operations that do not
 * exist yet.
 */
function readBatchCodes(text: string): Record<string, number> {
  const line = /^Codes: (.*)$/m.exec(text)?.[1] ?? '';
  const groups = line.split('; ').flatMap((group) => {
    const status = Number.parseInt(group, 10);
    return (group.match(/\b[A-Z][A-Z_]+\b/g) ?? []).map((code) => [code, status] as const);
  });
  return Object.fromEntries(groups.filter(([code]) => Object.hasOwn(ERRORS, code)));
}

/** Rows such as `| 401 | UNAUTHORIZED |`. */
function readFirstCodes(text: string): Record<string, number> {
  const rows = [...readSection(text, '## Errors').matchAll(/^\| (\d{3}) \| (.*) \|$/gm)];
  return Object.fromEntries(
    rows.flatMap(([, status, codes = '']) =>
      (codes.match(/\b[A-Z][A-Z_]+\b/g) ?? []).map((code) => [code, Number(status)]),
    ),
  );
}

/** The later page's codes for a whole answer, each of them a 400. */
function readLaterCodes(text: string): Record<string, number> {
  const codes = [...readSection(text, '## Codes\n').matchAll(/`([A-Z_]+)`/g)].map(([, code = '']) => code);
  return Object.fromEntries(codes.filter((code) => Object.hasOwn(ERRORS, code)).map((code) => [code, 400]));
}

function readLongAnswers(text: string): InterfaceFacts['long_answers'] {
  const section = readSection(text, '## Length of answers');
  return {
    max_chars: Number(/at most ([\d,]+) characters/.exec(section)?.[1]?.replace(',', '')),
    repeated: /replaced by `(\w+)`/.exec(section)?.[1] ?? '',
    excerpt: (/`\{([\w, ]+)\}`/.exec(section)?.[1] ?? '').split(', '),
  };
}

/** The table of the body's fields; a row for several fields counts as several rows. */
function readFields(text: string): Record<string, FieldFacts> {
  const section = readSection(text, '### Listing create request body');
  const rows = [...section.matchAll(/^\| ([a-z][^|]*?) \| ([^|]*?) \| ([^|]*?) \| (.*) \|$/gm)];
  return Object.fromEntries(
    rows.flatMap(([, cell = '', type = '', required = '', rules = '']) =>
      listNames(cell).map((name): [string, FieldFacts] => [
        name,
        {
          type: type.split(' ')[0] ?? '',
          ...(required.startsWith('yes') && { required: true }),
          ...readBounds(type, rules),
        },
      ]),
    ),
  );
}

/** `listing.item_length, item_width` are two of one parent. */
function listNames(cell: string): string[] {
  const [first = '', ...others] = cell.split(', ');
  const parent = first.slice(0, first.lastIndexOf('.') + 1);
  return [first, ...others.map((other) => (other.includes('.') ? other : parent + other))];
}

function readBounds(type: string, rules: string): Json {
  const find = (pattern: RegExp): number[] => (pattern.exec(rules) ?? []).slice(1).map(Number);
  if (type === 'string') return toBound('maxLength', find(/(?:max|\d+ to) (\d+) chars/));
  if (type.startsWith('array')) {
    const [of] = / of (\w+)s$/.exec(type)?.slice(1) ?? [];
    const longest = toBound('maxLength', find(/each max (\d+) chars/));
    return {
      ...toBound('maxItems', find(/max (\d+) items/)),
      ...(of !== undefined && { items: { type: of, ...longest } }),
    };
  }
  const [least, most] = find(/^(\d+) to (\d+)/);
  return {
    ...toBound('minimum', least === undefined ? find(/^>= ([\d.]+)|; >= ([\d.]+)/) : [least]),
    ...toBound('maximum', [most]),
    ...toBound('exclusiveMinimum', find(/> (\d+)/)),
  };
}

function toBound(keyword: string, numbers: readonly (number | undefined)[]): Json {
  const known = numbers.find((number) => number !== undefined && !Number.isNaN(number));
  return known === undefined ? {} : { [keyword]: known };
}
