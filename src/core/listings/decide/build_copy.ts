import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type { OwnChanges } from '../../ports/listing/changes.js';
import type { ChangeAction, Plan } from '../../ports/listing/plan.js';
import { buildOwnChanges, leaveSame, toShopRequest, type OwnPlace } from '../requests/own_changes.js';
import { acceptEdits, type Outcomes } from './accept_edits.js';

/** The saved listing: the request its shops share, and the changed values of single shops. */
export type Copy = { request: ListingRequest; own: OwnChanges[] };

/**
 * The saved listing after a job. Each shop has the job's changes and, as far as a request can hold them, manual
 * edits; a shop in which the job failed keeps its former values. The shops share a change that all or several of
 * them took; a change that a single shop took is its own.
 * @param saved the request before the job
 */
export function buildCopy(
  plan: Plan<ChangeAction>,
  saved: ListingRequest,
  publications: readonly OwnPlace[],
  parts: Outcomes,
): Copy {
  const isDone = (shop_id: number) => (parts.get(shop_id)?.after ?? null) !== null;
  const isPlanned = (shop_id: number) => plan.shops.some((planned) => planned.shop_id === shop_id);
  const wanted = plan.request ?? saved;
  const isAny = plan.shops.some(({ shop_id }) => isDone(shop_id));
  const isTaken = (shop_id: number) => (isPlanned(shop_id) ? isDone(shop_id) : isAny);
  const taken = wanted.shops.filter(({ shop_id }) => isTaken(shop_id));
  const isShared = taken.length > 1 || taken.length === wanted.shops.length;
  const request = structuredClone(isShared ? wanted : saved);
  request.shops = structuredClone(wanted.shops).map((target) => {
    const { shop_id } = target;
    // A shop outside the update does not have the listing yet, so its own values wait for no other shop.
    const isOfTarget = isPlanned(shop_id) ? isDone(shop_id) : isAny || plan.purpose === 'update';
    return isOfTarget ? target : (saved.shops.find((own) => own.shop_id === shop_id) ?? target);
  });
  const views = new Map(
    wanted.shops.map(({ shop_id }) => {
      const view = isTaken(shop_id)
        ? toShopRequest(wanted, publications, shop_id, plan.own)
        : toShopRequest(saved, publications, shop_id);
      return [shop_id, structuredClone(view)] as const;
    }),
  );
  if (isAny) acceptEdits(request, views, parts);
  const own = [...views].map(([shop_id, view]) => ({ shop_id, changes: buildOwnChanges(request, view) }));
  return { request, own: leaveSame(own, publications) };
}
