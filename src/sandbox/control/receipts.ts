import { INVENTED, VERBATIM } from '../messages.js';
import { buildRefusal } from '../refusal.js';
import type { Database } from '../store/database.js';
import { findListing, listListings } from '../store/listings.js';
import type { Listing } from '../store/listings.js';
import { findReceipt, insertReceipt, saveReceipt } from '../store/receipts.js';
import type { Buyer, Receipt, ReceiptFlags, ReceiptLine } from '../store/receipts.js';
import { takeId } from '../store/sequences.js';
import { findShop } from '../store/shops.js';
import { parseId, parseObject } from './requests.js';
import type { JsonObject } from './requests.js';

const FLAGS = ['is_paid', 'is_shipped', 'is_delivered', 'is_canceled'] as const;
const BUYER: Buyer = {
  user_id: 90_114_299,
  name: 'Robin Sample',
  first_line: '1 Example Street',
  city: 'Springfield',
  zip: '12345',
  country_iso: 'US',
};

/**
 * Makes a receipt, or with `receipt_id` changes one. Body: `{shop_id, receipt_id?, is_paid?, is_shipped?,
 * is_delivered?, is_canceled?, items?: [{listing_id, quantity?}]}`; without items the shop's newest active listing is bought.
 */
export function writeReceipt(db: Database, body: JsonObject, now_ms: number): Record<string, unknown> {
  const receipt_id =
    body.receipt_id === undefined
      ? addReceipt(db, body, now_ms)
      : changeReceipt(db, parseId(body, 'receipt_id'), body, now_ms);
  const { shop_id, is_paid, is_shipped, is_delivered, is_canceled } = getReceipt(db, receipt_id);
  return { receipt_id, shop_id, is_paid, is_shipped, is_delivered, is_canceled };
}

function addReceipt(db: Database, body: JsonObject, now_ms: number): number {
  const shop_id = parseId(body, 'shop_id');
  if (!findShop(db, shop_id)) throw buildRefusal(404, INVENTED.shop_not_found);
  const flags = { is_paid: true, is_shipped: false, is_delivered: false, is_canceled: false };
  return insertReceipt(db, {
    shop_id,
    created_at: now_ms,
    updated_at: now_ms,
    ...flags,
    ...parseFlags(body),
    data: { buyer: BUYER, lines: buildLines(db, shop_id, body.items), shipments: [], shipping_amount: 595 },
  });
}

function changeReceipt(db: Database, receipt_id: number, body: JsonObject, now_ms: number): number {
  saveReceipt(db, { ...getReceipt(db, receipt_id), ...parseFlags(body), updated_at: now_ms });
  return receipt_id;
}

function getReceipt(db: Database, receipt_id: number): Receipt {
  const receipt = findReceipt(db, receipt_id);
  if (!receipt) throw buildRefusal(404, VERBATIM.not_found);
  return receipt;
}

function parseFlags(body: JsonObject): Partial<ReceiptFlags> {
  return Object.fromEntries(
    FLAGS.flatMap((name) => (typeof body[name] === 'boolean' ? [[name, body[name]]] : [])),
  );
}

function buildLines(db: Database, shop_id: number, items: unknown): ReceiptLine[] {
  if (Array.isArray(items)) {
    return items.map((value: unknown) => {
      const item = parseObject(value);
      const listing = findListing(db, parseId(item, 'listing_id'));
      if (listing?.shop_id !== shop_id) throw buildRefusal(404, INVENTED.listing_not_found);
      return buildLine(db, listing, item.quantity === undefined ? 1 : parseId(item, 'quantity'));
    });
  }
  const page = { limit: 1, offset: 0 };
  const { listings } = listListings(db, ['shop_id = ?', `state = 'active'`], [shop_id], page);
  return listings.map((listing) => buildLine(db, listing, 1));
}

/** One bought thing, as the listing is now. */
function buildLine(db: Database, listing: Listing, quantity: number): ReceiptLine {
  const product = listing.inventory.products[0];
  return {
    transaction_id: takeId(db, 'transaction'),
    listing_id: listing.listing_id,
    product_id: product?.product_id ?? 1,
    listing_image_id: null,
    title: listing.fields.title,
    description: listing.fields.description,
    sku: product?.sku ?? '',
    quantity,
    price_amount: product?.offering.price_amount ?? listing.fields.price_amount,
    is_digital: listing.fields.listing_type === 'download',
    shipping_profile_id: listing.fields.shipping_profile_id,
  };
}
