import type { CategorySchema } from '../../../../../schemas/category.js';
import type { CopyRequest } from '../../../../../schemas/copy.js';
import type { Warning } from '../../../../../schemas/job.js';
import type { ListingRequest, ShopTarget } from '../../../../../schemas/listing_request.js';
import { buildValidationError } from '../../../issues/issues.js';
import type { Issue } from '../../../../../schemas/issue.js';
import type { ConnectedShop, ListingRecord } from '../../../ports/index.js';
import type { KeptSnapshot } from '../../../ports/listing/snapshot.js';
import { listFormGaps, type ComparedSnapshot } from '../../snapshot/form_gaps.js';
import { listNotOfOne } from '../changes/check_offerings.js';
import { buildMissing, listRepeated } from '../changes/patch_offerings.js';
import { patchRequest } from '../changes/patch.js';
import { buildOwnChanges, toShopRequest, type OwnPlace } from '../../requests/own_changes.js';
import { applyOverrides } from '../split_overrides.js';
import { giveToEach, SHARED } from '../../listing_fields.js';
import { listUnique } from '../../snapshot/difference.js';
import { completeTarget, matchReference } from './match_references.js';
import { setPrices, type CopySource } from './prices.js';
import { buildReplaced, type ReplacedFiles } from './replaced_files.js';

type CopyFacts = {
  listing: ListingRecord;
  publications: readonly OwnPlace[];
  input: Pick<CopyRequest, 'shops' | 'changes' | 'state'>;
  connected: readonly ConnectedShop[];
  /** The snapshot of its first shop, for data a request cannot express. */
  kept: KeptSnapshot | undefined;
  /** Files of its first shop that differ from the saved ones. */
  replaced: ReplacedFiles | undefined;
  /** The category's schema; undefined if it is not stored. */
  schema: CategorySchema | undefined;
};

/** A copy in one new shop: the whole request, and its differences from the listing's request. */
type PreparedShop = { request: ListingRequest; changes: Record<string, unknown> | undefined };

/** `request`: the listing's request with the new shops. `issues`: with the caller's paths. */
export type PreparedCopy = {
  request: ListingRequest;
  shops: PreparedShop[];
  warnings: Warning[];
  issues: Issue[];
};

/** Builds the request of a copy for each new shop. Throws VALIDATION_FAILED for changes no shop could accept. */
export function prepareCopy(given: CopyFacts): PreparedCopy {
  const facts = { ...given, listing: { ...given.listing, request: separate(given) } };
  const { listing, input, connected, kept, schema } = facts;
  const { request: saved } = listing;
  const [own] = saved.shops;
  const from = connected.find(({ shop_id }) => shop_id === own?.shop_id);
  const shops = input.shops.map(({ shop_id }) => connected.find((shop) => shop.shop_id === shop_id));
  const targets = input.shops.map((given, index) => {
    const { overrides, ...target } = given;
    const source = findSource(facts, shops[index]);
    const completed = completeTarget(target, index, own ?? { shop_id: 0 }, from, shops[index]);
    const changed = withKnownAttributes(withChanges(source.request, input.changes), schema);
    const mapped = mapProfiles(changed.request, completed.target, index, from, shops[index]);
    const bare = withChanges(withoutPrices(source.request), input.changes);
    const at = `shops[${index}]`;
    const [final, priced] = [mapped.request, bare].map((request) => {
      const whole = { ...request, shops: [completed.target] };
      return overrides ? applyOverrides(whole, given.shop_id, overrides, at) : { request: whole, issues: [] };
    });
    if (!final || !priced) throw new Error('each request has its result');
    return {
      target: final.request.shops[0] ?? completed.target,
      request: final.request,
      bare: priced.request,
      source,
      warnings: changed.warnings,
      issues: [...completed.issues, ...mapped.issues, ...final.issues],
    };
  });
  const priced = setPrices({ saved, connected, targets, shops });
  const issues = [
    ...targets.flatMap((one) => one.issues),
    ...priced.issues,
    ...listUnsayable(kept, withChanges(saved, input.changes), input),
    ...(facts.replaced ? [buildReplaced(facts.replaced, 'changes.digital_files')] : []),
    ...listRepeated(input.changes?.offerings ?? [], saved),
  ];
  return {
    request: { ...saved, shops: [...saved.shops, ...priced.targets] },
    shops: targets.map(({ request }, index) => ({
      request: { ...request, shops: priced.targets.slice(index, index + 1) },
      changes: buildOwnChanges(saved, request),
    })),
    warnings: [
      ...listUnique(targets.flatMap((one) => one.warnings)),
      ...listNotCopied(kept, targets[0]?.request ?? saved),
    ],
    issues,
  };
}

/** The listing's request, without shared values that a new shop must not get. */
function separate({ listing: { request: saved }, publications }: CopyFacts): ListingRequest {
  const request = structuredClone(saved);
  const views = request.shops.map(
    ({ shop_id }) => [shop_id, structuredClone(toShopRequest(saved, publications, shop_id))] as const,
  );
  giveToEach(request, SHARED, new Map(views));
  return request;
}

/**
 * The listing to copy to a shop, including the own values of the first shop with the same currency. Values of a
 * single shop are never copied into another currency.
 */
