import type { FieldDifference, FieldRef, OfferingField, OfferingKey } from '../../../schemas/field_ref.js';
import { LISTING_FIELDS, type FieldRow } from '../../../schemas/listing_fields.js';
import type { ChangeProgress } from '../../core/ports/listing/progress.js';
import type { Json } from '../json.js';
import { fromJsonOfFacts } from './stored_facts.js';

/*
 * Earlier releases stored the label of a field in each difference, `{ field, before, after }`, and in drift, `{ field, ours,
 * theirs }`. Reading a row converts labels to refs; the row keeps its labels until it is saved again.
 */

/** The start of each of them, since keys are stored in the order of the literal. */
const LABELED = '{"field":"';

/** Reads a row that may have differences of an earlier release. */
export function readWithRefs<T>(text: Json<T>): T {
  const value = fromJsonOfFacts(text);
  if (!text.includes(LABELED)) return value;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same with the differences that T has
  return withRefs(value, listOfferings(value)) as T;
}

/** Reads the progress of a job's part. Earlier releases recorded only in its warnings what it overwrites. */
export function readPart<T extends object>(text: Json<T | ChangeProgress>): T | ChangeProgress {
  const progress: (T | ChangeProgress) & Partial<ChangeProgress> = readWithRefs(text);
  const { warnings, taken_over, overwriting } = progress;
  if (!warnings || !taken_over || overwriting) return progress;
  const offerings = listOfferings(progress);
  const found = warnings
    .filter(({ code }) => code === 'overwritten')
    .flatMap((warning) => readRefs(warning.fields[0] ?? '', offerings).map((ref) => ({ ref, warning })));
  const others = warnings.filter((warning) => !found.some((one) => one.warning === warning));
  return { ...progress, warnings: others, overwriting: found };
}

type Labeled = {
  field: string;
  before?: unknown;
  after?: unknown;
  ours?: unknown;
  theirs?: unknown;
  kind?: 'sold';
};

/** The combinations that a row names anywhere, by their labels. */
type Offerings = ReadonlyMap<string, OfferingKey>;

/** The keys of their lists. Results of imports also have differences with labels, but no decision depends on them. */
const LISTS: ReadonlySet<string> = new Set(['diff', 'drift', 'fields', 'taken_over']);

function withRefs(value: unknown, offerings: Offerings): unknown {
  if (Array.isArray(value)) return value.map((item) => withRefs(item, offerings));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [
    key,
    LISTS.has(key) && Array.isArray(member)
      ? member.flatMap((item) => (isLabeled(item) ? toDifferences(item, offerings) : [item as unknown]))
      : withRefs(member, offerings),
  ]);
  return Object.fromEntries(members);
}

function toDifferences(labeled: Labeled, offerings: Offerings): FieldDifference[] {
  const { field, ours = null, theirs = null, before = ours, after = theirs, kind = 'set' } = labeled;
  return readRefs(field, offerings).map((ref) => ({ ref, before, after, kind }));
}

function isLabeled(value: unknown): value is Labeled {
  return isObject(value) && typeof value['field'] === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOfferings(value: unknown, found = new Map<string, OfferingKey>()): Map<string, OfferingKey> {
  if (Array.isArray(value)) value.forEach((item) => listOfferings(item, found));
  if (!isObject(value)) return found;
  const { property_values } = value;
  if (Array.isArray(property_values)) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else has this name
    const own = property_values as { property_name: string; property_id: number; values: string[] }[];
    const offering = own.map(({ property_name: name, property_id, values }) => ({
      name,
      property_id,
      value: values.join(', '),
    }));
    const label = offering.map(({ name, value: chosen }) => `${name}: ${chosen}`).join(', ');
    if (!found.has(label)) found.set(label, offering);
  } else Object.values(value).forEach((member) => listOfferings(member, found));
  return found;
}

/** One ref, or none if no field has this label anymore. */
function readRefs(label: string, offerings: Offerings): FieldRef[] {
  for (const [pattern, read] of LABELS) {
    const match = pattern.exec(label);
    if (match) return [read(match[1] ?? '', match[2], offerings)];
  }
  const field = FIELDS.get(label);
  return field ? [{ part: 'fields', field }] : [];
}

type ListingField = Extract<FieldRef, { part: 'fields' }>['field'];

const FIELDS = new Map(
  Object.entries<FieldRow>(LISTING_FIELDS).flatMap(([field, { part, path = `listing.${field}` }]) =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a key of the table
    part === 'fields' ? [[path, field as ListingField] as const] : [],
  ),
);

const OFFERING_FIELDS: Readonly<Record<string, OfferingField>> = {
  price: 'price',
  quantity: 'quantity',
  sku: 'sku',
  enabled: 'is_enabled',
  processing_profile_id: 'readiness_state_id',
};

// oxlint-disable typescript/no-unsafe-type-assertion -- each expression matches only names that its ref has
const LABELS: readonly (readonly [
  RegExp,
  (first: string, second: string | undefined, offerings: Offerings) => FieldRef,
])[] = [
  [/^state$/, () => ({ part: 'state' })],
  [/^(images|videos)$/, (part) => ({ part: part as 'images' })],
  [/^digital_files$/, () => ({ part: 'files' })],
  [
    /^images\[(\d+)\]\.alt_text$/,
    (position) => ({ part: 'images', field: 'alt_text', id: null, position: Number(position) }),
  ],
  [/^listing$/, () => toOfferingRef([], undefined)],
  [
    /^(?:listing|shops\[\])(\.)(price|quantity|sku|enabled|processing_profile_id)$/,
    (_, field) => toOfferingRef([], field),
  ],
  [
    /^variations\.offerings\[(.*)\](?:\.(price|quantity|sku|enabled|processing_profile_id))?$/s,
    (label, field, offerings) => toOfferingRef(offerings.get(label) ?? toUnknown(label), field),
  ],
  [/^variations\.properties$/, () => ({ part: 'options' })],
  [
    /^variations\.properties\[(.*)\]\.(property_id|scale_id|values)$/s,
    (name, field) => ({ part: 'options', name, field: field as 'values' }),
  ],
  [
    /^variations\.variation_images\.mapping\.(.*)$/s,
    (value) => ({ part: 'variation_images', property_id: null, value }),
  ],
  [
    /^category_attributes\.(.*)$/s,
    (name) => ({ part: 'attributes', id: /^\d+$/.test(name) ? Number(name) : null, name }),
  ],
  [
    /^personalization\.questions\[(\d+)\]$/,
    (position) => ({ part: 'questions', position: Number(position) }),
  ],
  [
    /^personalization\.(enabled|is_required|instructions|max_chars)$/,
    (field) => ({ part: 'questions', position: 0, field: field as 'enabled' }),
  ],
  [
    /^translations\.(.*)\.(title|description|tags)$/,
    (language, field) => ({ part: 'translations', language, field: field as 'title' }),
  ],
];
// oxlint-enable typescript/no-unsafe-type-assertion

function toOfferingRef(offering: OfferingKey, name: string | undefined): FieldRef {
  const field = name === undefined ? undefined : OFFERING_FIELDS[name];
  return { part: 'inventory', offering, ...(field && { field }) };
}

/**
 * If the row does not contain the combination, only its label is known: `Size: S, Color: Red` becomes Size with `S, Color:
 * Red`.
 */
function toUnknown(label: string): OfferingKey {
  const [name = '', ...value] = label.split(': ');
  return [{ name, property_id: null, value: value.join(': ') }];
}
