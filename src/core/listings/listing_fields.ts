import {
  LISTING_FIELDS,
  type FieldName,
  type FieldRow,
  type FieldsWith,
} from '../../../schemas/listing_fields.js';
import type { ListingRequest, ShopTarget } from '../../../schemas/listing_request.js';

/* Lists of a listing's fields, by what is done with them. All of them are derived from the table in schemas/listing_fields.ts. */

const FIELD_NAMES = Object.keys(LISTING_FIELDS) as FieldName[];

export function getRow(field: FieldName): FieldRow {
  return LISTING_FIELDS[field];
}

/** Lists fields in the order of the table. `isOne` chooses the rows that `Columns` describes. */
function pick<Columns>(isOne: (row: FieldRow) => boolean): readonly FieldsWith<Columns>[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the predicate and the type say the same
  return FIELD_NAMES.filter((field) => isOne(getRow(field))) as FieldsWith<Columns>[];
}

/** Fields that creating a draft sends. */
export const CREATED = pick<{ create: string }>(({ create }) => create !== undefined);

/** Fields that a listing can do without at first. The other fields of creation are the listing. */
export const OPTIONAL_AT_CREATION = pick<{ create: 'optional' }>(({ create }) => create === 'optional');

/** Fields that creation sends and its answer has. */
export const SHOWN_WHEN_CREATED = pick<{ create: string; read: 'always' | 'nullable' }>(
  ({ create, read }) => create !== undefined && read !== undefined && read !== 'reads',
);

/** Fields of a request that an update sets. */
export const UPDATED = pick<{ path: string; update: string }>(
  ({ path, update }) => path !== undefined && update !== undefined,
);

/** Fields that answers have, but for those that are compared by combination. */
export const COMPARED = pick<{ part: 'fields'; read: string }>(
  ({ part, read }) => part === 'fields' && read !== undefined,
);

/** Fields that an undo can restore. */
export const RESTORED = pick<{ update: string; read: string }>(
  ({ update, read }) => update !== undefined && read !== undefined,
);

/** Fields that the marketplace takes when a listing is created, and never after. */
export const FIXED = pick<{ create: 'optional'; read: string; update?: never }>(
  ({ create, read, update }) => create === 'optional' && read !== undefined && update === undefined,
);

/** The marketplace takes these three together. */
export const MADE = pick<{ together: 'making' }>(({ together }) => together === 'making');

export const REQUIRED_BY_REQUEST = pick<{ required: 'by_request' }>(
  ({ required }) => required === 'by_request',
);

/** Fields that the marketplace sets where a listing was made without them. */
export const SET_BY_MARKETPLACE = pick<{ part: 'fields'; required: 'by_marketplace' }>(
  ({ part, required }) => part === 'fields' && required === 'by_marketplace',
);

/** Fields that a listing always has: no call of the marketplace removes them. */
export const ALWAYS_THERE = pick<{ required: 'by_marketplace' }>(
  ({ part, required, update }) =>
    required === 'by_marketplace' && (part === 'inventory' || update !== undefined),
);

/** Fields that a request has for all shops. */
export const OF_LISTING = pick<{ path: `listing.${string}` }>(({ path = '' }) => path.startsWith('listing.'));

/** Fields that a request has for each shop. */
export const OF_SHOP = pick<{ path: `shops[].${string}` }>(({ path = '' }) => path.startsWith('shops[].'));

/** Fields that are written with the inventory. */
export const OF_INVENTORY = pick<{ part: 'inventory' }>(({ part }) => part === 'inventory');

/** Ids that a request takes from a list of the shop. */
export const REFERENCES = pick<{ list: string }>(({ list }) => list !== undefined);

/** Lists of words that a listing is found by. */
export const WORD_FIELDS = pick<{ type: 'words' }>(({ type }) => type === 'words');

/** Fields of text that buyers read. */
export const READ_BY_BUYERS = pick<{ type: 'prose' | 'words'; update: string }>(
  ({ type, update }) => (type === 'prose' || type === 'words') && update !== undefined,
);

/** Fields that are kept with a sighting. */
export const SIGHTED = pick<{ is_sighted: true }>(({ is_sighted }) => is_sighted === true);

/** Whether the saved listing takes over a manual edit of the field. */
export function isTakenOver(field: FieldName): boolean {
  const { path, part, update, is_left_there } = getRow(field);
  return path !== undefined && is_left_there !== true && (part === 'inventory' || update !== undefined);
}

export function isList(field: FieldName): boolean {
  const { type } = getRow(field);
  return type === 'words' || type === 'ids';
}

/** Where a request has it, `listing.title`; so is a field called that only the marketplace has. */
export function toPath(field: FieldName): string {
  return getRow(field).path ?? `listing.${field}`;
}

/** The name that a request has for it in its place. */
export function toName(field: FieldName): string {
  return toPath(field).replace(/^(?:listing|shops\[\])\./, '');
}

/** The value that a request has for a field, in the listing or in the shop. */
export function readGiven(field: FieldName, listing: ListingRequest['listing'], target: ShopTarget): unknown {
  return (toPath(field).startsWith('shops[]') ? target : listing)[toName(field)];
}

const BY_PATH: ReadonlyMap<string, FieldName> = new Map(FIELD_NAMES.map((field) => [toPath(field), field]));

export function findField(path: string): FieldName | undefined {
  return BY_PATH.get(path);
}

export function isFieldName(name: string): name is FieldName {
  return Object.hasOwn(LISTING_FIELDS, name);
}
