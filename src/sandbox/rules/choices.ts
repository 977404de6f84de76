/* Values and limits on the wire as of the document of 2026-09-26. The product has its own in
   schemas/marketplace_facts.ts; the duplication is deliberate: a sandbox that took its rules from there
   would agree with every mistake in them. A test compares both with the published values. */
export const WHO_MADE = ['i_did', 'someone_else', 'collective'] as const;
export const LISTING_TYPES = ['physical', 'download', 'both'] as const;
export const LISTING_STATES = ['active', 'inactive', 'sold_out', 'draft', 'removed', 'expired'] as const;
export const WEIGHT_UNITS = ['oz', 'lb', 'g', 'kg'] as const;
export const DIMENSION_UNITS = ['in', 'ft', 'mm', 'cm', 'm', 'yd', 'inches'] as const;
export const SORT_ORDERS = ['asc', 'ascending', 'desc', 'descending', 'up', 'down'] as const;
type SortOrder = (typeof SORT_ORDERS)[number];

export function toSqlOrder(order: SortOrder | undefined): 'ASC' | 'DESC' {
  return order === 'asc' || order === 'ascending' || order === 'up' ? 'ASC' : 'DESC';
}

/** Languages into which a listing can be translated. */
export const LANGUAGES = 'de en-GB en-IN en-US es fr it ja nl pl pt ru sv'.split(' ');

/** Characters that a text must not have. */
export const REFUSED = {
  title: /[^\p{L}\p{Nd}\p{P}\p{Sm}\p{Zs}™©®]/u,
  tag: /[^\p{L}\p{Nd}\p{Zs}\-'™©®]/u,
  word: /[^\p{L}\p{Nd}\p{Zs}]/u,
} as const;
export const ONCE_IN_TITLE = ['%', ':', '&', '+'] as const;
/** The maximum number of each in a listing, and of characters in each text. */
export const MOST = { title: 140, tags: 13, tag: 20, styles: 2, style: 45, images: 20, videos: 2 } as const;
/** In USD; the limit in other currencies is unknown. */
export const MOST_USD = 50_000;
export const LISTING_FEE = { amount: 20, currency_code: 'USD' } as const;

/**
 * Product safety in the EU. The allowed values of these fields are not published, so the checks here are
 * invented.
 */
export const GPSR_FIELDS = [
  'gpsr_manufacturer_type',
  'gpsr_manufacturer_id',
  'gpsr_responsible_person_type',
  'gpsr_responsible_person_id',
  'gpsr_serial_number',
  'gpsr_safety_warnings',
] as const;
export type GpsrField = (typeof GPSR_FIELDS)[number];
