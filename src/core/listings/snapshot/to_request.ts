import { FORM_IMAGES, FORM_VIDEOS } from './shown_ids.js';
import type { Warning } from '../../../../schemas/job.js';
import type { ListingRequest, ShopTarget } from '../../../../schemas/listing_request.js';
import type { ListingSnapshot } from '../../ports/listing/snapshot.js';
import type { Inventory, MarketplaceListing } from '../../ports/marketplace_listing.js';
import { MARKETPLACE_FACTS } from '../../../../schemas/marketplace_facts.js';
import type { FieldName } from '../../../../schemas/listing_fields.js';
import { getRow, isFieldName, MADE, OF_LISTING, OF_SHOP, setAt, toName } from '../listing_fields.js';
import { toSource } from '../rules/html.js';
import { listFormWarnings } from './form_gaps.js';
import { hasVariations } from './read.js';
import { toOwnVariations } from './to_variations.js';

/** URLs of the original photos and videos, by listing_image_id and video_id. */
export type KnownMedia = { images: ReadonlyMap<number, string>; videos: ReadonlyMap<number, string> };

/** `warnings`: about data a request cannot express, which therefore stays only in the shop. */
export type OwnForm = { request: ListingRequest; warnings: Warning[] };

/**
 * A shop's listing in the form that listing_create accepts. Names a photo whose bytes are stored nowhere else by
 * the marketplace's own URL. Returns undefined for a listing without a category, which cannot be managed here.
 */
export function toRequest(
  shop_id: number,
  snapshot: ListingSnapshot,
  media: KnownMedia,
): OwnForm | undefined {
  const { listing, images, videos } = snapshot;
  if (listing.taxonomy_id === null) return undefined;
  const { variations, processing_profile_id, ...selling } = toProducts(snapshot);
  const photos = images.slice(0, FORM_IMAGES).map(({ listing_image_id, url_fullxfull, alt_text }) => ({
    url: media.images.get(listing_image_id) ?? url_fullxfull,
    ...(alt_text !== '' && { alt_text }),
  }));
  const films = videos.slice(0, FORM_VIDEOS).flatMap(({ video_id, video_url }) => {
    const url = media.videos.get(video_id) ?? video_url;
    return url === null ? [] : [{ url }];
  });
  const category_attributes = toAttributes(snapshot);
  const personalization = toPersonalization(snapshot);
  const request: ListingRequest = {
    state: listing.state === 'draft' ? 'publish' : 'active',
    shops: [toTarget(shop_id, listing, processing_profile_id)],
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the fields of the table, those that are required among them
    listing: {
      ...toGiven(listing, OF_LISTING),
      description: toSource(listing.description),
      listing_type: listing.listing_type === 'digital' ? 'digital' : 'physical',
      ...selling,
    } as ListingRequest['listing'],
    ...(photos.length > 0 && { images: photos }),
    ...(films.length > 0 && { videos: films }),
    ...(personalization && { personalization }),
    ...(category_attributes && { category_attributes }),
    ...(variations && { variations }),
  };
  return { request, warnings: listFormWarnings(snapshot, request) };
}

type Products = Pick<ListingRequest, 'variations'> &
  Pick<ListingRequest['listing'], 'price' | 'quantity' | 'sku'> &
  Pick<ShopTarget, 'processing_profile_id'>;

/** Variations, if a request can express them. Otherwise only the listing's lowest price and total stock remain. */
function toProducts(snapshot: ListingSnapshot): Products {
  const { inventory, listing } = snapshot;
  const profiles = new Set(inventory.products.map(({ readiness_state_id }) => readiness_state_id));
  const [profile] = profiles;
  const shared = profiles.size === 1 && typeof profile === 'number' ? { processing_profile_id: profile } : {};
  const [only] = inventory.products;
  if (only && !hasVariations(inventory)) {
    const { price, quantity, sku } = only;
    return { price, quantity, ...(sku !== '' && { sku }), ...shared };
  }
  const own = toOwnVariations(snapshot, profiles.size > 1);
  if (!own) return { price: listing.price, quantity: listing.quantity, ...shared };
  const price = findOnePrice(inventory);
  if (price === undefined) return { variations: own, ...shared };
  // A single price for all offerings becomes the listing's, so that a shop can have its own.
  const offerings = (own.offerings ?? []).map(({ price: _, ...offering }) => offering);
  return { variations: { ...own, offerings }, price, ...shared };
}

function findOnePrice({ products }: Inventory): number | undefined {
  const prices = new Set(products.map(({ price }) => price));
  return prices.size === 1 ? [...prices][0] : undefined;
}

function toTarget(
  shop_id: number,
  listing: MarketplaceListing,
  processing_profile_id: number | undefined,
): ShopTarget {
  return {
    shop_id,
    ...toGiven(listing, OF_SHOP),
    ...(processing_profile_id !== undefined && { processing_profile_id }),
  };
}

/** The listing's fields by their names in a request, if they have values it can express. */
function toGiven(listing: MarketplaceListing, fields: readonly FieldName[]): Record<string, unknown> {
  const values: Partial<Record<FieldName, unknown>> = { ...listing };
  const isGiven = (field: string) => {
    const value = isFieldName(field) ? values[field] : undefined;
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
  };
  const isMadeKnown = isKnownMaker(listing.who_made) && MADE.every(isGiven);
  const given = fields.filter((field) => {
    const { part, together, unit_of } = getRow(field);
    return (
      part === 'fields' &&
      isGiven(field) &&
      (together === undefined || isMadeKnown) &&
      (unit_of === undefined || unit_of.some(isGiven))
    );
  });
  const request: Record<string, unknown> = {};
  for (const field of given) setAt(request, toName(field), values[field]);
  return request;
}

function isKnownMaker(who_made: string | null): boolean {
  return MARKETPLACE_FACTS.who_made.some((known) => known === who_made);
}

/** Category attributes; properties that vary belong to the variations. */
function toAttributes({ attributes, inventory }: ListingSnapshot): ListingRequest['category_attributes'] {
  const varied = new Set(
    inventory.products.flatMap(({ property_values }) =>
      property_values.map(({ property_id }) => property_id),
    ),
  );
  const own = attributes.filter(
    ({ property_id, value_ids, values }) => !varied.has(property_id) && value_ids.length + values.length > 0,
  );
  if (own.length === 0) return undefined;
  return Object.fromEntries(
    own.map(({ property_id, value_ids, values, scale_id }) => [
      String(property_id),
      {
        ...withItems('value_ids', value_ids),
        ...(values.length > 0 &&
          (value_ids.length === 0 || value_ids.length === values.length) && { values }),
        ...(typeof scale_id === 'number' && { scale_id }),
      },
    ]),
  );
}

/** The first free-text question. */
function toPersonalization({ questions }: ListingSnapshot): ListingRequest['personalization'] {
  const question = questions.find(({ question_type }) => question_type === 'text_input');
  if (!question) return undefined;
  const { required, instructions, max_allowed_characters } = question;
  return {
    enabled: true,
    is_required: required,
    ...(instructions !== null && instructions !== '' && { instructions }),
    ...(max_allowed_characters !== null && { max_chars: max_allowed_characters }),
  };
}

function withItems<Key extends string, Item>(key: Key, items: readonly Item[]): { [K in Key]?: Item[] } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a computed key is of any name to the compiler
  return (items.length > 0 ? { [key]: [...items] } : {}) as { [K in Key]?: Item[] };
}
