import type { Answer } from '../requests/call.js';
import type { SandboxPorts } from '../ports.js';
import { listProperties, listQuestions } from '../store/attachments.js';
import type { Database } from '../store/database.js';
import type { Product } from '../store/inventory.js';
import { findListing } from '../store/listings.js';
import { listPictures } from '../store/pictures.js';
import { findSubscription, saveMessage } from '../store/webhook_messages.js';

type World = { db: Database; ports: SandboxPorts; now_ms: number };

/** The parts of a listing that have events, each as text, so that two states can be compared. */
type View = { shop_id: number; content: string; products: ReadonlyMap<string, ProductView> };
type ProductView = { product_id: number; content: string; quantity: number };

type ListingEvent = { event_type: string; resource: string };

/**
 * Runs a function that may change a listing, and notifies the subscriber of the changes: an event for a
 * listing if something that buyers read has changed, and one for a product (one combination of a listing's
 * variations) if its price, SKU, processing profile or stock has changed.
 * @param listing_id of an existing listing; undefined if `run` creates some, which its result names
 */
export function announceListings(world: World, listing_id: number | undefined, run: () => Answer): Answer {
  const { db, ports, now_ms } = world;
  if (!findSubscription(db)) return run();
  const before = listing_id === undefined ? undefined : viewListing(db, listing_id);
  const answer = run();
  for (const id of listing_id === undefined ? listMade(answer) : [listing_id]) {
    const after = viewListing(db, id);
    const shop_id = (after ?? before)?.shop_id;
    if (shop_id === undefined) continue;
    for (const { event_type, resource } of listEvents(id, before, after)) {
      const message_id = `msg_${ports.randomText()}`;
      saveMessage(db, { message_id, event_type, shop_id, resource, due_at: now_ms });
    }
  }
  return answer;
}

function listMade({ status, body }: Answer): number[] {
  if (status >= 300 || typeof body !== 'object' || body === null) return [];
  if ('listing_ids' in body && Array.isArray(body.listing_ids)) return body.listing_ids.map(Number);
  return 'listing_id' in body ? [Number(body.listing_id)] : [];
}

function viewListing(db: Database, listing_id: number): View | undefined {
  const listing = findListing(db, listing_id);
  if (!listing) return undefined;
  const { title, description, taxonomy_id } = listing.fields;
  const images = listPictures(db, listing_id).map((image) => [image.listing_image_id, image.alt_text]);
  const questions = listQuestions(db, listing_id);
  const attributes = listProperties(db, listing_id);
  return {
    shop_id: listing.shop_id,
    content: JSON.stringify([title, description, taxonomy_id, listing.state, images, questions, attributes]),
    products: new Map(listing.inventory.products.map((product) => [toKey(product), viewProduct(product)])),
  };
}

function viewProduct({ product_id, sku, offering }: Product): ProductView {
  const { quantity, price_amount, is_enabled, readiness_state_id } = offering;
  return {
    product_id,
    quantity,
    content: JSON.stringify([sku, price_amount, is_enabled, readiness_state_id]),
  };
}

/** Ids of products are new after each write; their combination of values stays the same. */
function toKey({ property_values }: Product): string {
  return JSON.stringify(property_values.map(({ property_id, values }) => [property_id, values]));
}

function listEvents(listing_id: number, before: View | undefined, after: View | undefined): ListingEvent[] {
  const resource = `listings/${listing_id}`;
  const events: ListingEvent[] = [];
  if (!before && after) events.push({ event_type: 'listing.created', resource });
  if (before && !after) events.push({ event_type: 'listing.deleted', resource });
  if (before && after && before.content !== after.content) {
    events.push({ event_type: 'listing.updated', resource });
  }
  const keys = new Set([...(before?.products.keys() ?? []), ...(after?.products.keys() ?? [])]);
  for (const key of keys) {
    const [old, now] = [before?.products.get(key), after?.products.get(key)];
    const product = `${resource}/inventory/products/${(now ?? old)?.product_id ?? 0}`;
    for (const event_type of listProductEvents(old, now)) events.push({ event_type, resource: product });
  }
  return events;
}

function listProductEvents(before: ProductView | undefined, after: ProductView | undefined): string[] {
  if (!after) return ['inventory.deleted'];
  const hasSoldOut = after.quantity === 0 && before !== undefined && before.quantity > 0;
  return [
    ...(before ? [] : ['inventory.created']),
    ...(before && before.content !== after.content ? ['inventory.updated'] : []),
    ...(hasSoldOut ? ['inventory.out_of_stock'] : []),
  ];
}
