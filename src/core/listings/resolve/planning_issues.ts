import type { Warning } from '../../../../schemas/job.js';
import type { UpdateRequest } from '../../../../schemas/listing_changes.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import { ServiceError } from '../../errors.js';
import type { OfferingChange } from '../../ports/listing/changes.js';
import type { ChangeAction, ShopPlan } from '../../ports/listing/plan.js';
import type { Issue } from '../../../../schemas/issue.js';
import type { ConnectedShop, Snapshot } from '../../ports/index.js';
import { addNotes } from '../../issues/issues.js';
import { buildReconnectError } from '../../shops/shops.js';
import { checkRules } from '../rules/index.js';
import { getDecimals, hasDecimals } from '../rules/money.js';
import { isOfferingKey, toOfferingKey } from '../rules/variation_rules.js';
import { buildMissing } from './changes/patch_offerings.js';
import type { Patched } from './changes/patch.js';
import { matchesProduct } from './changes/match_offerings.js';
import type { Placed } from './target_shops.js';

/* Problems of a change, and warnings for its shops, found before anything is planned. */

/** A change to a quantity of 0 means that nothing should be sold. */
export function withZeroHint(issue: Issue): Issue {
  const isZero =
    issue.at === 'listing.quantity' && issue.code === 'number_out_of_range' && issue.params.value === 0;
  return isZero ? addNotes(issue, { code: 'quantity_zero', params: {} }) : issue;
}

/**
 * Changed offerings that neither the request nor a shop's last inventory has. For a shop without an inventory, the
 * update finds out.
 */
export function listNowhere(
  saved: ListingRequest,
  missing: readonly OfferingChange[],
  placed: readonly Placed[],
  snapshots: readonly Snapshot[],
): Issue[] {
  const inventories = placed.map(
    ({ publication }) => snapshots.find(({ shop_id }) => shop_id === publication.shop_id)?.snapshot.inventory,
  );
  return missing.flatMap((change): Issue[] => {
    const isPossible = inventories.some(
      (inventory) => !inventory || inventory.products.some((product) => matchesProduct(change, product)),
    );
    if (isPossible) return [];
    const names = inventories.flatMap((inventory) => inventory?.products[0]?.property_values ?? []);
    const taken = names.find(({ property_name }) => isOfferingKey(toOfferingKey(property_name)));
    if (!taken) return [buildMissing(saved, change)];
    return [{ code: 'option_name_taken', at: change.path, params: { option: taken.property_name } }];
  });
}

/** Styles stay unchanged on the marketplace, but are still checked: wrong ones would never become right. */
export function listStyleIssues({ request, changed }: Pick<Patched, 'request' | 'changed'>): Issue[] {
  if (!changed.includes('listing.styles')) return [];
  const { styles } = request.listing;
  return checkRules({ listing: { styles: styles ?? undefined } }).filter(({ at }) =>
    at.startsWith('listing.styles'),
  );
}

export function listNewSkus({ offerings = [] }: UpdateRequest['changes']) {
  return offerings.flatMap(({ sku_new }, index) =>
    sku_new === undefined ? [] : [{ path: `changes.offerings[${index}].sku_new`, sku: sku_new }],
  );
}

export function listDecimals(
  { offerings = [] }: UpdateRequest['changes'],
  targets: readonly { shop: ConnectedShop | undefined }[],
): Issue[] {
  const codes = [...new Set(targets.flatMap(({ shop }) => (shop ? [shop.details.currency_code] : [])))];
  return codes
    .filter((code) => getDecimals(code) === 0)
    .flatMap((code) =>
      offerings.flatMap(({ price }, index): Issue[] =>
        price === undefined || hasDecimals(price, 0)
          ? []
          : [
              {
                code: 'price_decimals',
                at: `changes.offerings[${index}].price`,
                params: { value: price, currency_code: code },
              },
            ],
      ),
    );
}

export function listUnconnected(
  { shops }: ListingRequest,
  targets: readonly (Placed & { shop: ConnectedShop | undefined })[],
): Issue[] {
  return targets
    .filter(({ shop }) => shop === undefined)
    .map(({ index }) => ({
      code: 'shop_disconnected',
      at: 'shops',
      params: { shop_id: shops[index]?.shop_id ?? 0 },
    }));
}

/** Throws STORE_RECONNECT_REQUIRED, whether or not the update would need to call the shop first. */
export function expectUsable(
  shops: readonly ShopPlan<ChangeAction>[],
  targets: readonly { shop: ConnectedShop | undefined }[],
): void {
  const asked = new Set(shops.map(({ shop_id }) => shop_id));
  const revoked = targets.find(({ shop }) => shop?.is_reconnect_required && asked.has(shop.shop_id));
  if (!revoked?.shop) return;
  const { code, issues, hint } = buildReconnectError(revoked.shop);
  const others = targets.flatMap(({ shop }) => (shop && !shop.is_reconnect_required ? [shop.shop_id] : []));
  const way =
    others.length > 0
      ? ` To change only the other shops now, call again with shops [${others.join(', ')}].`
      : '';
  throw new ServiceError(code, issues, { hint: `${hint}${way}` });
}

/**
 * A shop without the listing will get it as saved here at that time: always its own values, and shared values once
 * one of the shops has accepted them.
 */
export function listAbsent(
  { shops }: ListingRequest,
  absent: readonly number[],
  connected: readonly (ConnectedShop | undefined)[],
): Warning[] {
  return absent.map((index) => {
    const shop = connected[index];
    const params = { shop_id: shops[index]?.shop_id ?? 0, shop_name: shop?.details.shop_name };
    const reason = { code: 'not_there_yet' as const, params };
    return { code: 'not_there_yet', fields: [`shops[${index}]`], reason };
  });
}
