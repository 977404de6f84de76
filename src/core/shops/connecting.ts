import { createHash } from 'node:crypto';
import { createConnectingApplication, type GivenApplication } from './connecting_application.js';
import type { Ports } from '../ports/index.js';
import { type ServiceError } from '../errors.js';
import { parseUrl } from '../text/parse_url.js';
import {
  MarketplaceError,
  type ConnectOutcome,
  type ConnectRequest,
  type ConnectRequestState,
  type Consents,
  type ShopAccess,
  type ShopRef,
} from '../ports/index.js';
import type { Settings } from '../settings.js';
import {
  buildError,
  buildExpired,
  buildRefusedError,
  buildStateError,
  CONSENT_MS,
  toConnectError,
} from './connect_errors.js';
import type { Shops } from './shops.js';

/** Below the service's address; the marketplace sends sellers back to it, and compares it letter by letter. */
export const CALLBACK_PATH = '/connect/callback';

/**
 * The cookie that holds the `browser_key` of a consent that was begun in a browser; with the path /connect, HttpOnly,
 * SameSite=Lax.
 */
export const BROWSER_COOKIE = 'connect_browser';

/**
 * Below the service's address: takes the callback address that a seller pastes if the browser could not open it. The path is
 * below /connect, since BROWSER_COOKIE is only sent there.
 */
export const PASTE_PATH = '/connect/paste';

/** The answer of the marketplace's consent page: the query of the callback URL. */
export type ConsentAnswer = {
  state: string | undefined;
  code: string | undefined;
  error: string | undefined;
  error_description: string | undefined;
  /** From BROWSER_COOKIE. */
  browser_key: string | undefined;
};

/** The answer in a callback address; undefined if the text is not such an address. */
export function readConsentAnswer(
  address: string,
  browser_key: string | undefined,
): ConsentAnswer | undefined {
  const query = parseUrl(address.trim())?.searchParams;
  const read = (name: string): string | undefined => query?.get(name) ?? undefined;
  const [state, code, error] = [read('state'), read('code'), read('error')];
  if (state === undefined || (code === undefined && error === undefined)) return undefined;
  return { state, code, error, error_description: read('error_description'), browser_key };
}

export type ConnectEnd = {
  outcome: Extract<ConnectOutcome, { ok: true }> | { ok: false; error: ServiceError };
  /** Where the seller came from; null if not known. */
  return_path: string | null;
};

type Disconnected = {
  shop_id: number;
  shop_name: string;
  /** The number of saved listings that are on the marketplace in this shop. They stay there, and are kept here. */
  listing_count: number;
};

export type Connecting = {
  /** The exact address to register as the application's callback address. */
  redirect_uri: string;
  /**
   * The address to send a seller to, and the state to ask `findOutcome` with. `shop_id`: only this shop is accepted.
   * `browser_key`: a secret that the seller's browser holds in BROWSER_COOKIE; the answer counts only from that browser.
   * `application`: the one to act for the shop; default: the one that it is connected with, or the installation's. Throws
   * VALIDATION_FAILED if there is none, or if the marketplace refuses it.
   */
  begin(
    account_id: string,
    options?: {
      shop_id?: number;
      browser_key?: string;
      return_path?: string;
      application?: GivenApplication | undefined;
    },
  ): Promise<{ consent_url: string; state: string; expires_at: string }>;
  /** Whether `begin` must be given the application. */
  isApplicationNeeded(account_id: string, shop_id?: number): Promise<boolean>;
  /**
   * Ends what `begin` started, once: the shop is connected and synced, or the error says how to fix it. Throws only if the
   * store cannot save the outcome.
   */
  finish(answer: ConsentAnswer): Promise<ConnectEnd>;
  /** Undefined until the seller has answered or the time has run out. */
  findOutcome(state: string): Promise<ConnectOutcome | undefined>;
  /** Whether `begin` issued this state on this database, by its SHA-256. */
  isKnown(state_sha256: string): Promise<boolean>;
  /**
   * Deletes the shop's tokens and data, and its application's secrets if no other shop uses them. Its saved listings and jobs
   * stay; a job that still runs ends with an error for this shop. The marketplace has no way to return tokens: the seller
   * revokes the access in the account's settings there. Throws STORE_NOT_FOUND, and TokensHeldError if a refresh in progress
   * does not end.
   */
  disconnect(shop: ShopRef): Promise<Disconnected>;
};

