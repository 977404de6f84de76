import { setTimeout as delay } from 'node:timers/promises';
import type { ListingJobResult } from '../../schemas/job.js';
import type { Order } from './orders.js';
import type { Server } from './server.js';
import type { World } from './world.js';

const PAUSE_MS = 50;
/** More kills than this between two answers would be no accident. */
const MAX_TRIES = 400;

/** One request, and all that its sender has been told about it. */
export type Sale = { order: Order; job_ids: Set<string>; result: ListingJobResult | undefined };

/**
 * A caller who does what callers should: repeats a request that broke off with the same idempotency key, and finishes with
 * listing_publish what came back as an error.
 */
export type Seller = {
  /** Goes on until every shop of the order is as asked; never rejects. */
  sell(order: Order): Promise<void>;
  /** Throws what went wrong for a seller so far: a refusal, or no end of trying. */
  check(): void;
  sales: readonly Sale[];
  /** What the job is said to be now. */
  ask(job_id: string): Promise<ListingJobResult>;
};

export function createSeller({ key }: World, server: Server): Seller {
  const sales: Sale[] = [];
  const failures: unknown[] = [];

  async function send(method: string, path: string, body?: unknown, idempotency_key?: string) {
    for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
      const url = await server.getUrl();
      const answer = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: {
          'x-service-api-key': key,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(idempotency_key === undefined ? {} : { 'idempotency-key': idempotency_key }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
        .then(async (response) => ({ status: response.status, text: await response.text() }))
        .catch(() => undefined);
      // A port that a killed server had may be another world's by now, where the key is not known.
      if (!answer || answer.status === 401) {
        await delay(PAUSE_MS);
        continue;
      }
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
      return JSON.parse(answer.text) as ListingJobResult;
    }
    throw new Error(`${path} was never answered`);
  }

  return {
    sales,
    ask: (job_id) => send('GET', `/listings/create/${job_id}`),
    sell: (order) => sell(order).catch((failure: unknown) => void failures.push(failure)),
    check() {
      const [failure] = failures;
      if (failure !== undefined) throw failure;
    },
  };

  async function sell(order: Order): Promise<void> {
    const sale: Sale = { order, job_ids: new Set(), result: undefined };
    sales.push(sale);
    const note = (result: ListingJobResult) => {
      if (result.job_id !== undefined) sale.job_ids.add(result.job_id);
      sale.result = result;
      return result.status === 'completed' && result.results?.every(({ status }) => status === 'ok');
    };
    if (note(await send('POST', '/listings/create', order.body, order.key))) {
      if (order.afterwards === undefined) return;
    }
    const state = order.afterwards ?? order.body.state;
    for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
      const path = `/listings/${sale.result?.listing_pk}/publish`;
      if (note(await send('POST', path, { state }))) return;
      await delay(PAUSE_MS);
    }
    throw new Error(`${order.key} never came right: ${JSON.stringify(sale.result)}`);
  }
}
