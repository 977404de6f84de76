import type { Database } from './database.js';

/**
 * First ids of rows created after the seed, in the ranges that the marketplace uses (listings go beyond 32
 * bits).
 */
const FIRST_IDS = {
  listing: 1_512_300_000_001,
  product: 21_800_000_001,
  offering: 25_400_000_001,
  shop_value: 1_240_000_000_001,
  image: 6_410_000_001,
  video: 880_000_001,
  file: 1_330_000_001,
  question: 1_650_000_001,
  option: 1_710_000_001,
  receipt: 3_720_000_001,
  transaction: 4_650_000_001,
  shipment: 1_510_000_001,
  fee: 1,
} as const;

type SequenceName = keyof typeof FIRST_IDS;

/** The next id of a kind; the same after each reset, so runs can be compared. */
export function takeId(db: Database, name: SequenceName): number {
  const row = db.find<{ next: number }>(
    `INSERT INTO sequences (name, next) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET next = next + 1 RETURNING next`,
    name,
    FIRST_IDS[name],
  );
  return row ? row.next : FIRST_IDS[name];
}
