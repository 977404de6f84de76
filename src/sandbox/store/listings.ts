import type { Database, SqlValue } from './database.js';
import type { GpsrField } from '../rules/choices.js';
import type { Inventory } from './inventory.js';
import { readJson } from './json.js';

export type ListingState = 'active' | 'inactive' | 'sold_out' | 'draft' | 'removed' | 'expired';
export type ListingType = 'physical' | 'download' | 'both';

/**
 * The fields of a listing that its seller sets. Text is stored raw; answers encode it. `price_amount` is in
 * hundredths of the currency.
 */
export type ListingFields = {
  title: string;
  description: string;
  tags: string[];
  materials: string[];
  styles: string[];
  listing_type: ListingType;
  taxonomy_id: number;
  price_amount: number;
  quantity: number;
  has_variations: boolean;
  who_made: string;
  when_made: string;
  is_supply: boolean;
  shipping_profile_id: number | null;
  return_policy_id: number | null;
  shop_section_id: number | null;
  processing_min: number | null;
  processing_max: number | null;
  readiness_state_id: number | null;
  production_partner_ids: number[];
  item_weight: number | null;
  item_weight_unit: string | null;
  item_length: number | null;
  item_width: number | null;
  item_height: number | null;
  item_dimensions_unit: string | null;
  is_customizable: boolean;
  is_taxable: boolean;
  should_auto_renew: boolean;
  featured_rank: number | null;
  num_favorers: number;
  views: number;
  ecgt: Record<string, string | number>;
  /** Missing in seeded listings. */
  gpsr?: Partial<Record<GpsrField, string | null>>;
};

export type Listing = {
  listing_id: number;
  shop_id: number;
  state: ListingState;
  is_seeded: boolean;
  is_frozen: boolean;
  created_at: number;
  updated_at: number;
  state_at: number;
  ending_at: number;
  fields: ListingFields;
  inventory: Inventory;
};

type ListingPage = { count: number; listings: Listing[] };

export function findListing(db: Database, listing_id: number): Listing | undefined {
  const row = db.find<ListingRow>('SELECT * FROM listings WHERE listing_id = ?', listing_id);
  return row && toListing(row);
}

export function insertListing(db: Database, listing: Listing): void {
  db.run(
    `INSERT INTO listings (listing_id, shop_id, state, is_seeded, is_frozen, created_at, updated_at, state_at,
       ending_at, search_text, price_amount, taxonomy_id, fields, inventory) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)`,
    listing.listing_id,
    listing.shop_id,
    listing.state,
    Number(listing.is_seeded),
    Number(listing.is_frozen),
    listing.created_at,
    listing.updated_at,
    listing.state_at,
    listing.ending_at,
    toSearchText(listing.fields),
    listing.fields.price_amount,
    listing.fields.taxonomy_id,
    JSON.stringify(listing.fields),
    JSON.stringify(listing.inventory),
  );
}

/** Saves the fields that may change; ids, shop and creation time never do. */
export function saveListing(db: Database, listing: Listing): void {
  db.run(
    `UPDATE listings SET state = ?, is_frozen = ?, updated_at = ?, state_at = ?, ending_at = ?, search_text = ?,
       price_amount = ?, taxonomy_id = ?, fields = ?, inventory = ? WHERE listing_id = ?`,
    listing.state,
    Number(listing.is_frozen),
    listing.updated_at,
    listing.state_at,
    listing.ending_at,
    toSearchText(listing.fields),
    listing.fields.price_amount,
    listing.fields.taxonomy_id,
    JSON.stringify(listing.fields),
    JSON.stringify(listing.inventory),
    listing.listing_id,
  );
}

/** Sets the listing's time of change, after a change of its photos or other parts. */
export function touchListing(db: Database, listing_id: number, now_ms: number): void {
  db.run('UPDATE listings SET updated_at = ? WHERE listing_id = ?', now_ms, listing_id);
}

const TABLES_OF_A_LISTING = [
  'listings',
  'listing_images',
  'listing_videos',
  'listing_files',
  'variation_images',
  'listing_properties',
  'personalizations',
  'translations',
] as const;

export function deleteListing(db: Database, listing_id: number): void {
  for (const table of TABLES_OF_A_LISTING) db.run(`DELETE FROM ${table} WHERE listing_id = ?`, listing_id);
}

/**
 * Combines conditions with AND; `values` fill their question marks in order. Newest first unless stated
 * otherwise.
 */
export function listListings(
  db: Database,
  conditions: readonly string[],
  values: readonly SqlValue[],
  page: { limit: number; offset: number },
  order = 'created_at DESC, listing_id DESC',
): ListingPage {
  const where = conditions.join(' AND ');
  const counted = db.find<{ count: number }>(
    `SELECT count(*) AS count FROM listings WHERE ${where}`,
    ...values,
  );
  const rows = db.list<ListingRow>(
    `SELECT * FROM listings WHERE ${where} ORDER BY ${order} LIMIT ? OFFSET ?`,
    ...values,
    page.limit,
    page.offset,
  );
  return { count: counted?.count ?? 0, listings: rows.map(toListing) };
}

/** Active listings whose four months are over. */
export function listEnded(db: Database, now_ms: number): Listing[] {
  return db
    .list<ListingRow>(`SELECT * FROM listings WHERE state = 'active' AND ending_at <= ?`, now_ms)
    .map(toListing);
}

export function listAddedListings(db: Database, shop_id: number | undefined): Listing[] {
  return db
    .list<ListingRow>(
      `SELECT * FROM listings WHERE is_seeded = 0 AND (? IS NULL OR shop_id = ?) ORDER BY listing_id`,
      shop_id ?? null,
      shop_id ?? null,
    )
    .map(toListing);
}

export function countListings(db: Database, condition: string, ...values: SqlValue[]): number {
  const row = db.find<{ count: number }>(
    `SELECT count(*) AS count FROM listings WHERE ${condition}`,
    ...values,
  );
  return row?.count ?? 0;
}

type ListingRow = Omit<Listing, 'is_seeded' | 'is_frozen' | 'fields' | 'inventory'> & {
  is_seeded: number;
  is_frozen: number;
  fields: string;
  inventory: string;
};

function toListing(row: ListingRow): Listing {
  return {
    listing_id: row.listing_id,
    shop_id: row.shop_id,
    state: row.state,
    is_seeded: row.is_seeded === 1,
    is_frozen: row.is_frozen === 1,
    created_at: row.created_at,
    updated_at: row.updated_at,
    state_at: row.state_at,
    ending_at: row.ending_at,
    fields: readJson<ListingFields>(row.fields),
    inventory: readJson<Inventory>(row.inventory),
  };
}

function toSearchText(fields: ListingFields): string {
  return [fields.title, ...fields.tags].join('\n').toLowerCase();
}
