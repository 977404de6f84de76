import type { DraftListing, MarketplaceListing } from '../../ports/index.js';
import { foldText } from '../rules/text.js';
import { getRow, SHOWN_WHEN_CREATED } from '../listing_fields.js';

/** Sent fields that the listing shows differently. Excludes the quantity, which sales change. */
export function listDifferences(listing: MarketplaceListing, draft: DraftListing): (keyof DraftListing)[] {
  return SHOWN_WHEN_CREATED.filter((field) => field !== 'quantity' && isOtherwise(field, listing, draft));
}

function isOtherwise(
  field: (typeof SHOWN_WHEN_CREATED)[number],
  listing: MarketplaceListing,
  draft: DraftListing,
): boolean {
  if (draft[field] === undefined || listing[field] === undefined) return false;
  if (field === 'price') return !isSamePrice(listing, draft);
  const [sent, stored] = [draft[field], listing[field]];
  const { type } = getRow(field);
  if (type === 'prose') return foldText(String(stored)) !== foldText(String(sent));
  return Array.isArray(sent) && Array.isArray(stored) ? !isSameList(sent, stored) : sent !== stored;
}

/** How closely a listing matches the sent draft. */
export const LIKENESS = {
  none: 0,
  /** Only the description: the title may have been changed manually. */
  description: 1,
  /** The title, and perhaps the description. */
  title: 2,
  /** Title, description, price and stock. */
  product: 3,
  /** Everything that can be read back. */
  whole: 4,
} as const;
export type Likeness = (typeof LIKENESS)[keyof typeof LIKENESS];

export function getLikeness(listing: MarketplaceListing, draft: DraftListing): Likeness {
  if (listing.taxonomy_id !== draft.taxonomy_id) return LIKENESS.none;
  const different = new Set(listDifferences(listing, draft));
  // A listing that was on sale may have sold pieces, so only the quantity of a draft is compared.
  if (listing.state === 'draft' && listing.quantity !== draft.quantity) different.add('quantity');
  if (different.size === 0) return LIKENESS.whole;
  if (!PRODUCT.some((field) => different.has(field))) return LIKENESS.product;
  if (!different.has('title')) return LIKENESS.title;
  return different.has('description') ? LIKENESS.none : LIKENESS.description;
}

const PRODUCT = ['title', 'description', 'price', 'quantity'] as const;

/** Compares prices in hundredths. */
function isSamePrice(listing: MarketplaceListing, draft: DraftListing): boolean {
  return Math.round(listing.price * 100) === Math.round(draft.price * 100);
}

function isSameList(sent: readonly string[], stored: readonly string[]): boolean {
  return foldList(sent) === foldList(stored);
}

/** In any order, with each word once, like the sent list. */
export function foldList(words: readonly string[]): string {
  return JSON.stringify([...new Set(words.map((word) => foldText(word).toLowerCase()))].sort());
}
