import type { ListingJobResult } from '../answers.js';
import { setTimeout as delay } from 'node:timers/promises';
import type { z } from 'zod/v3';
import type { listingDetail } from '../../schemas/listing.js';
import type { Order } from './orders.js';
import type { Server } from './server.js';
import type { World } from './world.js';

const PAUSE_MS = 50;
/** More kills than this between two answers would not be a coincidence. */
const MAX_TRIES = 400;
/** Without manual edits in between, an update finishes at the second call at the latest. */
const MAX_CHANGES = 5;

/** One request, and everything its sender was told about it. */
type Sale = {
  order: Order;
  job_ids: Set<string>;
  result: ListingJobResult | undefined;
  /** Made after the restored backup: not to be sent again, as operators.md says. */
  is_unknown: boolean;
};

/** The content of a restored database. */
export type Known = { titles: ReadonlySet<string>; job_ids: ReadonlySet<string> };

/**
 * A well-behaved caller: repeats a request that was cut off, or refused because of a fault of the computer,
 * with the same idempotency key, and finishes failed publishes with listing_publish.
 */
export type Seller = {
  /** Continues until every shop of the order is as requested; never rejects. */
  sell(order: Order): Promise<void>;
  /** Updates the sold listing, and repeats the call until every shop is as requested. */
  change(sale: Sale, changes: object): Promise<void>;
  /** While no server is up: drops the sales the backup does not contain, and requests all others again. */
  startAgain(known: Known): void;
  /** Resolves when every sale is done. */
  finish(): Promise<void>;
  /** Throws the first problem a seller has had so far: a refusal, or too many retries. */
  check(): void;
  sales: readonly Sale[];
  /** Jobs reported to a caller that no restored database contains. */
  countUnknownJobs(): number;
  /** Requests refused because of a full disk or a locked database. */
  countFaults(): number;
  /** The current answer about the job. */
  ask(job_id: string): Promise<ListingJobResult>;
  /** The listing of a sale, with its history. A job's results cover only the shops it published in. */
  getListing(sale: Sale): Promise<ListingDetail>;
};

type ListingDetail = z.output<typeof listingDetail>;
type Answer = { status: number; text: string };
type Request = { method: string; path: string; body?: unknown; idempotency_key?: string };

/**
 * @param options `patience_ms`: how long to wait for an answer before the request is sent again; unlimited by
 * default
 */
