import { LISTING_DEFAULTS, toEndingAt } from '../rules/new_listing.js';
import { PRODUCT_LINES } from '../world/product_lines.js';
import type { ProductLine } from '../world/product_lines.js';
import { RECEIPTS } from '../world/receipts.js';
import type { ReceiptSeed } from '../world/receipts.js';
import { SHOP_SETTINGS } from '../world/shop_settings.js';
import type { ShopSettingsSeed } from '../world/shop_settings.js';
import { OTHER_SHOPS, SANDBOX_SHOPS } from '../world/shops.js';
import type { ShopSeed } from '../world/shops.js';
import type { Database } from './database.js';
import { buildSingleInventory } from './inventory.js';
import { insertListing, listListings } from './listings.js';
import type { Listing } from './listings.js';
import { hangPictures, insertPicture } from './pictures.js';
import { insertReceipt } from './receipts.js';
import { insertShop } from './shops.js';
import { RESETTABLE_TABLES } from './tables.js';
import { takeId } from './sequences.js';

const SEED_VERSION = '1';

/** Fills an empty database with the world; safe when several processes start at once. */
export function seedOnce(db: Database): void {
  if (isSeeded(db)) return;
  db.write(() => {
    if (!isSeeded(db)) seed(db);
  });
}

/**
 * Resets to the seed. Grants stay valid unless `forget_grants`, so a connected application needs no new
 * consent.
 */
export function resetWorld(db: Database, shouldForgetGrants: boolean): void {
  for (const table of RESETTABLE_TABLES) db.run(`DELETE FROM ${table}`);
  if (shouldForgetGrants) {
    db.run('DELETE FROM tokens');
    db.run('DELETE FROM codes');
    db.run('DELETE FROM application_grants');
  }
  seed(db);
}

function isSeeded(db: Database): boolean {
  return db.find<{ value: string }>(`SELECT value FROM meta WHERE name = 'seed'`)?.value === SEED_VERSION;
}

