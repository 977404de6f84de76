import { INVENTED, VERBATIM } from '../requests/messages.js';
import type { SandboxPorts } from '../ports.js';
import { buildRefusal } from '../requests/refusal.js';
import { changeOrder, placeOrder } from '../rules/order.js';
import { takeStock } from '../rules/stock.js';
import { listQuestions } from '../store/attachments.js';
import type { Database } from '../store/database.js';
import type { Product } from '../store/inventory.js';
import { findListing, listListings, saveListing } from '../store/listings.js';
import type { Listing } from '../store/listings.js';
import { findReceipt, saveReceipt } from '../store/receipts.js';
import type { Buyer, Receipt, ReceiptChoice, ReceiptFlags, ReceiptLine } from '../store/receipts.js';
import { takeId } from '../store/sequences.js';
import { findShop } from '../store/shops.js';
import { findNamedProduct } from './products.js';
import { parseId, parseObject, refuseUnknown } from './requests.js';
import type { JsonObject } from './requests.js';

const FLAGS = ['is_paid', 'is_shipped', 'is_delivered', 'is_canceled'] as const;
/** The property of answers to questions. */
const PERSONALIZATION = 54;
const BUYER: Buyer = {
  user_id: 90_114_299,
  name: 'Robin Sample',
  first_line: '1 Example Street',
  city: 'Springfield',
  zip: '12345',
  country_iso: 'US',
};

/**
 * Creates a receipt, or with `receipt_id` changes one. Body: `{shop_id, receipt_id?, is_paid?, is_shipped?,
 * is_delivered?, is_canceled?, items?: [{listing_id, quantity?, answer?}], message_from_buyer?,
 * gift_message?}`; without items, the shop's newest active listing is bought. `answer` is the buyer's text
 * for each question of the listing.
 */
export function writeReceipt(db: Database, ports: SandboxPorts, body: JsonObject): Record<string, unknown> {
  const world = { db, ports, now_ms: ports.nowMs() };
  const receipt =
    body.receipt_id === undefined
      ? placeOrder(world, takeOrder(db, body), { is_paid: true, ...parseFlags(body) })
      : changeOrder(world, getReceipt(db, parseId(body, 'receipt_id')), parseFlags(body));
  return summarize(receipt);
}

function summarize(receipt: Receipt): Record<string, unknown> {
  const { receipt_id, shop_id, is_paid, is_shipped, is_delivered, is_canceled } = receipt;
  return { receipt_id, shop_id, is_paid, is_shipped, is_delivered, is_canceled };
}

/**
 * A buyer buys a product of the listing, which reduces its quantity: selling the last one sells the listing
 * out. Body: `{sku? | values?, quantity?, answer?}` and the flags and texts of writeReceipt; if no product is
 * named, the first one that is for sale is bought.
 */
export function sellProduct(
  db: Database,
  ports: SandboxPorts,
  listing: Listing,
  body: JsonObject,
): Record<string, unknown> {
  refuseUnknown(body, [
    'sku',
    'values',
    'quantity',
    'answer',
    'message_from_buyer',
    'gift_message',
    ...FLAGS,
  ]);
  const now_ms = ports.nowMs();
  const quantity = body.quantity === undefined ? 1 : parseId(body, 'quantity');
  const product = findNamedProduct(listing, body) ?? findBuyable(listing);
  if (listing.state !== 'active' || !product?.offering.is_enabled || product.offering.quantity < quantity) {
    throw buildRefusal(400, INVENTED.stock_short);
  }
  const answer = typeof body.answer === 'string' ? body.answer : undefined;
  const order = buildOrder(body, listing.shop_id, [buildLine(db, listing, quantity, answer, product)]);
  const receipt = placeOrder({ db, ports, now_ms }, order, { is_paid: true, ...parseFlags(body) });
  const left = takeStock(listing, product, quantity, now_ms);
  saveListing(db, left);
  return { ...summarize(receipt), state: left.state, quantity: left.fields.quantity };
}

/** Body: `{receipt_id}`. Marks it as delivered, which neither counts as a change nor sends a message. */
export function deliverQuietly(db: Database, body: JsonObject): Record<string, unknown> {
  const receipt = getReceipt(db, parseId(body, 'receipt_id'));
  saveReceipt(db, { ...receipt, is_delivered: true });
  return { receipt_id: receipt.receipt_id };
}

function takeOrder(db: Database, body: JsonObject): Pick<Receipt, 'shop_id' | 'data'> {
  const shop_id = parseId(body, 'shop_id');
  if (!findShop(db, shop_id)) throw buildRefusal(404, INVENTED.shop_not_found);
  return buildOrder(body, shop_id, buildLines(db, shop_id, body.items));
}

function buildOrder(
  { message_from_buyer, gift_message }: JsonObject,
  shop_id: number,
  lines: ReceiptLine[],
): Pick<Receipt, 'shop_id' | 'data'> {
  return {
    shop_id,
    data: {
      buyer: BUYER,
      lines,
      shipments: [],
      shipping_amount: 595,
      ...(typeof message_from_buyer === 'string' && { message_from_buyer }),
      ...(typeof gift_message === 'string' && { gift_message }),
    },
  };
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
      const answer = typeof item.answer === 'string' ? item.answer : undefined;
      return buildLine(db, listing, item.quantity === undefined ? 1 : parseId(item, 'quantity'), answer);
    });
  }
  const page = { limit: 1, offset: 0 };
  const { listings } = listListings(db, ['shop_id = ?', `state = 'active'`], [shop_id], page);
  return listings.map((listing) => buildLine(db, listing, 1));
}

function findBuyable({ inventory: { products } }: Listing): Product | undefined {
  return (
    products.find(({ offering }) => offering.is_enabled && offering.quantity > 0) ??
    products.find(({ offering }) => offering.is_enabled) ??
    products[0]
  );
}

/** One purchased item, from the listing's current state. */
function buildLine(
  db: Database,
  listing: Listing,
  quantity: number,
  answer = 'Robin',
  product = findBuyable(listing),
): ReceiptLine {
  const chosen = (product?.property_values ?? []).map((value): ReceiptChoice => ({
    property_id: value.property_id,
    value_id: value.value_ids[0] ?? null,
    name: value.property_name,
    value: value.values[0] ?? '',
    question_id: null,
  }));
  const answered = listQuestions(db, listing.listing_id).map((question): ReceiptChoice => ({
    property_id: PERSONALIZATION,
    value_id: null,
    name: question.question_text,
    value: answer,
    question_id: question.question_id,
  }));
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
    choices: [...chosen, ...answered],
  };
}
