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
  'order.canceled': 'An order was cancelled',
  'order.shipped': 'An order was sent',
  'order.delivered': 'An order arrived',
  'batch.finished': 'A change of many listings finished',
};
