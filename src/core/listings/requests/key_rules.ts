import { foldCase } from '../../text/fold_case.js';
import { publishRequest } from '../../../../schemas/job.js';
import { listingRequest, type ListingRequest } from '../../../../schemas/listing_request.js';
import type { Issue } from '../../../../schemas/issue.js';
import type { FreeKeys } from '../../operations/unknown_keys/find.js';
import {
  listUnknownKeys,
  type UnknownKey,
  type UnknownKeyRules,
} from '../../operations/unknown_keys/unknown_keys.js';
import { listValues } from '../rules/values.js';
import { toOfferingKey } from '../rules/variation_rules.js';

/** Keys about the call (where, how often, whether to pay) rather than the product. */
const CONTROLS: ReadonlySet<string> = new Set(['state', 'idempotency_key', 'dry_run', 'confirm']);
/** A typo in one of these makes it a different request. */
const VITAL: ReadonlySet<string> = new Set(['state', 'shops', 'idempotency_key', 'confirm']);

/**
 * A request that was not fully understood must cost nothing. For active, refuses a key that the API knows in
 * another place or by another name, and a near miss of a key that decides where and how often. Refuses a near miss
 * of dry_run for publish as well. A key without any matching field only causes a warning, as does any key whose
 * value is null.
 */
const paid: Pick<UnknownKeyRules, 'isRefused' | 'isManyRefused'> = {
  isRefused(input, key) {
    const state = readState(input);
    if (key.is_null || (state !== 'publish' && state !== 'active')) return false;
    if (key.fields.includes('dry_run')) return true;
    if (state === 'publish') return false;
    return isMisplaced(key) || isVital(key);
  },
  isManyRefused: (input) => ['publish', 'active'].includes(String(readState(input))),
};

export const createKeyRules: UnknownKeyRules = { listFree: listOfferingKeys, ...paid };

/**
 * A key that is not read is a change that is not made, although its caller assumes it was. Therefore refuses a key
 * that is known by another name or in another place, and each typo. A key that resembles no field causes a warning.
 */
export const updateKeyRules: UnknownKeyRules = {
  listFree: listChangeKeys,
  // Whether a listing is on sale is not one of its fields.
  related: { operation_id: 'listing_publish', input: publishRequest.pick({ state: true }) },
  isRefused: (_input, key) => !key.is_null && (isMisplaced(key) || key.kind === 'near_miss'),
  isManyRefused: () => true,
};

/** For a merge patch of a batch: its plan has no warnings, so any key that is not read is refused. */
export const mergeKeyRules: UnknownKeyRules = {
  listFree: (input) => listFreeKeys(input, ['offerings[]', 'variations.offerings[]', OVERRIDDEN]),
  isRefused: (_input, { is_null }) => !is_null,
  isManyRefused: () => true,
};

export const publishKeyRules: UnknownKeyRules = {
  related: { operation_id: 'listing_create', input: listingRequest },
  ...paid,
};

/** Unknown keys that were saved with a draft: they must cost nothing, either. */
export function listMisunderstood(request: ListingRequest): Issue[] {
  const { keys } = listUnknownKeys(listingRequest, request, createKeyRules);
  const wrong = keys.filter(
    (key) =>
      !key.is_null && (isMisplaced(key) || isVital(key)) && !key.fields.some((field) => CONTROLS.has(field)),
  );
  return wrong.flatMap(({ paths, meaning }) =>
    paths.map((at): Issue => ({ code: 'saved_key_unknown', at, params: { meaning } })),
  );
}

function isMisplaced({ kind }: UnknownKey): boolean {
  return kind === 'alias' || kind === 'elsewhere';
}

function isVital({ kind, fields }: UnknownKey): boolean {
  return kind === 'near_miss' && fields.some((field) => VITAL.has(field));
}

/** Far more properties than a listing may have. */
const MOST_NAMES = 20;

/** A property's name is a key of every offering, even if it resembles another key. */
function listOfferingKeys(input: unknown): FreeKeys {
  const names = listValues(input, 'variations.properties[].name').map(({ value }) => value);
  const keys = names
    .filter((name) => typeof name === 'string')
    .map(toOfferingKey)
    .slice(0, MOST_NAMES);
  const known = new Set(keys.map(foldCase));
  const isOption = (key: string) => known.has(foldCase(key.trim()));
  return Object.fromEntries(
    ['variations.offerings[]', OVERRIDDEN].map((place) => [
      place,
      new Set([...keys, ...listTextKeys(input, place).filter(isOption)]),
    ]),
  );
}

/** Offerings of one shop, which also name options. */
const OVERRIDDEN = 'shops[].overrides.offerings[]';

/**
 * Offerings of a change name properties of the saved listing, which are not known here. Each text under a key that
 * is not one of an offering's own may be a property's value. The check against the listing reports those that are
 * not.
 */
function listChangeKeys(input: unknown): FreeKeys {
  return listFreeKeys(input, [
    'changes.offerings[]',
    'changes.variations.offerings[]',
    `changes.${OVERRIDDEN}`,
  ]);
}

function listFreeKeys(input: unknown, places: readonly string[]): FreeKeys {
  return Object.fromEntries(places.map((place) => [place, new Set(listTextKeys(input, place))]));
}

function listTextKeys(input: unknown, place: string): string[] {
  const keys = listValues(input, place).flatMap(({ value }) =>
    Object.entries(value as object).flatMap(([key, item]) => (typeof item === 'string' ? [key] : [])),
  );
  return [...new Set(keys)].slice(0, MOST_NAMES);
}

function readState(input: unknown): unknown {
  return input !== null && typeof input === 'object' && 'state' in input ? input.state : undefined;
}
