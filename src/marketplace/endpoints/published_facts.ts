import { z } from 'zod/v3';
import { MARKETPLACE_FACTS } from '../../../schemas/marketplace_facts.js';
import { cleanForeign } from '../../core/text/foreign.js';
import { listWhenMade, toOpenPeriod } from '../../core/listings/rules/when_made.js';
import { OPERATIONS, type Operation } from './operations.js';

/**
 * Where the marketplace publishes the document of its interface; its content changes under the same version.
 */
export const PUBLISHED_DOCUMENT = 'https://www.etsy.com/openapi/generated/oas/3.0.0.json';

const field = z.object({ enum: z.array(z.unknown()).optional(), description: z.string().optional() });
const body = z.object({
  schema: z.object({
    properties: z.record(field).default({}),
    required: z.array(z.string()).default([]),
  }),
});
const operation = z.object({
  operationId: z.string(),
  security: z.array(z.record(z.array(z.string()))).default([]),
  requestBody: z.object({ content: z.record(body) }).optional(),
});
const openApi = z.object({ openapi: z.string(), paths: z.record(z.record(z.unknown())) });

type Field = z.output<typeof field>;
type Published = z.output<typeof operation> & { method: string; path: string };

const CREATE = 'createDraftListing';
const BODY_TYPES = {
  form: 'application/x-www-form-urlencoded',
  json: 'application/json',
  multipart: 'multipart/form-data',
} as const;

/** Enumerated fields. */
const CHOICES: readonly { field: string; ours: readonly string[] }[] = [
  { field: 'who_made', ours: MARKETPLACE_FACTS.who_made },
  { field: 'item_weight_unit', ours: MARKETPLACE_FACTS.item_weight_units },
  { field: 'item_dimensions_unit', ours: MARKETPLACE_FACTS.item_dimensions_units },
];

/** Fields whose description has the regular expression of refused values, as `(regex: /…/u)`. */
const CHARACTERS: readonly { field: string; ours: string }[] = [
  { field: 'title', ours: MARKETPLACE_FACTS.title_forbidden },
  { field: 'tags', ours: MARKETPLACE_FACTS.tag_forbidden },
  { field: 'materials', ours: MARKETPLACE_FACTS.word_forbidden },
  { field: 'styles', ours: MARKETPLACE_FACTS.word_forbidden },
];
const EXPRESSION = /\(regex: \/(.{1,200}?)\/u\)/;

/** Numbers in descriptions; the first group of the pattern is the number. */
const COUNTS: readonly { field: string; what: string; pattern: RegExp; ours: number }[] = [
  {
    field: 'image_ids',
    what: 'photos of a listing',
    pattern: /up to (\w+) images/,
    ours: MARKETPLACE_FACTS.images_per_listing,
  },
  {
    field: 'styles',
    what: 'styles of a listing',
    pattern: /up to (\w+) styles/,
    ours: MARKETPLACE_FACTS.styles_per_listing,
  },
  {
    field: 'styles',
    what: 'characters of a style',
    pattern: /limited to (\w+) characters/,
    ours: MARKETPLACE_FACTS.style_max_chars,
  },
];
const NUMBER_WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** Required fields in the body of each operation that we use, as of when the client was written. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  createDraftListing: ['quantity', 'title', 'description', 'price', 'who_made', 'when_made', 'taxonomy_id'],
  updateListingInventory: ['products'],
  updateListingPersonalization: ['personalization_questions'],
  updateListingProperty: ['value_ids', 'values'],
  createListingTranslation: ['title', 'description'],
  updateListingTranslation: ['title', 'description'],
  updateVariationImages: ['variation_images'],
  tokenScopes: ['token'],
};

/**
 * The differences between the marketplace's document and this release, one sentence each; undefined if it is
 * not a document of the marketplace's interface. Fees, and lengths that only help pages state, are not
 * compared.
 * @param document parsed JSON, from anywhere
 */
export function compareWithDocument(document: unknown): string[] | undefined {
  const published = readOperations(document);
  const create = published?.find(({ operationId }) => operationId === CREATE);
  if (!published || !create) return undefined;
  const { properties } = readBody(create);
  return [
    ...compareChoices('when_made', listOfYear(properties['when_made']), properties['when_made']),
    ...CHOICES.flatMap(({ field: name, ours }) => compareChoices(name, ours, properties[name])),
    ...CHARACTERS.flatMap(({ field: name, ours }) => compareCharacters(name, ours, properties[name])),
    ...COUNTS.flatMap((count) => compareCount(count, properties[count.field])),
    ...Object.values(OPERATIONS).flatMap((ours) => compareOperation(ours, published)),
  ];
}

