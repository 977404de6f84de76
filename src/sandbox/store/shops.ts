import type { Database } from './database.js';
import { readJson } from './json.js';

/** A shop's settings that its owner edits, and its constant facts. */
export type ShopData = {
  title: string;
  announcement: string | null;
  sale_message: string | null;
  digital_sale_message: string | null;
  policy_additional: string | null;
  currency_code: string;
  country_iso: string;
  language: string;
  login_name: string;
  first_name: string;
  last_name: string;
  email: string;
  num_favorers: number;
  transaction_sold_count: number;
  review_count: number;
  review_average: number;
};

export type Shop = {
  shop_id: number;
  user_id: number;
  shop_name: string;
  created_at: number;
  updated_at: number;
  data: ShopData;
};

type ShopRow = Omit<Shop, 'data'> & { data: string };
const toShop = (row: ShopRow): Shop => ({ ...row, data: readJson<ShopData>(row.data) });

export function findShop(db: Database, shop_id: number): Shop | undefined {
  const row = db.find<ShopRow>('SELECT * FROM shops WHERE shop_id = ?', shop_id);
  return row && toShop(row);
}

export function findShopOfUser(db: Database, user_id: number): Shop | undefined {
  const row = db.find<ShopRow>('SELECT * FROM shops WHERE user_id = ?', user_id);
  return row && toShop(row);
}

export function listShops(db: Database): Shop[] {
  return db.list<ShopRow>('SELECT * FROM shops ORDER BY shop_id').map(toShop);
}

export function insertShop(db: Database, shop: Shop): void {
  db.run(
    'INSERT INTO shops (shop_id, user_id, shop_name, created_at, updated_at, data) VALUES (?,?,?,?,?,?)',
    shop.shop_id,
    shop.user_id,
    shop.shop_name,
    shop.created_at,
    shop.updated_at,
    JSON.stringify(shop.data),
  );
}

const EU_COUNTRIES = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(
  ' ',
);

/**
 * Shops in the EU can activate without a return policy, and only they have the warranty fields and
 * policy_additional.
 */
export function isEuShop(shop: Shop): boolean {
  return EU_COUNTRIES.includes(shop.data.country_iso);
}
