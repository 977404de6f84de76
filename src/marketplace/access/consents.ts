import type { Consents } from '../../core/ports/marketplace.js';
import { MarketplaceError } from '../../core/ports/marketplace_call.js';
import type { Call } from '../http/call.js';
import { buildConsentUrl, requestCodeTokens, SCOPES, type OAuthOptions } from './oauth.js';
import { OPERATIONS } from '../endpoints/operations.js';
import { parseWire, self, shop } from '../map/wire.js';

type ConsentParts = {
  keystring: string;
  getOAuth: () => Promise<OAuthOptions>;
  getConsentUrl: () => Promise<string>;
};

/** How a seller authorizes this application to act for a shop. */
export function createConsents(call: Call, { keystring, getOAuth, getConsentUrl }: ConsentParts): Consents {
  return {
    buildConsentUrl: async (request) =>
      buildConsentUrl({ ...request, keystring, consent_url: await getConsentUrl() }),
    async exchangeCode(consent, options) {
      const outcome = await requestCodeTokens(await getOAuth(), consent, options?.signal);
      if (outcome.outcome !== 'tokens') throw outcome.error;
      const tokens = { ...outcome.tokens, scopes: [...SCOPES] };
      const owner = await call(
        OPERATIONS.getMe,
        { access_token: tokens.access_token },
        (body) => parseWire(self, body),
        options,
      ).catch(toOwner(tokens.access_token));
      return { ...owner, tokens };
    },
    getShopOwner: (shop_id, options) =>
      call(OPERATIONS.getShop, { path: { shop_id } }, (body) => parseWire(shop, body).user_id, options),
  };
}

/**
 * A user without a shop is a 404 or a null; the document does not say which. Tokens begin with their user's
 * id.
 */
function toOwner(access_token: string): (cause: unknown) => { user_id: number; shop_id: null } {
  return (cause) => {
    const isWithoutShop = cause instanceof MarketplaceError && cause.failure === 'not_found';
    if (!isWithoutShop) throw cause;
    return { user_id: Number.parseInt(access_token, 10), shop_id: null };
  };
}