function readOperations(document: unknown): Published[] | undefined {
  const parsed = openApi.safeParse(document);
  if (!parsed.success) return undefined;
  return Object.entries(parsed.data.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, value]) => {
      const { success, data } = operation.safeParse(value);
      return success ? [{ ...data, method: method.toUpperCase(), path }] : [];
    }),
  );
}

function readBody({ requestBody }: Published) {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  return { type, properties: content?.schema.properties ?? {}, required: content?.schema.required ?? [] };
}

function compareChoices(name: string, ours: readonly string[], published: Field | undefined): string[] {
  if (!published?.enum) return [`The document no longer lists the values of ${name}.`];
  const theirs = published.enum.filter((value) => typeof value === 'string');
  const added = theirs.filter((value) => !ours.includes(value));
  const gone = ours.filter((value) => !theirs.includes(value));
  return [
    ...(added.length > 0
      ? [`${name} now accepts ${listNames(added)}, which this release does not know.`]
      : []),
    ...(gone.length > 0 ? [`${name} no longer accepts ${listNames(gone)}, which this release sends.`] : []),
  ];
}

/** The names of when_made in the document's year: those of each year are computed. */
function listOfYear(published: Field | undefined): string[] {
  const names = new Set(published?.enum);
  const year = YEARS.find((candidate) => names.has(toOpenPeriod(candidate)));
  return listWhenMade(year ?? FACTS_YEAR);
}

const FACTS_YEAR = Number(MARKETPLACE_FACTS.as_of.slice(0, 4));
/** Newest first: at the end of a decade its name stays. */
const YEARS = Array.from({ length: 20 }, (_, index) => FACTS_YEAR + 18 - index);

function compareCharacters(name: string, ours: string, published: Field | undefined): string[] {
  const theirs = EXPRESSION.exec(published?.description ?? '')?.[1];
  if (theirs === undefined) return [`The document no longer says which characters ${name} must not contain.`];
  if (theirs === ours) return [];
  return [`${name} now must not contain ${cleanForeign(theirs, 200)}; this release knows ${ours}.`];
}

function compareCount(
  { what, pattern, ours }: (typeof COUNTS)[number],
  published: Field | undefined,
): string[] {
  const word = pattern.exec(published?.description ?? '')?.[1];
  if (word === undefined)
    return [`The document no longer states the maximum number of ${what}; this release knows ${ours}.`];
  const theirs = NUMBER_WORDS.includes(word) ? NUMBER_WORDS.indexOf(word) : Number(word);
  return theirs === ours
    ? []
    : [`The maximum number of ${what} is now ${cleanForeign(word)}; this release knows ${ours}.`];
}

function compareOperation(ours: Operation, published: readonly Published[]): string[] {
  const theirs = published.find(({ operationId }) => operationId === ours.name);
  if (!theirs) return [`${ours.name}, which this release uses, is gone.`];
  const { type, required } = readBody(theirs);
  const scope = theirs.security.flatMap(({ oauth2 }) => oauth2 ?? [])[0] ?? null;
  const path = `/v3/application${ours.path}`;
  const wanted_type = ours.body && BODY_TYPES[ours.body];
  const known = REQUIRED[ours.name] ?? [];
  const asked = required.filter((name) => !known.includes(name));
  const isMoved = theirs.method !== ours.method || theirs.path !== path;
  return [
    ...(isMoved
      ? [
          `${ours.name} is now ${theirs.method} ${cleanForeign(theirs.path)} instead of ${ours.method} ${path}.`,
        ]
      : []),
    ...(scope === ours.scope
      ? []
      : [`${ours.name} now needs ${toScope(scope)} instead of ${toScope(ours.scope)}.`]),
    ...(type === wanted_type
      ? []
      : [`${ours.name} now takes ${cleanForeign(type ?? 'no body')} instead of ${wanted_type ?? 'none'}.`]),
    ...(asked.length > 0 ? [`${ours.name} now requires ${listNames(asked)}.`] : []),
  ];
}

function toScope(scope: string | null): string {
  return scope === null ? 'no scope' : `the scope ${cleanForeign(scope)}`;
}

const MOST_NAMES = 10;

function listNames(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return `${names
    .slice(0, MOST_NAMES)
    .map((name) => cleanForeign(name))
    .join(', ')}${more}`;
}
