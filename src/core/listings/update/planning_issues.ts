import type { Warning } from '../../../../schemas/job.js';
import type { UpdateRequest } from '../../../../schemas/listing_changes.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import { quoteForeign, ServiceError, type Issue } from '../../errors.js';
import type { ConnectedShop, Snapshot } from '../../ports/index.js';
import { buildReconnectError } from '../../shops/shops.js';
import { checkRules } from '../rules/index.js';
import { getDecimals, hasDecimals } from '../rules/money.js';
import { isOfferingKey, toOfferingKey } from '../rules/variation_rules.js';
import { describeMissing } from './changes/patch_offerings.js';
import type { Patched } from './changes/patch.js';
import { matchesProduct } from './decide/decide_inventory.js';
import type { OfferingChange, ShopUpdate } from './plan.js';
import type { Placed } from './target_shops.js';

/* What is wrong with a change, and what its shops are warned of, before anything of it is planned. */

/** A change to no stock means that nothing is to be sold. */
export function withWayToZero(issue: Issue): Issue {
  if (issue.path !== 'listing.quantity' || !issue.message.startsWith('is 0;')) return issue;
  return { ...issue, message: `${issue.message}. listing_publish with state inactive takes it off sale` };
}

/** Changed offerings that neither the request nor a shop's last inventory has. For a shop without one, the update finds out. */
export function listNowhere(
  saved: ListingRequest,
  missing: readonly OfferingChange[],
  placed: readonly Placed[],
  snapshots: readonly Snapshot[],
): Issue[] {
  const inventories = placed.map(
    ({ publication }) => snapshots.find(({ shop_id }) => shop_id === publication.shop_id)?.snapshot.inventory,
  );
  return missing.flatMap((change) => {
    const isPossible = inventories.some(
      (inventory) => !inventory || inventory.products.some((product) => matchesProduct(change, product)),
    );
    if (isPossible) return [];
    const names = inventories.flatMap((inventory) => inventory?.products[0]?.property_values ?? []);
    const taken = names.find(({ property_name }) => isOfferingKey(toOfferingKey(property_name)));
    const message = taken ? describeTaken(taken.property_name) : describeMissing(saved, change);
    return [{ path: change.path, message }];
  });
}

function describeTaken(name: string): string {
  return `names no combination: the listing varies by ${quoteForeign(name)}, a name that offerings use for something else; rename that variation on the marketplace, then import the listing again`;
}

/** Styles stay unchanged on the marketplace, and are judged all the same: wrong ones would never be right. */
export function listStyleIssues({ request, changed }: Pick<Patched, 'request' | 'changed'>): Issue[] {
  if (!changed.includes('listing.styles')) return [];
  const { styles } = request.listing;
  return checkRules({ listing: { styles: styles ?? undefined } }).filter(({ path }) =>
    path.startsWith('listing.styles'),
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
      offerings.flatMap(({ price }, index) =>
        price === undefined || hasDecimals(price, 0)
          ? []
          : [
              {
                path: `changes.offerings[${index}].price`,
                message: `is ${price}; prices in ${code} have no decimals`,
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
      path: 'shops',
      message: `shop ${shops[index]?.shop_id} is not connected to this account any more; name the other shops, or connect it again`,
    }));
}

/** Throws STORE_RECONNECT_REQUIRED: whether something has to be asked of the shop before, or all is kept of it, makes no difference. */
export function expectUsable(
  shops: readonly ShopUpdate[],
  targets: readonly { shop: ConnectedShop | undefined }[],
): void {
  const asked = new Set(shops.map(({ shop_id }) => shop_id));
  const revoked = targets.find(({ shop }) => shop?.is_reconnect_required && asked.has(shop.shop_id));
  if (!revoked?.shop) return;
  const { code, message, hint } = buildReconnectError(revoked.shop);
  const others = targets.flatMap(({ shop }) => (shop && !shop.is_reconnect_required ? [shop.shop_id] : []));
  const way =
    others.length > 0
      ? ` To change only the other shops now, call again with shops [${others.join(', ')}].`
      : '';
  throw new ServiceError(code, message, { hint: `${hint}${way}` });
}

/** A shop that has no listing yet gets one as it is saved here by then: its own values in any case, what all shops share once one of them has taken it. */
export function listAbsent(
  { shops }: ListingRequest,
  absent: readonly number[],
  connected: readonly (ConnectedShop | undefined)[],
): Warning[] {
  return absent.map((index) => {
    const shop = connected[index];
    const name = shop ? quoteForeign(shop.details.shop_name) : `Shop ${shops[index]?.shop_id}`;
    const reason = `${name} does not have the listing yet: the change is saved here once a shop has taken it (its own values are saved in any case), and listing_publish makes the listing there with it.`;
    return { code: 'not_there_yet', fields: [`shops[${index}]`], reason };
  });
}
