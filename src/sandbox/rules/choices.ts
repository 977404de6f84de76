/*
 * Values and limits of the wire as of the document of 2026-09-26. The product
 * has its own in schemas/marketplace_facts.ts, and this copy is one on purpose: a sandbox that took its rules from there
 * would agree with every mistake in them. A test holds both against what was published.
 */
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

/** Into which a listing can be translated. */
export const LANGUAGES = 'de en-GB en-IN en-US es fr it ja nl pl pt ru sv'.split(' ');

/** Characters that a text must not have. */
export const REFUSED = {
  title: /[^\p{L}\p{Nd}\p{P}\p{Sm}\p{Zs}™©®]/u,
  tag: /[^\p{L}\p{Nd}\p{Zs}\-'™©®]/u,
  word: /[^\p{L}\p{Nd}\p{Zs}]/u,
} as const;
export const ONCE_IN_TITLE = ['%', ':', '&', '+'] as const;
/** How many of each a listing may have, and how many characters of each text. */
export const MOST = { title: 140, tags: 13, tag: 20, styles: 2, style: 45, images: 20, videos: 2 } as const;
/** In USD; what it is in other currencies is not known. */
export const MOST_USD = 50_000;
export const LISTING_FEE = { amount: 20, currency_code: 'USD' } as const;

/** Product safety in the EU. What the fields may have is not published with them, so the checks of them here are invented. */
export const GPSR_FIELDS = [
  'gpsr_manufacturer_type',
  'gpsr_manufacturer_id',
  'gpsr_responsible_person_type',
  'gpsr_responsible_person_id',
  'gpsr_serial_number',
  'gpsr_safety_warnings',
] as const;
export type GpsrField = (typeof GPSR_FIELDS)[number];