export function createConnecting(
  ports: Ports,
  shops: Shops,
  { base_url }: Pick<Settings, 'base_url'>,
): Connecting {
  const { store, marketplace, randomness, log } = ports;
  const redirect_uri = `${base_url}${CALLBACK_PATH}`;
  const applications = createConnectingApplication(ports);

  /** Throws ServiceError, or the marketplace's error. */
  async function connect(
    request: ConnectRequest,
    answer: ConsentAnswer,
  ): Promise<Extract<ConnectOutcome, { ok: true }>> {
    const application = await applications.find(request);
    const consents = marketplace.getConsents(application);
    const access = await trade(consents, request, answer);
    const shop_id = await checkOwner(consents, request, access);
    const shop = { account_id: request.account_id, shop_id };
    const known = await store.shops.findShop(shop);
    // Otherwise a refresh of the previous tokens that is in progress would overwrite this one. Only the exchange of the code
    // has shown which shop it is.
    await store.tokens.withRefreshLock(shop, () =>
      store.tokens.replaceTokens(shop, access.tokens, application),
    );
    const { details, last_synced_at } = await shops.connect(shop).catch(async (cause: unknown) => {
      log.warn('a shop that was connected could not be synced', { shop_id, error: cause });
      if (known) return known;
      await store.tokens.deleteTokens(shop);
      throw cause;
    });
    log.info('shop connected', { shop_id });
    const { shop_name, currency_code } = details;
    return { ok: true, shop_id, shop_name, currency_code, is_known: known !== undefined, last_synced_at };
  }

  return {
    redirect_uri,
    isApplicationNeeded: (account_id, shop_id) => applications.isNeeded(account_id, shop_id),
    async begin(account_id, { shop_id, browser_key, return_path, application: given } = {}) {
      const chosen = await applications.choose(account_id, shop_id, given);
      const application = await applications.find({ account_id, ...chosen });
      const state = randomness.bytes(32).toString('base64url');
      const code_verifier = randomness.bytes(48).toString('base64url');
      const consent_url = await marketplace
        .getConsents(application)
        .buildConsentUrl({ redirect_uri, state, code_verifier });
      const { expires_at } = await store.connect_requests.createConnectRequest({
        account_id,
        state_sha256: hash(state),
        code_verifier,
        redirect_uri,
        ...chosen,
        shop_id: shop_id ?? null,
        browser_sha256: browser_key === undefined ? null : hash(browser_key),
        return_path: return_path ?? null,
        life_ms: CONSENT_MS,
      });
      return { consent_url, state, expires_at };
    },
    async finish(answer) {
      const state_sha256 = hash(answer.state ?? '');
      const found = await store.connect_requests.findConnectRequest(state_sha256);
      const return_path = found?.return_path ?? null;
      const strange = checkBrowser(found, answer, base_url);
      if (strange) return { outcome: { ok: false, error: strange }, return_path };
      const request = await store.connect_requests.takeConnectRequest(state_sha256);
      if (!request) return { outcome: { ok: false, error: buildStateError(found) }, return_path };
      try {
        const outcome = await connect(request, answer);
        await store.connect_requests.finishConnectRequest(request.account_id, state_sha256, outcome);
        return { outcome, return_path };
      } catch (cause) {
        const error = toConnectError(cause);
        const { message, hint } = error;
        const reason = error.cause === undefined ? { reason: message } : { error: error.cause };
        log.warn('a shop could not be connected', { code: error.code, ...reason });
        const outcome = { ok: false, message, hint } as const;
        await store.connect_requests.finishConnectRequest(request.account_id, state_sha256, outcome);
        return { outcome: { ok: false, error }, return_path };
      }
    },
    async findOutcome(state) {
      const request = await store.connect_requests.findConnectRequest(hash(state));
      if (request?.outcome) return request.outcome;
      if (!request?.is_expired) return undefined;
      const { message, hint } = buildExpired();
      return { ok: false, message, hint };
    },
    isKnown: async (state_sha256) =>
      (await store.connect_requests.findConnectRequest(state_sha256)) !== undefined,
    disconnect: (shop) =>
      // Otherwise a refresh in progress would bring the tokens back.
      store.tokens.withRefreshLock(shop, async () => {
        const found = await shops.get(shop);
        const listing_count = await store.listings.countPublished(shop.account_id, shop.shop_id);
        await store.shops.deleteShop(shop);
        log.info('shop disconnected', { shop_id: shop.shop_id });
        return { shop_id: shop.shop_id, shop_name: found.details.shop_name, listing_count };
      }),
  };
}

async function trade(
  consents: Consents,
  request: ConnectRequest,
  answer: ConsentAnswer,
): Promise<ShopAccess> {
  if (answer.error !== undefined) throw buildRefusedError(answer.error, answer.error_description);
  if (answer.code === undefined) throw buildError({ code: 'consent_empty', params: {} });
  const { code_verifier } = request;
  try {
    return await consents.exchangeCode({
      code: answer.code,
      code_verifier,
      redirect_uri: request.redirect_uri,
    });
  } catch (cause) {
    if (!(cause instanceof MarketplaceError) || cause.failure !== 'reconnect') throw cause;
    const { message, is_ours } = cause;
    throw buildError({ code: 'consent_code_refused', params: { answer: { message, is_ours } } }, { cause });
  }
}

/** The shop that the tokens are for. Throws ServiceError if it is not the user's own, or not the requested one. */
async function checkOwner(
  consents: Consents,
  { shop_id: wanted }: ConnectRequest,
  { user_id, shop_id }: ShopAccess,
): Promise<number> {
  if (shop_id === null) {
    throw buildError({ code: 'consent_without_shop', params: {} }, { hint: WITHOUT_SHOP });
  }
  if (wanted !== null && wanted !== shop_id) {
    throw buildError(
      { code: 'consent_of_other_shop', params: { shop_id, wanted } },
      { hint: `Sign in to the marketplace as the owner of shop ${wanted}, and start again.` },
    );
  }
  if ((await consents.getShopOwner(shop_id)) === user_id) return shop_id;
  throw buildError({ code: 'consent_not_of_owner', params: { shop_id } }, { hint: NOT_OWNER });
}

const WITHOUT_SHOP = 'Sign in to the marketplace as the owner of a shop, and start again.';
const NOT_OWNER = "Sign in to the marketplace as the shop's owner, and start again.";

function checkBrowser(
  request: ConnectRequestState | undefined,
  { browser_key }: ConsentAnswer,
  base_url: string,
): ServiceError | undefined {
  if (!request?.browser_sha256 || request.browser_sha256 === hash(browser_key ?? '')) return undefined;
  return buildError(
    { code: 'consent_in_other_browser', params: {} },
    { hint: `Start again in this browser, at ${base_url}.` },
  );
}

function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
