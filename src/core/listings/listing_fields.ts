import {
  LISTING_FIELDS,
  type FieldName,
  type FieldRow,
  type FieldsWith,
} from '../../../schemas/listing_fields.js';
import type { ListingRequest, ShopTarget } from '../../../schemas/listing_request.js';

/* Lists of a listing's fields, by use. All are derived from the table in schemas/listing_fields.ts. */

export const FIELD_NAMES = Object.keys(LISTING_FIELDS) as FieldName[];

export function getRow(field: FieldName): FieldRow {
  return LISTING_FIELDS[field];
}

/** Lists fields in the order of the table. `isOne` selects the rows that `Columns` describes. */
function pick<Columns>(isOne: (row: FieldRow) => boolean): readonly FieldsWith<Columns>[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the predicate and the type say the same
  return FIELD_NAMES.filter((field) => isOne(getRow(field))) as FieldsWith<Columns>[];
}

/** Fields sent to create a draft. */
export const CREATED = pick<{ create: string }>(({ create }) => create !== undefined);

/** Fields a new listing can do without. The other fields of creation make up the listing. */
export const OPTIONAL_AT_CREATION = pick<{ create: 'optional' }>(({ create }) => create === 'optional');

/** Fields that creation sends and its response returns. */
export const SHOWN_WHEN_CREATED = pick<{ create: string; read: 'always' | 'nullable' | 'if_known' }>(
  ({ create, read }) => create !== undefined && read !== undefined && read !== 'reads',
);

/** Fields of a request that an update sets. */
export const UPDATED = pick<{ path: string; update: string }>(
  ({ path, update }) => path !== undefined && update !== undefined,
);

/** Fields in responses, except those compared by combination. */
export const COMPARED = pick<{ part: 'fields'; read: string }>(
  ({ part, read }) => part === 'fields' && read !== undefined,
);

/** Fields that an undo can restore. */
export const RESTORED = pick<{ update: string; read: string }>(
  ({ update, read }) => update !== undefined && read !== undefined,
);

/** Fields the marketplace accepts only on creation. */
export const FIXED = pick<{ create: 'optional'; read: string; update?: never }>(
  ({ create, read, update }) => create === 'optional' && read !== undefined && update === undefined,
);

/** The marketplace accepts these three only together. */
export const MADE = pick<{ together: 'making' }>(({ together }) => together === 'making');

export const REQUIRED_BY_REQUEST = pick<{ required: 'by_request' }>(
  ({ required }) => required === 'by_request',
);

/** Fields the marketplace sets if a listing was created without them. */
export const SET_BY_MARKETPLACE = pick<{ part: 'fields'; required: 'by_marketplace' }>(
  ({ part, required }) => part === 'fields' && required === 'by_marketplace',
);

/** Fields a listing always has: no marketplace call removes them. */
export const ALWAYS_THERE = pick<{ required: 'by_marketplace' }>(
  ({ part, required, update }) =>
    required === 'by_marketplace' && (part === 'inventory' || update !== undefined),
);

/** Fields a request has for all shops. */
export const OF_LISTING = pick<{ path: `listing.${string}` }>(({ path = '' }) => path.startsWith('listing.'));

/** Fields a request has for each shop. */
export const OF_SHOP = pick<{ path: `shops[].${string}` }>(({ path = '' }) => path.startsWith('shops[].'));

/** Fields a request has for each shop, or once for all of them. */
export const SHARED = pick<{ shared: string }>(({ shared }) => shared !== undefined);

/** Fields that are written with the inventory. */
export const OF_INVENTORY = pick<{ part: 'inventory' }>(({ part }) => part === 'inventory');

/** Ids that a request takes from a list of the shop. */
export const REFERENCES = pick<{ list: string }>(({ list }) => list !== undefined);

/** Fields whose values are unknown here. */
export const OPAQUE = pick<{ type: 'opaque' }>(({ type }) => type === 'opaque');

/** Ids that belong to one shop, in fields that a request may set for all shops. */
export const SHARED_IDS = pick<{ shared: string; is_of_shop: true }>(
  ({ shared, is_of_shop }) => shared !== undefined && is_of_shop === true,
);

