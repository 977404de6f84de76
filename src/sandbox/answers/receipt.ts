import { getTotal } from '../store/receipts.js';
import type { Receipt, ReceiptLine } from '../store/receipts.js';
import type { Shop } from '../store/shops.js';
import { encodeEntities, toMoney, toSeconds } from './text.js';

const MOST_PROCESSING_DAYS = 2;
const DAY_S = 24 * 60 * 60;

/**
 * A ShopReceipt on the wire with its transactions. Email addresses are null: access to them is granted case
 * by case.
 */
export function toReceipt(receipt: Receipt, shop: Shop): Record<string, unknown> {
  const { buyer, lines, shipments, shipping_amount, refunds = [] } = receipt.data;
  const { message_from_buyer = null, gift_message = '' } = receipt.data;
  const { currency_code } = shop.data;
  const created = toSeconds(receipt.created_at);
  const updated = toSeconds(receipt.updated_at);
  const { items, grand } = getTotal(receipt);
  const none = toMoney(0, currency_code);
  return {
    receipt_id: receipt.receipt_id,
    receipt_type: 0,
    seller_user_id: shop.user_id,
    seller_email: null,
    buyer_user_id: buyer.user_id,
    buyer_email: null,
    name: buyer.name,
    first_line: buyer.first_line,
    second_line: null,
    city: buyer.city,
    state: null,
    zip: buyer.zip,
    status: toStatus(receipt),
    formatted_address: `${buyer.name}\n${buyer.first_line}\n${buyer.zip} ${buyer.city}\n${buyer.country_iso}`,
    country_iso: buyer.country_iso,
    payment_method: 'cc',
    payment_email: null,
    message_from_seller: null,
    message_from_buyer: message_from_buyer && encodeEntities(message_from_buyer),
    message_from_payment: null,
    is_paid: receipt.is_paid,
    is_shipped: receipt.is_shipped,
    create_timestamp: created,
    created_timestamp: created,
    update_timestamp: updated,
    updated_timestamp: updated,
    is_gift: gift_message !== '',
    gift_message: encodeEntities(gift_message),
    gift_sender: '',
    grandtotal: toMoney(grand, currency_code),
    subtotal: toMoney(items, currency_code),
    total_price: toMoney(items, currency_code),
    total_shipping_cost: toMoney(shipping_amount, currency_code),
    total_tax_cost: none,
    total_vat_cost: none,
    discount_amt: none,
    gift_wrap_price: none,
    shipments: shipments.map((shipment) => ({
      receipt_shipping_id: shipment.receipt_shipping_id,
      shipment_notification_timestamp: toSeconds(shipment.notified_at),
      carrier_name: shipment.carrier_name,
      tracking_code: shipment.tracking_code,
    })),
    transactions: lines.map((line) => toTransaction(line, receipt, shop)),
    refunds: refunds.map(({ amount, at, reason }) => ({
      amount: toMoney(amount, currency_code),
      created_timestamp: toSeconds(at),
      reason,
      note_from_issuer: null,
      status: 'Success',
    })),
  };
}

function toTransaction(line: ReceiptLine, receipt: Receipt, shop: Shop): Record<string, unknown> {
  const { currency_code } = shop.data;
  const created = toSeconds(receipt.created_at);
  const paid = toSeconds(receipt.data.paid_at ?? receipt.created_at);
  return {
    transaction_id: line.transaction_id,
    title: encodeEntities(line.title),
    description: encodeEntities(line.description),
    seller_user_id: shop.user_id,
    buyer_user_id: receipt.data.buyer.user_id,
    create_timestamp: created,
    created_timestamp: created,
    paid_timestamp: receipt.is_paid ? paid : null,
    shipped_timestamp: receipt.is_shipped
      ? toSeconds(receipt.data.shipments[0]?.notified_at ?? receipt.updated_at)
      : null,
    quantity: line.quantity,
    listing_image_id: line.listing_image_id,
    receipt_id: receipt.receipt_id,
    is_digital: line.is_digital,
    file_data: '',
    listing_id: line.listing_id,
    transaction_type: 'listing',
    product_id: line.product_id,
    sku: line.sku,
    price: toMoney(line.price_amount, currency_code),
    shipping_cost: toMoney(receipt.data.shipping_amount, currency_code),
    variations: (line.choices ?? []).map((choice) => ({
      property_id: choice.property_id,
      value_id: choice.value_id,
      formatted_name: encodeEntities(choice.name),
      formatted_value: encodeEntities(choice.value),
      question_id: choice.question_id,
    })),
    product_data: [],
    shipping_profile_id: line.shipping_profile_id,
    min_processing_days: 1,
    max_processing_days: MOST_PROCESSING_DAYS,
    shipping_method: null,
    shipping_upgrade: null,
    expected_ship_date: receipt.is_paid ? paid + MOST_PROCESSING_DAYS * DAY_S : null,
    buyer_coupon: 0,
    shop_coupon: 0,
  };
}

function toStatus(receipt: Receipt): string {
  if (receipt.is_canceled) return 'canceled';
  if (receipt.is_shipped && receipt.is_paid) return 'completed';
  return receipt.is_paid ? 'paid' : 'open';
}
