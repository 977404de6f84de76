import type { ShopCalls, Receipt, ReceiptPage } from '../../core/ports/index.js';
import type { Call } from '../http/call.js';
import { toReceipt } from '../map/receipt.js';
import { OPERATIONS } from './operations.js';
import * as wire from '../map/wire.js';
import { receipt, receiptMoments } from '../map/wire_receipt.js';

const LIMIT = 100;

/** Orders, read-only. */
export function createReceipts(call: Call): Pick<ShopCalls, 'listReceipts' | 'getReceipt'> {
  return {
    listReceipts(shop, filter, options) {
      const isByChange = filter.changed_from_s !== undefined;
      return call(
        OPERATIONS.getShopReceipts,
        {
          shop,
          path: { shop_id: shop.shop_id },
          query: {
            min_last_modified: filter.changed_from_s,
            max_last_modified: filter.changed_to_s,
            min_created: filter.created_from_s,
            max_created: filter.created_to_s,
            was_delivered: filter.was_delivered,
            sort_on: isByChange ? 'updated' : 'created',
            sort_order: 'asc',
            limit: LIMIT,
            offset: filter.offset,
          },
        },
        (body) => toPage(body, isByChange),
        options,
      );
    },
    getReceipt: (shop, receipt_id, options) =>
      call(
        OPERATIONS.getShopReceipt,
        { shop, path: { shop_id: shop.shop_id, receipt_id } },
        (body) => toReceipt(wire.parseWire(receipt, body)),
        options,
      ),
  };
}

/** Parsed one by one: a single unreadable order must not hide the others. */
function toPage(body: unknown, isByChange: boolean): ReceiptPage {
  const { results } = wire.parseWire(wire.anyList, body);
  const receipts = results.flatMap((result) => tryReceipt(result) ?? []);
  const moments = receiptMoments.safeParse(results.at(-1)).data;
  const changed = moments?.updated_timestamp ?? moments?.update_timestamp;
  const created = moments?.created_timestamp ?? moments?.create_timestamp;
  return {
    receipts,
    unreadable: results.length - receipts.length,
    last_at_s: (isByChange ? changed : created) ?? null,
    is_last: results.length < LIMIT,
  };
}

function tryReceipt(result: unknown): Receipt | undefined {
  try {
    return toReceipt(wire.parseWire(receipt, result));
  } catch (cause) {
    if (cause instanceof wire.UnreadableError) return undefined;
    throw cause;
  }
}
