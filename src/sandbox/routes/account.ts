import { ok } from '../requests/call.js';
import type { Route } from '../requests/call.js';
import { requireFields } from '../requests/fields.js';
import { INVENTED } from '../requests/messages.js';
import { buildAuthRefusal, buildRefusal } from '../requests/refusal.js';
import { findShopOfUser } from '../store/shops.js';
import { findToken } from '../store/tokens.js';

export const ACCOUNT_ROUTES: readonly Route[] = [
  {
    operation: 'ping',
    method: 'GET',
    path: '/openapi-ping',
    scopes: [],
    run: ({ application_id }) => ok({ application_id }),
  },
  {
    operation: 'tokenScopes',
    method: 'POST',
    path: '/scopes',
    scopes: [],
    body: 'form',
    run: (call) => {
      requireFields(call.fields, ['token']);
      const token = findToken(call.db, 'access', call.fields.get('token') ?? '');
      if (!token || token.is_revoked || token.expires_at <= call.now_ms) {
        throw buildAuthRefusal(401, 'invalid_token', INVENTED.token_unknown);
      }
      return ok({ scopes: token.scopes });
    },
  },
  {
    operation: 'getMe',
    method: 'GET',
    path: '/users/me',
    scopes: ['shops_r'],
    run: (call) => {
      const user_id = call.caller?.user_id ?? 0;
      const shop = findShopOfUser(call.db, user_id);
      if (!shop) throw buildRefusal(404, INVENTED.shop_not_found);
      return ok({ user_id, shop_id: shop.shop_id });
    },
  },
];
