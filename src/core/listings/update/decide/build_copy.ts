import type { ListingRequest, Offering } from '../../../../../schemas/listing_request.js';
import type { OwnChanges } from '../../own_changes.js';
import { isSameText } from '../../rules/text.js';
import { toOfferingKey } from '../../rules/variation_rules.js';
import type { OfferingChange, UpdatePlan } from '../plan.js';
import { takeOver, type Outcomes } from './take_over.js';

/**
 * The listing's request once a job has ended: with the changes that at least one shop took, with the values of shops that do not have
 * the listing yet, and with edits by hand as far as a request has them.
 * @param saved the request before the job
 */
export function buildCopy(plan: UpdatePlan, saved: ListingRequest, parts: Outcomes): ListingRequest {
  const isDone = (shop_id: number) => (parts.get(shop_id)?.after ?? null) !== null;
  const wanted = plan.request ?? saved;
  const isAny = plan.shops.some(({ shop_id }) => isDone(shop_id));
  const copy = structuredClone(isAny ? wanted : saved);
  const isPlanned = (shop_id: number) => plan.shops.some((planned) => planned.shop_id === shop_id);
  copy.shops = structuredClone(wanted.shops).map((target) => {
    const { shop_id } = target;
    // A shop that an update is not made in does not have the listing yet, so that its own values wait for no other shop.
    const isTaken = isPlanned(shop_id) ? isDone(shop_id) : isAny || plan.purpose === 'update';
    return isTaken ? target : (saved.shops.find((own) => own.shop_id === shop_id) ?? target);
  });
  if (!isAny) return copy;
  takeOver(copy, parts);
  return copy;
}

/** What shops have of their own once a job has ended: with the changes of buildCopy, except where these were not made. */
export function listOwn({ shops, own = [] }: UpdatePlan, parts: Outcomes): OwnChanges[] {
  const isDone = (shop_id: number) => (parts.get(shop_id)?.after ?? null) !== null;
  if (!shops.some(({ shop_id }) => isDone(shop_id))) return [];
  return own.filter(
    ({ shop_id }) => isDone(shop_id) || !shops.some((planned) => planned.shop_id === shop_id),
  );
}

/** Offerings of the request that a change matches, by SKU or by option values. */
export function findOfferings(
  { variations }: ListingRequest,
  { sku, values = [] }: OfferingChange['match'],
): Offering[] {
  return (variations?.offerings ?? []).filter((offering) => {
    if (sku !== undefined && offering.sku !== sku) return false;
    return values.every(({ name, value }) => {
      const own = offering[toOfferingKey(name)];
      return typeof own === 'string' && isSameText(own, value);
    });
  });
}