function findSource(
  { listing: { request }, publications, connected }: CopyFacts,
  to: ConnectedShop | undefined,
): CopySource {
  const findCurrency = (shop_id: number) =>
    connected.find((shop) => shop.shop_id === shop_id)?.details.currency_code;
  const target = request.shops.find(
    ({ shop_id }) => to !== undefined && findCurrency(shop_id) === to.details.currency_code,
  );
  if (!target) return { request, is_first: false, is_own: false };
  const view = toShopRequest(request, publications, target.shop_id);
  const own = structuredClone(view);
  giveToEach(own, SHARED);
  return { request: own, is_first: target === request.shops[0], is_own: view !== request };
}

/** The request without the listing's price and those of single combinations. */
function withoutPrices({
  listing: { price: _price, ...listing },
  ...request
}: ListingRequest): ListingRequest {
  const { variations } = request;
  if (!variations?.offerings) return { ...request, listing };
  const offerings = variations.offerings.map(({ price: _, ...offering }) => offering);
  return { ...request, listing, variations: { ...variations, offerings } };
}

function withChanges(saved: ListingRequest, changes: CopyRequest['changes']): ListingRequest {
  const { idempotency_key: _key, ...request } = saved;
  if (changes === undefined || Object.keys(changes).length === 0) return structuredClone(request);
  if (changes.shops !== undefined) {
    throw buildValidationError([{ code: 'copy_changes_shops', at: 'changes.shops', params: {} }]);
  }
  const patched = patchRequest(request, changes);
  const issues = [
    ...patched.issues,
    ...listNotOfOne(changes, request),
    ...patched.missing.map((one) => buildMissing(request, one)),
  ];
  if (issues.length > 0) throw buildValidationError(issues);
  return patched.request;
}

type Attribute = NonNullable<ListingRequest['category_attributes']>[string];

/**
 * Sends values with ids of the first shop by name. Omits attributes that the category does not know, with a
 * warning.
 */
function withKnownAttributes(
  request: ListingRequest,
  schema: CategorySchema | undefined,
): { request: ListingRequest; warnings: Warning[] } {
  const { category_attributes: given } = request;
  if (!given || !schema) return { request, warnings: [] };
  const warnings: Warning[] = [];
  const kept = Object.entries(given).flatMap(([key, attribute]): [string, Attribute][] => {
    const known = schema.category_attributes.find(({ property_id }) => String(property_id) === key);
    if (!known) {
      const reason = { code: 'attribute_not_copied' as const, params: {} };
      warnings.push({ code: 'not_copied', fields: [`category_attributes.${key}`], reason });
      return [];
    }
    const { value_ids = [], values = [], scale_id } = attribute;
    const areKnown = value_ids.every((id) => known.possible_values.some(({ value_id }) => value_id === id));
    if (areKnown || values.length === 0) return [[key, attribute]];
    return [[key, { values, ...(scale_id !== undefined && { scale_id }) }]];
  });
  const { category_attributes: _, ...rest } = request;
  const category_attributes = Object.fromEntries(kept);
  return { request: { ...rest, ...(kept.length > 0 && { category_attributes }) }, warnings };
}

/** Processing profiles of combinations belong to the first shop. */
function mapProfiles(
  request: ListingRequest,
  target: ShopTarget,
  index: number,
  from: ConnectedShop | undefined,
  to: ConnectedShop | undefined,
): { request: ListingRequest; issues: Issue[] } {
  const { variations } = request;
  const offerings = variations?.offerings ?? [];
  if (!to || offerings.every((one) => one.processing_profile_id === undefined))
    return { request, issues: [] };
  const issues: Issue[] = [];
  const mapped = offerings.map(({ processing_profile_id: id, ...offering }) => {
    const found =
      id === undefined || !from
        ? undefined
        : matchReference('processing_profile_id', id, from.lists, to.lists);
    if (found !== undefined) return { ...offering, processing_profile_id: found };
    // A profile named for the shop applies to all combinations without one.
    if (id !== undefined && target.processing_profile_id === undefined && issues.length === 0) {
      const params = { shop_name: to.details.shop_name };
      issues.push({
        code: 'copy_profiles_unmatched',
        at: `shops[${index}].processing_profile_id`,
        params,
      });
    }
    return offering;
  });
  return { request: { ...request, variations: { ...variations, offerings: mapped } }, issues };
}

/** Without its variations it would be another product, sold at one price. */
function listUnsayable(
  kept: KeptSnapshot | undefined,
  request: ListingRequest,
  { changes }: CopyFacts['input'],
): Issue[] {
  if (!isComparable(kept) || changes?.variations !== undefined) return [];
  const gap = listFormGaps(kept, request).find(({ fields }) => fields.includes('variations'));
  if (!gap) return [];
  return [{ code: 'copy_variations_unsayable', at: 'changes.variations', params: { gap: gap.gap } }];
}

/** Data of the first shop's listing that a copy does not include. */
function listNotCopied(kept: KeptSnapshot | undefined, request: ListingRequest): Warning[] {
  if (!isComparable(kept)) return [];
  return listFormGaps(kept, request)
    .filter(({ fields }) => !isCopied(fields, request))
    .map(({ fields, gap }) => ({
      code: 'not_copied',
      fields,
      reason: { code: 'not_copied', params: { gap } },
    }));
}

/** The files of a request are copied; for a request without files, creation reports that they are needed. */
function isCopied(fields: readonly string[], { digital_files = [] }: ListingRequest): boolean {
  return fields.includes('digital_files') && digital_files.length > 0;
}

function isComparable(kept: KeptSnapshot | undefined): kept is ComparedSnapshot {
  return kept?.listing !== undefined && kept.images !== undefined && kept.inventory !== undefined;
}
