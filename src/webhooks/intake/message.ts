import { z } from 'zod/v3';
import { type ListingHint, type OrderHint, ORDER_CHANGES } from '../../core/ports/index.js';

/** The shop comes as a number or as text, and older messages carry everything inside `data`. */
const wireMessage = z.object({
  event_type: z.string(),
  resource_url: z.string(),
  shop_id: z.union([z.number().int(), z.string().regex(/^\d{1,15}$/)]).optional(),
});
const nested = z.object({ event_type: z.string().optional(), data: z.object({}).passthrough() });

const RECEIPT = /\/shops\/(\d{1,15})\/receipts\/(\d{1,15})\/?$/;
const LISTINGS = /\/listings\/(\d{1,15})(?=\/|$)/g;
const SHOPS = /\/shops\/(\d{1,15})(?=\/|$)/g;

/** A product is one combination of a listing's variations, so whatever happens to it happens to the listing. */
const LISTING_EVENTS: ReadonlySet<string> = new Set([
  'inventory.created',
  'inventory.updated',
  'inventory.deleted',
  'inventory.out_of_stock',
  'listing.created',
  'listing.updated',
  'listing.deleted',
]);

type Unsigned<Hint> = Omit<Hint, 'webhook_id'>;
export type Subject = { order: Unsigned<OrderHint> } | { listing: Unsigned<ListingHint> };

/**
 * Finds the order or listing that a message of the marketplace is about. Uses only the numbers in the
 * message's address: nothing is ever fetched from an address in a message. Undefined for a message about
 * neither, or with contradictory ids of the shop or the listing.
 */
export function parseMessage(value: unknown): Subject | undefined {
  const message = wireMessage.safeParse(flatten(value));
  if (!message.success) return undefined;
  const { event_type, resource_url, shop_id } = message.data;
  // Older messages are about ORDER_PAID.
  const event = event_type.toLowerCase().replace(/^([a-z]+)_/, '$1.');
  const path = resource_url.split(/[?#]/, 1)[0] ?? '';
  const named = shop_id === undefined ? undefined : Number(shop_id);
  if (LISTING_EVENTS.has(event)) return parseListing(path, named);
  const change = ORDER_CHANGES.find((one) => `order.${one}` === event);
  return change && parseOrder(path, named, change);
}

function parseOrder(path: string, named: number | undefined, change: OrderHint['told']): Subject | undefined {
  const [, shop, receipt] = RECEIPT.exec(path) ?? [];
  if (shop === undefined || receipt === undefined) return undefined;
  if (named !== undefined && named !== Number(shop)) return undefined;
  return { order: { shop_id: Number(shop), receipt_id: Number(receipt), told: change } };
}

/** The address may be that of the listing or of one of its products, with or without the shop. */
function parseListing(path: string, named: number | undefined): Subject | undefined {
  const [listing, ...more] = listNumbers(path, LISTINGS);
  const [shop_id, ...others] = new Set([
    ...(named === undefined ? [] : [named]),
    ...listNumbers(path, SHOPS),
  ]);
  if (listing === undefined || shop_id === undefined || more.length + others.length > 0) return undefined;
  return { listing: { shop_id, listing_id: listing } };
}

function listNumbers(path: string, pattern: RegExp): number[] {
  return [...path.matchAll(pattern)].map(([, digits]) => Number(digits));
}

/** The shop in a message that is about nothing we know; undefined if the message names none. */
export function findShopId(value: unknown): number | undefined {
  const message = wireMessage.safeParse(flatten(value));
  if (!message.success) return undefined;
  const { resource_url, shop_id } = message.data;
  return shop_id === undefined ? listNumbers(resource_url, SHOPS)[0] : Number(shop_id);
}

function flatten(value: unknown): unknown {
  const old = nested.safeParse(value);
  return old.success ? { event_type: old.data.event_type, ...old.data.data } : value;
}
