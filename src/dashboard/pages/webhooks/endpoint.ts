import type { z } from 'zod/v3';
import { eventType, type endpointDetail, type EventType } from '../../../../schemas/endpoint.js';
import { RefusedError, type Operations } from '../../operations.js';

export type EndpointDetail = z.output<typeof endpointDetail>;

/** Undefined if no destination is set. */
export function findEndpoint(operations: Operations): Promise<EndpointDetail | undefined> {
  return operations.call('webhook_endpoint_get', {}).catch((cause: unknown) => {
    if (cause instanceof RefusedError && cause.error.code === 'WEBHOOK_NOT_CONFIGURED') return undefined;
    throw cause;
  });
}

/** The events chosen in a form; unknown ones are left out. */
export function readEvents(fields: URLSearchParams): EventType[] {
  return fields.getAll('events').flatMap((text) => eventType.safeParse(text).data ?? []);
}

export const EVENT_WORDS: Record<EventType, string> = {
  'order.paid': 'An order was paid',
  'order.canceled': 'An order was canceled',
  'order.shipped': 'An order was shipped',
  'order.delivered': 'An order was delivered',
  'batch.finished': 'A change of many listings finished',
};

/** The words of a known event; a test event or an older one has only its type. */
export function toEventWords(type: string): string {
  const known = eventType.safeParse(type).data;
  return known ? EVENT_WORDS[known] : type;
}
