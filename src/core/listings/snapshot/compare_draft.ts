import type { DraftListing, MarketplaceListing } from '../../ports/index.js';
import { foldText } from '../rules/text.js';
import { getRow, SHOWN_WHEN_CREATED } from '../listing_fields.js';

/** Fields that were sent and are otherwise there. What a listing sells of, its quantity, is none of them. */
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

/** How much of what was sent a listing has. */
export const LIKENESS = {
  none: 0,
  /** The description alone: its title may have been changed by hand. */
  description: 1,
  /** The title, and perhaps the description. */
  title: 2,
  /** Title, description, price and stock. */
  product: 3,
  /** All that can be read back. */
  whole: 4,
} as const;
export type Likeness = (typeof LIKENESS)[keyof typeof LIKENESS];

export function getLikeness(listing: MarketplaceListing, draft: DraftListing): Likeness {
  if (listing.taxonomy_id !== draft.taxonomy_id) return LIKENESS.none;
  const different = new Set(listDifferences(listing, draft));
  // A listing that was live may have been sold, so only a draft's quantity is compared.
  if (listing.state === 'draft' && listing.quantity !== draft.quantity) different.add('quantity');
  if (different.size === 0) return LIKENESS.whole;
  if (!PRODUCT.some((field) => different.has(field))) return LIKENESS.product;
  if (!different.has('title')) return LIKENESS.title;
  return different.has('description') ? LIKENESS.none : LIKENESS.description;
}

const PRODUCT = ['title', 'description', 'price', 'quantity'] as const;

/** Prices are compared in hundredths. */
function isSamePrice(listing: MarketplaceListing, draft: DraftListing): boolean {
  return Math.round(listing.price * 100) === Math.round(draft.price * 100);
}

function isSameList(sent: readonly string[], stored: readonly string[]): boolean {
  return foldList(sent) === foldList(stored);
}

/** In any order, and each word once, as it is sent. */
export function foldList(words: readonly string[]): string {
  return JSON.stringify([...new Set(words.map((word) => foldText(word).toLowerCase()))].sort());
}
