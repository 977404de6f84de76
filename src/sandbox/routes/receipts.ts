import { toReceipt } from '../answers/receipt.js';
import { ok, toList } from '../requests/call.js';
import type { Call, Fields, Route } from '../requests/call.js';
import { getPathId, parseBoolean, parseChoice, parseInteger, parsePage } from '../requests/fields.js';
import { VERBATIM } from '../requests/messages.js';
import { getOwnShop } from '../requests/ownership.js';
import { buildRefusal } from '../requests/refusal.js';
import { SORT_ORDERS, toSqlOrder } from '../rules/choices.js';
import type { SqlValue } from '../store/database.js';
import { findReceipt, listReceipts } from '../store/receipts.js';
import type { Receipt } from '../store/receipts.js';
import type { Shop } from '../store/shops.js';

const BASE = '/shops/:shop_id/receipts';
const COLUMNS = { created: 'created_at', updated: 'updated_at', receipt_id: 'receipt_id' } as const;
const MOMENTS = [
  ['min_created', 'created_at >= ?', 0],
  ['max_created', 'created_at <= ?', 999],
  ['min_last_modified', 'updated_at >= ?', 0],
  ['max_last_modified', 'updated_at <= ?', 999],
] as const;
const FLAGS = [
  ['was_paid', 'is_paid = ?'],
  ['was_shipped', 'is_shipped = ?'],
  ['was_delivered', 'is_delivered = ?'],
  ['was_canceled', 'is_canceled = ?'],
] as const;

export const RECEIPT_ROUTES: readonly Route[] = [
  {
    operation: 'getShopReceipts',
    method: 'GET',
    path: BASE,
    scopes: ['transactions_r'],
    run: (call) => {
      const shop = getOwnShop(call);
      const sort_on = parseChoice(call.query, 'sort_on', ['created', 'updated', 'receipt_id'] as const);
      const direction = toSqlOrder(parseChoice(call.query, 'sort_order', SORT_ORDERS));
      const { conditions, values } = parseFilter(call.query, shop.shop_id);
      const order = `${COLUMNS[sort_on ?? 'created']} ${direction}, receipt_id ${direction}`;
      const { count, receipts } = listReceipts(call.db, conditions, values, order, parsePage(call.query));
      return toList(
        receipts.map((receipt) => toReceipt(receipt, shop)),
        count,
      );
    },
  },
  {
    operation: 'getShopReceipt',
    method: 'GET',
    path: `${BASE}/:receipt_id`,
    scopes: ['transactions_r'],
    run: (call) => {
      const { shop, receipt } = getOwnReceipt(call);
      return ok(toReceipt(receipt, shop));
    },
  },
];

function getOwnReceipt(call: Call): { shop: Shop; receipt: Receipt } {
  const shop = getOwnShop(call);
  const receipt = findReceipt(call.db, getPathId(call, 'receipt_id'));
  if (receipt?.shop_id !== shop.shop_id) throw buildRefusal(404, VERBATIM.not_found);
  return { shop, receipt };
}

// Times on the wire are whole seconds, inclusive at both ends; the rows have milliseconds.
function parseFilter(query: Fields, shop_id: number): { conditions: string[]; values: SqlValue[] } {
  const conditions = ['shop_id = ?'];
  const values: SqlValue[] = [shop_id];
  for (const [name, condition, rest_ms] of MOMENTS) {
    const at = parseInteger(query, name) ?? null;
    if (at === null) continue;
    conditions.push(condition);
    values.push(at * 1000 + rest_ms);
  }
  for (const [name, condition] of FLAGS) {
    const isWanted = parseBoolean(query, name);
    if (isWanted === undefined) continue;
    conditions.push(condition);
    values.push(Number(isWanted));
  }
  return { conditions, values };
}