/** Lists of words by which buyers find a listing. */
export const WORD_FIELDS = pick<{ type: 'words' }>(({ type }) => type === 'words');

/** Text fields that buyers read. */
export const READ_BY_BUYERS = pick<{ type: 'prose' | 'words'; update: string }>(
  ({ type, update }) => (type === 'prose' || type === 'words') && update !== undefined,
);

/** Fields that are stored with a sighting. */
export const SIGHTED = pick<{ is_sighted: true }>(({ is_sighted }) => is_sighted === true);

/** Whether the saved listing accepts a manual edit of the field. */
export function acceptsEdit(field: FieldName): boolean {
  const { path, part, update, is_left_there } = getRow(field);
  return path !== undefined && is_left_there !== true && (part === 'inventory' || update !== undefined);
}

export function isList(field: FieldName): boolean {
  const { type } = getRow(field);
  return type === 'words' || type === 'ids';
}

/** The path in a request, `listing.title`. Fields that only the marketplace has get such a path, too. */
export function toPath(field: FieldName): string {
  return getRow(field).path ?? `listing.${field}`;
}

/** The field's name within its place in a request. */
export function toName(field: FieldName): string {
  return toPath(field).replace(/^(?:listing|shops\[\])\./, '');
}

/** The names under which requests group fields, as in `shops[].group.field`. */
export const GROUPS: ReadonlySet<string> = new Set(
  FIELD_NAMES.map(toName).flatMap((name) => (name.includes('.') ? [name.slice(0, name.indexOf('.'))] : [])),
);

/** The request's value for a field in one shop: the shop's own, or that of all shops. */
export function readGiven(field: FieldName, listing: ListingRequest['listing'], target: ShopTarget): unknown {
  const isOfShop = toPath(field).startsWith('shops[].');
  const value = getAt(isOfShop ? target : listing, toName(field));
  return value ?? (getRow(field).shared === undefined ? undefined : getAt(listing, toName(field)));
}

/** Whether a change names a field of the shop at this index, or a group that contains it. */
export function isNamed(field: FieldName, index: number, changed: readonly string[]): boolean {
  const paths = [toPath(field).replace('[]', `[${index}]`), getRow(field).shared];
  return paths.some((path) => changed.some((one) => path === one || path?.startsWith(`${one}.`)));
}

/**
 * Turns values that all shops share into each shop's own.
 * @param views by shop_id, a shop's request if it differs; the values are removed from these, too
 */
export function giveToEach(
  request: ListingRequest,
  fields: readonly FieldName[],
  views: ReadonlyMap<number, ListingRequest> = new Map(),
): void {
  for (const name of fields.map(toName)) {
    for (const target of request.shops) {
      const value = getAt((views.get(target.shop_id) ?? request).listing, name);
      if (value !== undefined && value !== null && getAt(target, name) === undefined)
        setAt(target, name, value);
    }
    for (const { listing } of [request, ...views.values()]) setAt(listing, name, null);
  }
}

type Json = Record<string, unknown>;

export function getAt(at: Json, name: string): unknown {
  const [key = '', ...rest] = name.split('.');
  const value = at[key];
  return rest.length === 0 ? value : isGroup(value) ? getAt(value, rest.join('.')) : undefined;
}

/** Sets a value, also in a group; null removes it, and a group with its last value. */
export function setAt(at: Json, name: string, value: unknown): void {
  const [key = '', ...rest] = name.split('.');
  if (rest.length === 0) {
    if (value === null) delete at[key];
    else at[key] = value;
    return;
  }
  const group = isGroup(at[key]) ? { ...at[key] } : {};
  setAt(group, rest.join('.'), value);
  setAt(at, key, Object.keys(group).length > 0 ? group : null);
}

function isGroup(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isFieldName(name: string): name is FieldName {
  return Object.hasOwn(LISTING_FIELDS, name);
}

/**
 * The request's path of the value that creation sends as `field`: `listing.tags`, `shops[1].shop_section_id`.
 * @param position of the shop
 */
export function toRequestPath(field: string, { position }: { position: number }): string {
  const path = isFieldName(field) ? toPath(field) : `listing.${field}`;
  return path.replace('shops[]', `shops[${position}]`);
}