function seed(db: Database): void {
  for (const shop of [...SANDBOX_SHOPS, ...OTHER_SHOPS]) seedShop(db, shop);
  let age = 0;
  for (const line of PRODUCT_LINES) {
    for (const variant of line.variants) {
      seedListing(db, line, variant, age);
      age += 1;
    }
  }
  for (const receipt of RECEIPTS) seedReceipt(db, receipt);
  db.run(
    `INSERT INTO meta VALUES ('seed', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    SEED_VERSION,
  );
}

function seedShop(db: Database, shop: ShopSeed): void {
  const created_at = Date.parse(shop.created_on);
  const { shop_id, user_id, shop_name, data } = shop;
  insertShop(db, { shop_id, user_id, shop_name, created_at, updated_at: created_at, data });
  const settings = SHOP_SETTINGS[shop_id];
  if (settings) seedShopSettings(db, shop_id, settings);
}

export function seedShopSettings(db: Database, shop_id: number, settings: ShopSettingsSeed): void {
  settings.sections.forEach((section, index) => {
    db.run(
      'INSERT INTO sections VALUES (?,?,?,?)',
      section.shop_section_id,
      shop_id,
      section.title,
      index + 1,
    );
  });
  for (const profile of settings.shipping_profiles) {
    const { shipping_profile_id, data } = profile;
    db.run(
      'INSERT INTO shipping_profiles VALUES (?,?,?)',
      shipping_profile_id,
      shop_id,
      JSON.stringify(data),
    );
  }
  for (const state of settings.readiness_states) {
    db.run(
      'INSERT INTO readiness_states VALUES (?,?,?,?,?)',
      state.readiness_state_id,
      shop_id,
      state.readiness_state,
      state.min_days,
      state.max_days,
    );
  }
  for (const policy of settings.return_policies) {
    db.run(
      'INSERT INTO return_policies VALUES (?,?,?,?,?)',
      policy.return_policy_id,
      shop_id,
      Number(policy.accepts_returns),
      Number(policy.accepts_exchanges),
      policy.return_deadline,
    );
  }
  for (const partner of settings.production_partners) {
    db.run(
      'INSERT INTO production_partners VALUES (?,?,?,?)',
      partner.production_partner_id,
      shop_id,
      partner.partner_name,
      partner.location,
    );
  }
}

const FIRST_SEEDED_LISTING = 4_310_220_117;
const NEWEST_SEEDED_AT = Date.parse('2026-11-15T09:00:00Z');
const HOUR_MS = 3_600_000;

function seedListing(db: Database, line: ProductLine, variant: string, age: number): void {
  const created_at = NEWEST_SEEDED_AT - age * 7 * HOUR_MS;
  const settings = SHOP_SETTINGS[line.shop_id];
  const quantity = 3 + ((age * 5) % 17);
  const price_amount = line.price_amount + (age % 4) * 50;
  const readiness_state_id = settings?.readiness_states[0]?.readiness_state_id ?? null;
  const listing: Listing = {
    listing_id: FIRST_SEEDED_LISTING + age * 7,
    shop_id: line.shop_id,
    state: 'active',
    is_seeded: true,
    is_frozen: false,
    created_at,
    updated_at: created_at,
    state_at: created_at,
    ending_at: toEndingAt(created_at),
    fields: {
      ...LISTING_DEFAULTS,
      title: line.title.replace('{}', variant),
      description: line.about,
      tags: [...line.tags],
      materials: [...line.materials],
      taxonomy_id: line.taxonomy_id,
      listing_type: line.is_digital ? 'download' : 'physical',
      price_amount,
      quantity,
      who_made: 'i_did',
      when_made: line.is_digital ? '2020_2026' : 'made_to_order',
      shipping_profile_id: settings?.shipping_profiles[0]?.shipping_profile_id ?? null,
      return_policy_id: settings?.return_policies[0]?.return_policy_id ?? null,
      shop_section_id: settings?.sections[0]?.shop_section_id ?? null,
      readiness_state_id,
      num_favorers: (age * 13) % 240,
      views: (age * 37) % 1900,
    },
    inventory: buildSingleInventory(db, { quantity, price_amount, readiness_state_id }),
  };
  insertListing(db, listing);
  const picture = { shop_id: line.shop_id, sha256: null, width: 1200, height: 960, created_at };
  const hung = [0, 1].map(() => ({
    listing_image_id: insertPicture(db, picture),
    alt_text: line.title.replace('{}', variant),
  }));
  hangPictures(db, listing.listing_id, hung);
}

function seedReceipt(db: Database, given: ReceiptSeed): void {
  const page = { limit: 1, offset: given.listing_index };
  const { listings } = listListings(db, ['shop_id = ?'], [given.shop_id], page);
  const listing = listings[0];
  if (!listing) throw new Error(`the seeded shop ${given.shop_id} has no listing ${given.listing_index}`);
  const at = Date.parse(`${given.created_on}T14:20:00Z`);
  const product = listing.inventory.products[0];
  insertReceipt(db, {
    shop_id: given.shop_id,
    created_at: at,
    updated_at: at + 26 * HOUR_MS,
    is_paid: given.is_paid,
    is_shipped: given.is_shipped,
    is_delivered: given.is_delivered,
    is_canceled: given.is_canceled,
    data: {
      buyer: given.buyer,
      shipping_amount: 595,
      shipments: given.is_shipped
        ? [
            {
              receipt_shipping_id: takeId(db, 'shipment'),
              notified_at: at + 26 * HOUR_MS,
              carrier_name: 'usps',
              tracking_code: `9400100000000${given.buyer.user_id}`,
            },
          ]
        : [],
      lines: [
        {
          transaction_id: takeId(db, 'transaction'),
          listing_id: listing.listing_id,
          product_id: product?.product_id ?? 1,
          listing_image_id: null,
          title: listing.fields.title,
          description: listing.fields.description,
          sku: '',
          quantity: given.quantity,
          price_amount: listing.fields.price_amount,
          is_digital: false,
          shipping_profile_id: listing.fields.shipping_profile_id,
        },
      ],
    },
  });
}
