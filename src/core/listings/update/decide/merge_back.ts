import { isSameValue } from '../../snapshot/difference.js';

/**
 * Undoes a change, except where the same thing was changed again since. The three values are that before the change, that after it,
 * and the present one. Entries of lists are matched by shop_id where they have one; other lists are one value.
 */
export function mergeBack(before: unknown, after: unknown, now: unknown): unknown {
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
