import type { ListingRequest, ShopTarget } from '../../../../schemas/listing_request.js';
import type { Publication, RequestChange } from '../../ports/index.js';
import type { OwnChanges } from '../../ports/listing/changes.js';
import type { ChangeProgress } from '../../ports/listing/progress.js';
import { buildOwnChanges, leaveSame, toShopRequest } from '../requests/own_changes.js';
import { compareSnapshots } from '../snapshot/compare.js';
import { isSameValue } from '../snapshot/difference.js';
import type { Copy } from './build_copy.js';
import { acceptEdits } from './accept_edits.js';

/** A job's progress in one shop. */
export type Part = { part_id: number; progress: ChangeProgress };

/** Also true if the written values could not be read back, or if only pending values changed. */
export function isChanged({ before, target, after, was_pending }: ChangeProgress): boolean {
  if (before && was_pending !== undefined) return true;
  if (!before || !target) return false;
  return after === null || compareSnapshots(before, after).length > 0;
}

/**
 * The saved listing with a job undone in some shops, except for later changes. The request the shops share is
 * restored once no other shop has the job's changes.
 */
export function revertJob(
  change: RequestChange,
  parts: readonly Part[],
  now: { request: ListingRequest; publications: readonly Publication[] },
  shop_ids: ReadonlySet<number>,
): Copy {
  const { request, publications } = now;
  const { before, was, became } = readChange(change, parts, publications);
  const views = new Map(
    request.shops.map(({ shop_id }) => {
      const is = toShopRequest(request, publications, shop_id);
      return [shop_id, { is, back: merge(was.get(shop_id) ?? is, became.get(shop_id) ?? is, is) }] as const;
    }),
  );
  const isWhole = parts.every(
    ({ part_id, progress }) =>
      shop_ids.has(part_id) ||
      !isChanged(progress) ||
      isSameValue(views.get(part_id)?.back, views.get(part_id)?.is),
  );
  const shared = isWhole ? merge(before, change.after, request) : request;
  const isOfJob = (shop_id: number) => parts.some(({ part_id }) => part_id === shop_id);
  const own = [...views].flatMap(([shop_id, { is, back }]) => {
    // A shop that does not have the listing yet follows the others.
    if (!isOfJob(shop_id)) return isWhole ? mergeOwn(shop_id) : [];
    return [{ shop_id, changes: buildOwnChanges(shared, shop_ids.has(shop_id) ? back : is) }];
  });
  const shops = request.shops.map((target) => {
    const { shop_id } = target;
    const isAsked = shop_ids.has(shop_id) || (isWhole && !isOfJob(shop_id));
    if (!isAsked) return target;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- three forms of one target make a fourth
    return mergeBack(
      findTarget(before, shop_id) ?? target,
      findTarget(change.after, shop_id) ?? target,
      target,
    ) as ShopTarget;
  });
  return { request: { ...shared, shops }, own: leaveSame(own, publications) };

  function mergeOwn(shop_id: number): OwnChanges[] {
    const one = change.own?.find((known) => known.shop_id === shop_id);
    if (!one) return [];
    const is = publications.find((known) => known.shop_id === shop_id)?.progress.changes ?? {};
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- three merge patches make a fourth
    const changes = mergeBack(one.before ?? {}, one.after ?? {}, is) as Record<string, unknown>;
    return [{ shop_id, changes: Object.keys(changes).length > 0 ? changes : undefined }];
  }
}

function findTarget({ shops }: ListingRequest, shop_id: number): ShopTarget | undefined {
  return shops.find((target) => target.shop_id === shop_id);
}

/**
 * The values of the shops before the job, including manual edits it found, which they keep; and their values after
 * it.
 */
function readChange(change: RequestChange, parts: readonly Part[], publications: readonly Publication[]) {
  const before = structuredClone(change.before);
  const read = (request: ListingRequest, side: 'before' | 'after') => {
    const own = (change.own ?? []).map((one) => ({ shop_id: one.shop_id, changes: one[side] }));
    return new Map(
      request.shops.map(({ shop_id }) => [
        shop_id,
        structuredClone(toShopRequest(request, publications, shop_id, own)),
      ]),
    );
  };
  const was = read(before, 'before');
  const found = parts.flatMap(({ part_id, progress: { ended, before: seen, taken_over } }) =>
    ended === 'ok' || ended === 'unchanged' ? [[part_id, { after: seen, taken_over }] as const] : [],
  );
  acceptEdits(before, was, new Map(found));
  return { before, was, became: read(change.after, 'after') };
}

function merge(before: ListingRequest, after: ListingRequest, now: ListingRequest): ListingRequest {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- three forms of one request make a fourth
  return mergeBack(before, after, now) as ListingRequest;
}

/**
 * Undoes a change, except where the same value was changed again since. Compares the values before the change,
 * after it, and now. Matches list entries by shop_id if they have one; other lists are single values.
 */
function mergeBack(before: unknown, after: unknown, now: unknown): unknown {
  if (isSameValue(before, after)) return now;
  if (isSameValue(now, after)) return before;
  if (isObject(before) && isObject(after) && isObject(now)) {
    const keys = [...new Set([...Object.keys(now), ...Object.keys(before)])];
    const merged = keys.map((key) => [key, mergeBack(before[key], after[key], now[key])] as const);
    return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
  }
  if (isByShop(before) && isByShop(after) && isByShop(now)) {
    const find = (list: readonly ByShop[], shop_id: unknown) => list.find((one) => one.shop_id === shop_id);
    return now.map((own) =>
      mergeBack(find(before, own.shop_id) ?? own, find(after, own.shop_id) ?? own, own),
    );
  }
  return now;
}

type ByShop = { shop_id: unknown };

function isByShop(value: unknown): value is ByShop[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => isObject(one) && 'shop_id' in one);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
