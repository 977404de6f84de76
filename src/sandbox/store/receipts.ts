import type { Database, SqlValue } from './database.js';
import { takeId } from './sequences.js';
import { readJson } from './json.js';

export type Buyer = {
  user_id: number;
  name: string;
  first_line: string;
  city: string;
  zip: string;
  country_iso: string;
};

export type ReceiptLine = {
  transaction_id: number;
  listing_id: number;
  product_id: number;
  listing_image_id: number | null;
  title: string;
  description: string;
  sku: string;
  quantity: number;
  price_amount: number;
  is_digital: boolean;
  shipping_profile_id: number | null;
  /** The buyer's choices, and answers to questions. */
  choices?: ReceiptChoice[];
};

export type ReceiptChoice = {
  property_id: number;
  value_id: number | null;
  name: string;
  value: string;
  question_id: number | null;
};

type Refund = { amount: number; at: number; reason: string };

type Shipment = {
  receipt_shipping_id: number;
  notified_at: number;
  carrier_name: string;
  tracking_code: string;
};

export type ReceiptFlags = {
  is_paid: boolean;
  is_shipped: boolean;
  is_delivered: boolean;
  is_canceled: boolean;
};

export type Receipt = ReceiptFlags & {
  receipt_id: number;
  shop_id: number;
  created_at: number;
  updated_at: number;
  data: {
    buyer: Buyer;
    lines: ReceiptLine[];
    shipments: Shipment[];
    shipping_amount: number;
    /** Omitted for receipts that were paid when they were created. */
    paid_at?: number;
    refunds?: Refund[];
    message_from_buyer?: string | null;
    gift_message?: string;
  };
};

export function findReceipt(db: Database, receipt_id: number): Receipt | undefined {
  const row = db.find<ReceiptRow>('SELECT * FROM receipts WHERE receipt_id = ?', receipt_id);
  return row && toReceipt(row);
}

/** `conditions` are joined with AND, `order` is SQL of our own, never text from a request. */
export function listReceipts(
  db: Database,
  conditions: readonly string[],
  values: readonly SqlValue[],
  order: string,
  page: { limit: number; offset: number },
): { count: number; receipts: Receipt[] } {
  const where = conditions.join(' AND ');
  const counted = db.find<{ count: number }>(
    `SELECT count(*) AS count FROM receipts WHERE ${where}`,
    ...values,
  );
  const rows = db.list<ReceiptRow>(
    `SELECT * FROM receipts WHERE ${where} ORDER BY ${order} LIMIT ? OFFSET ?`,
    ...values,
    page.limit,
    page.offset,
  );
  return { count: counted?.count ?? 0, receipts: rows.map(toReceipt) };
}

/** The totals of the items without and with shipping, in hundredths of the currency. */
export function getTotal({ data }: Pick<Receipt, 'data'>): { items: number; grand: number } {
  const items = data.lines.reduce((sum, line) => sum + line.price_amount * line.quantity, 0);
  return { items, grand: items + data.shipping_amount };
}

export function insertReceipt(db: Database, receipt: Omit<Receipt, 'receipt_id'>): number {
  const receipt_id = takeId(db, 'receipt');
  db.run(
    `INSERT INTO receipts (receipt_id, shop_id, created_at, updated_at, is_paid, is_shipped, is_delivered,
       is_canceled, data) VALUES (?,?,?,?,?,?,?,?,?)`,
    receipt_id,
    receipt.shop_id,
    receipt.created_at,
    receipt.updated_at,
    Number(receipt.is_paid),
    Number(receipt.is_shipped),
    Number(receipt.is_delivered),
    Number(receipt.is_canceled),
    JSON.stringify(receipt.data),
  );
  return receipt_id;
}

export function saveReceipt(db: Database, receipt: Receipt): void {
  db.run(
    `UPDATE receipts SET updated_at = ?, is_paid = ?, is_shipped = ?, is_delivered = ?, is_canceled = ?, data = ?
       WHERE receipt_id = ?`,
    receipt.updated_at,
    Number(receipt.is_paid),
    Number(receipt.is_shipped),
    Number(receipt.is_delivered),
    Number(receipt.is_canceled),
    JSON.stringify(receipt.data),
    receipt.receipt_id,
  );
}

type ReceiptRow = Omit<Receipt, keyof ReceiptFlags | 'data'> &
  Record<keyof ReceiptFlags, number> & { data: string };

function toReceipt(row: ReceiptRow): Receipt {
  return {
    ...row,
    is_paid: row.is_paid === 1,
    is_shipped: row.is_shipped === 1,
    is_delivered: row.is_delivered === 1,
    is_canceled: row.is_canceled === 1,
    data: readJson<Receipt['data']>(row.data),
  };
}
