import { z } from 'zod/v3';
import { ORDER_CHANGES } from '../../core/orders/changes.js';
import type { OrderHint } from '../../core/ports/index.js';

/** The shop comes as a number or as a text, and older messages carry everything inside of `data`. */
const wireMessage = z.object({
  event_type: z.string(),
  resource_url: z.string(),
  shop_id: z.union([z.number().int(), z.string().regex(/^\d{1,15}$/)]).optional(),
});
const nested = z.object({ event_type: z.string().optional(), data: z.object({}).passthrough() });

const SHOP = /\/shops\/(\d{1,15})(?:\/|$)/;
const RESOURCE = /\/shops\/(\d{1,15})\/receipts\/(\d{1,15})\/?$/;

/**
 * Which order a message of the marketplace is about. Of its address only the two numbers are taken: no call fetches what a
 * message says. Undefined for what is about no order, or says two things about the shop.
 */
export function parseMessage(value: unknown): Omit<OrderHint, 'webhook_id'> | undefined {
  const message = wireMessage.safeParse(flatten(value));
  if (!message.success) return undefined;
  const { event_type, resource_url, shop_id } = message.data;
  const told = ORDER_CHANGES.find(
    (change) => `order.${change}` === event_type.toLowerCase().replace('_', '.'),
  );
  const [, shop, receipt] = RESOURCE.exec(resource_url.split(/[?#]/, 1)[0] ?? '') ?? [];
  if (!told || shop === undefined || receipt === undefined) return undefined;
  if (shop_id !== undefined && Number(shop_id) !== Number(shop)) return undefined;
  return { shop_id: Number(shop), receipt_id: Number(receipt), told };
}

/** The shop that a message names, whatever it is about; undefined where it names none, or two. */
export function findShopId(value: unknown): number | undefined {
  const message = wireMessage.safeParse(flatten(value));
  if (!message.success) return undefined;
  const { resource_url, shop_id } = message.data;
  const named = SHOP.exec(resource_url.split(/[?#]/, 1)[0] ?? '')?.[1] ?? shop_id;
  const isSame = shop_id === undefined || Number(named) === Number(shop_id);
  return named !== undefined && isSame ? Number(named) : undefined;
}

function flatten(value: unknown): unknown {
  const old = nested.safeParse(value);
  return old.success ? { event_type: old.data.event_type, ...old.data.data } : value;
}
