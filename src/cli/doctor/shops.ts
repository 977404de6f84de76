import type { Examination } from '../../compose/examination.js';
import { cleanForeign, quoteAnswer } from '../../core/text/foreign.js';
import { MarketplaceError } from '../../core/ports/index.js';
import { getContent, type InspectedShop, type FolderInspection } from '../../store/index.js';
import { ok, problem, skipped, warning, type Check } from './check.js';

const DAY_MS = 24 * 60 * 60_000;
/** A refresh token is as old as its access token, which expires after an hour, and is valid for 90 days. */
const GRANT_MS = 90 * DAY_MS - 60 * 60_000;
const SOON_MS = 14 * DAY_MS;

/** Checks that each shop's grant exists, allows what is needed, and is used often enough not to expire. */
export function checkShops(
  { folder, strange_owner, marketplace, wanted_scopes }: Examination,
  now: Date,
): Check[] {
  if (strange_owner !== undefined) {
    const { place, marketplace: other } = strange_owner;
    return [skipped('shops', `Not checked: those in the ${place} belong to MARKETPLACE=${other}.`)];
  }
  const content = getContent(folder);
  if (!content) return [skipped('shops', 'Not checked: the database cannot be read.')];
  if (content.shops.length === 0) {
    return [warning('shops', 'No shop is connected.', 'Run listing-service connect.')];
  }
  return content.shops.map((shop) => {
    const key = `${shop.account_id}/${shop.shop_id}`;
    const currentScopes = marketplace
      ?.map(({ scopes }) => scopes.get(key))
      .find((scopes) => scopes !== undefined);
    const hasApplication = shop.tokens?.keystring !== undefined || hasOwnApplication(marketplace);
    return checkShop(shop, { currentScopes, has_application: hasApplication }, wanted_scopes, now);
  });
}

/** Always true with the sandbox. */
function hasOwnApplication(marketplace: Examination['marketplace']): boolean {
  return marketplace?.some(({ account_name }) => account_name === undefined) ?? true;
}

function checkShop(
  shop: InspectedShop,
  {
    currentScopes,
    has_application,
  }: { currentScopes: string[] | MarketplaceError | undefined; has_application: boolean },
  wanted_scopes: readonly string[],
  now: Date,
): Check {
  const name = `shop ${cleanForeign(shop.details.shop_name)} of ${cleanForeign(shop.account_name)}`;
  const connect = `Run listing-service connect ${shop.shop_id} --account ${shop.account_id}.`;
  if (shop.is_reconnect_required) return problem(name, 'The marketplace revoked its access.', connect);
  if (!shop.tokens) return problem(name, 'It has no tokens.', connect);
  if (!has_application) {
    return problem(
      name,
      "It is connected with the installation's application, which is no longer set.",
      `Set ETSY_KEYSTRING and ETSY_SHARED_SECRET again. Or: ${connect}`,
    );
  }
  const left_ms = Date.parse(shop.tokens.access_expires_at) + GRANT_MS - now.getTime();
  if (left_ms <= 0) return problem(name, 'Its access expired, because it was not used for 90 days.', connect);
  const scopes = Array.isArray(currentScopes) ? currentScopes : shop.tokens.scopes;
  const missing = wanted_scopes.filter((scope) => !scopes.includes(scope));
  if (missing.length > 0) return problem(name, `Its access does not include ${missing.join(', ')}.`, connect);
  if (currentScopes instanceof MarketplaceError) {
    const words = quoteAnswer(currentScopes);
    return warning(
      name,
      `The marketplace answered: ${words}.`,
      'The next call refreshes the token, or reports more.',
    );
  }
  if (left_ms <= SOON_MS) {
    return warning(
      name,
      `Its access expires in ${Math.floor(left_ms / DAY_MS)} days unless it is used.`,
      `Any call for the shop renews it, such as listing-service call store_sync '{"shop_id":${shop.shop_id}}'.`,
    );
  }
  const isOver = Date.parse(shop.tokens.access_expires_at) <= now.getTime();
  const state = currentScopes
    ? ', and the marketplace takes its token'
    : isOver
      ? '; the next call renews its token'
      : '';
  return ok(name, `Connected, synced ${shop.last_synced_at}${state}.`);
}

/** Checks that the destination of an account's order events is allowed. */
export function checkWebhooks(folder: FolderInspection, isHttpAllowed: boolean): Check[] {
  const content = getContent(folder);
  if (!content) return [skipped('webhook', 'Not checked: the database cannot be read.')];
  if (content.endpoints.length === 0) {
    return [ok('webhook', 'No destination is set, so order events are stored but not sent.')];
  }
  return content.endpoints.map(({ account_name, url, is_enabled }) => {
    const name = `webhook of ${cleanForeign(account_name)}`;
    const { protocol, host } = new URL(url);
    if (!is_enabled) {
      return problem(
        name,
        `The destination at ${host} was switched off.`,
        'Check its response with webhook_test, then set it again with webhook_endpoint_set.',
      );
    }
    if (protocol !== 'https:' && !isHttpAllowed) {
      return problem(
        name,
        `The destination at ${host} is not https, and WEBHOOK_ALLOW_HTTP is off.`,
        'Set an https address with webhook_endpoint_set.',
      );
    }
    return ok(name, `Order events go to ${host}.`);
  });
}