export function createSeller(
  { key }: World,
  server: Pick<Server, 'getUrl'>,
  { patience_ms }: { patience_ms?: number } = {},
): Seller {
  const sales: Sale[] = [];
  const failures: unknown[] = [];
  const running = new Map<Sale, Promise<void>>();
  let restores = 0;
  let unknown_jobs = 0;
  let faults = 0;

  async function sendOnce(url: string, { method, path, body, idempotency_key }: Request): Promise<Answer> {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        'x-service-api-key': key,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotency_key === undefined ? {} : { 'idempotency-key': idempotency_key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(patience_ms === undefined ? {} : { signal: AbortSignal.timeout(patience_ms) }),
    });
    return { status: response.status, text: await response.text() };
  }

  async function send<Result = ListingJobResult>(request: Request, sale?: Sale): Promise<Result> {
    for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
      const url = await server.getUrl();
      if (sale?.is_unknown) throw new GivenUpError();
      const restores_before = restores;
      const answer = await sendOnce(url, request).catch(() => undefined);
      const isFault = answer?.status === 500 && isToBeRepeated(answer.text);
      if (isFault) faults += 1;
      // The port of a killed server may since belong to another world, where the key is unknown.
      if (!answer || isFault || answer.status === 401 || restores !== restores_before) {
        await delay(PAUSE_MS);
        continue;
      }
      if (answer.status !== 200) throw new Error(`${request.path} answered ${answer.status}: ${answer.text}`);
      return JSON.parse(answer.text) as Result;
    }
    throw new Error(`${request.path} was never answered`);
  }

  function begin(sale: Sale): Promise<void> {
    const run = (async () => {
      for (let restores_before = -1; restores_before !== restores;) {
        restores_before = restores;
        await sell(sale);
      }
    })()
      .catch((failure: unknown) => {
        if (!(failure instanceof GivenUpError)) failures.push(failure);
      })
      .finally(() => running.delete(sale));
    running.set(sale, run);
    return run;
  }

  async function sell(sale: Sale): Promise<void> {
    const { order } = sale;
    const note = (result: ListingJobResult) => {
      if (result.job_id !== undefined) sale.job_ids.add(result.job_id);
      sale.result = result;
      return result.status === 'completed' && result.results?.every(({ status }) => status === 'ok');
    };
    const creation = { method: 'POST', path: '/listings/create', body: order.body };
    if (note(await send({ ...creation, idempotency_key: order.key }, sale))) {
      if (order.afterwards === undefined) return;
    }
    const state = order.afterwards ?? order.body.state;
    for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
      const path = `/listings/${sale.result?.listing_pk}`;
      const answer = await send({ method: 'POST', path: `${path}/publish`, body: { state } }, sale);
      // A job whose answer was lost has done it, and reports what it did and what it cost.
      const outcome = answer.status === 'unchanged' ? await askLast(path, sale) : answer;
      if (note(outcome)) return;
      await delay(PAUSE_MS);
    }
    throw new Error(`${order.key} never came right: ${JSON.stringify(sale.result)}`);
  }

  async function askLast(path: string, sale: Sale): Promise<ListingJobResult> {
    const { job_id } = await send({ method: 'GET', path }, sale);
    return send({ method: 'GET', path: `/listings/create/${job_id}` }, sale);
  }

  return {
    sales,
    countUnknownJobs: () => unknown_jobs,
    countFaults: () => faults,
    ask: (job_id) => send({ method: 'GET', path: `/listings/create/${job_id}` }),
    getListing: ({ result }) => send({ method: 'GET', path: `/listings/${result?.listing_pk}?history=true` }),
    sell(order) {
      const sale: Sale = { order, job_ids: new Set(), result: undefined, is_unknown: false };
      sales.push(sale);
      return begin(sale);
    },
    async change(sale, changes) {
      const path = `/listings/${sale.result?.listing_pk}`;
      let last: ListingJobResult | undefined;
      for (let attempt = 1; attempt <= MAX_CHANGES; attempt += 1) {
        const answer = await send({ method: 'PATCH', path, body: { changes } }, sale);
        const { status, job_id, results } = answer;
        last = answer;
        if (job_id !== undefined) sale.job_ids.add(job_id);
        const isDone = results?.every((shop) => shop.status === 'ok' || shop.status === 'unchanged');
        if (status === 'completed' && isDone) return;
        await delay(PAUSE_MS);
      }
      throw new Error(`${sale.order.key} was never changed: ${JSON.stringify(last)}`);
    },
    startAgain({ titles, job_ids }) {
      restores += 1;
      for (const sale of sales) {
        sale.is_unknown ||= !titles.has(sale.order.body.listing.title);
        for (const job_id of sale.job_ids) {
          if (!job_ids.has(job_id) && sale.job_ids.delete(job_id)) unknown_jobs += 1;
        }
        if (!sale.is_unknown && !running.has(sale)) void begin(sale);
      }
    },
    async finish() {
      while (running.size > 0) await Promise.all(running.values());
    },
    check() {
      const [failure] = failures;
      if (failure !== undefined) throw failure;
    },
  };
}

class GivenUpError extends Error {}

/** The hint that reports a fault of the service's own computer. */
function isToBeRepeated(text: string): boolean {
  const { error } = JSON.parse(text) as { error: { code: string; hint: string } };
  return error.code === 'INTERNAL' && /repeat the request/i.test(error.hint);
}
