import { toReturnPolicy } from '../answers/shop.js';
import { ok, toList } from '../requests/call.js';
import type { Call, Route } from '../requests/call.js';
import { getPathId, parseBoolean, parseInteger, requireFields } from '../requests/fields.js';
import { VERBATIM } from '../requests/messages.js';
import { getOwnShop, getShop } from '../requests/ownership.js';
import { buildRefusal } from '../requests/refusal.js';
import { RETURN_DEADLINES_DAYS } from '../rules/choices.js';
import { takeId } from '../store/sequences.js';
import { listReturnPolicies } from '../store/shop-settings.js';
import type { ReturnPolicy } from '../store/shop-settings.js';

const BASE = '/shops/:shop_id/policies/return';

export const RETURN_POLICY_ROUTES: readonly Route[] = [
  {
    operation: 'getShopReturnPolicies',
    method: 'GET',
    path: BASE,
    scopes: [],
    run: (call) => toList(listReturnPolicies(call.db, getShop(call).shop_id).map(toReturnPolicy)),
  },
  {
    operation: 'getShopReturnPolicy',
    method: 'GET',
    path: `${BASE}/:return_policy_id`,
    scopes: [],
    run: (call) => {
      const return_policy_id = getPathId(call, 'return_policy_id');
      const policy = listReturnPolicies(call.db, getShop(call).shop_id).find(
        (candidate) => candidate.return_policy_id === return_policy_id,
      );
      if (!policy) throw buildRefusal(404, VERBATIM.not_found);
      return ok(toReturnPolicy(policy));
    },
  },
  {
    operation: 'createShopReturnPolicy',
    method: 'POST',
    path: BASE,
    scopes: ['shops_w'],
    body: 'form',
    run: (call) => {
      const { shop_id } = getOwnShop(call);
      const policy = { return_policy_id: takeId(call.db, 'return_policy'), shop_id, ...parsePolicy(call) };
      call.db.run(
        'INSERT INTO return_policies VALUES (?,?,?,?,?)',
        policy.return_policy_id,
        shop_id,
        Number(policy.accepts_returns),
        Number(policy.accepts_exchanges),
        policy.return_deadline,
      );
      return ok(toReturnPolicy(policy));
    },
  },
];

function parsePolicy(call: Call): Omit<ReturnPolicy, 'return_policy_id' | 'shop_id'> {
  requireFields(call.fields, ['accepts_returns', 'accepts_exchanges']);
  const accepts_returns = parseBoolean(call.fields, 'accepts_returns') ?? false;
  const accepts_exchanges = parseBoolean(call.fields, 'accepts_exchanges') ?? false;
  const return_deadline = parseInteger(call.fields, 'return_deadline') ?? null;
  if (!accepts_returns && !accepts_exchanges) {
    return { accepts_returns, accepts_exchanges, return_deadline: null };
  }
  if (!RETURN_DEADLINES_DAYS.some((days) => days === return_deadline)) {
    throw buildRefusal(400, `The return_deadline must be one of ${RETURN_DEADLINES_DAYS.join(', ')}.`);
  }
  return { accepts_returns, accepts_exchanges, return_deadline };
}
