import type { ListingJobResult } from '../answers.js';
import { readFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ErrorBody } from '../../schemas/error.js';
import type { Stock } from '../crash/world.js';
import { buildMug, fixturePath } from '../service.js';
import { createStatelessClient } from '../transports/mcp/stateless_client.js';
import type { Account } from './accounts.js';
import type { SeenCall } from './counted_calls.js';
import type { OnceMore } from './fetch_once_more.js';

/**
 * The way a caller reaches the service: REST with or without Idempotency-Key, or MCP with or without a
 * handshake.
 */
export const WAYS = ['rest_with_key', 'rest', 'handshake', 'stateless'] as const;
export type Way = (typeof WAYS)[number];

/** A listing as last reported to its caller. */
export type Told = {
  account: Account;
  title: string;
  state: 'draft' | 'publish' | 'active';
  last: ListingJobResult;
};
type ToldUpload = { account: Account; url: string; sha256: string };
type ToldWebhook = { account: Account; url: string };

/** The answers of all callers. */
export type Records = {
  calls: SeenCall[];
  listings: Told[];
  uploads: ToldUpload[];
  /** The last one of each account. */
  webhooks: Map<string, ToldWebhook>;
  /** Calls refused for any reason except the limit, and calls that failed twice. A sentence each. */
  failures: string[];
};

export type Caller = {
  /** Makes calls until the end; never rejects. */
  run(over: AbortSignal): Promise<void>;
  close(): Promise<void>;
};

type Answer = { output: Record<string, unknown> } | { error: ErrorBody['error'] };
/** One way of calling an operation. */
type Send = (operation: string, input: Record<string, unknown>, key?: string) => Promise<Answer>;

type Environment = { url: string; account: Account; stock: Stock; once_more: OnceMore; records: Records };

/**
 * The pause between two calls; several callers of one account together come near its limit, and now and then
 * exceed it.
 */
const PAUSE_MS = 3_600;
const JITTER_MS = 1_000;
/** The pause after a rate-limit error. */
const LIMITED_MS = 600;

export async function openCaller(name: string, way: Way, environment: Environment): Promise<Caller> {
  const { account, stock, records } = environment;
  const opened = await open(way, environment);
  // Callers using the same way are at different turns.
  let count = (name.codePointAt(0) ?? 0) % 4;

  /** Repeats calls refused by the limit; throws any other error. */
  async function call(operation: string, input: Record<string, unknown>, key?: string) {
    for (;;) {
      const sent_ms = Date.now();
      const answer = await opened.send(operation, input, key);
      const isLimited = 'error' in answer && answer.error.code === 'RATE_LIMIT_SECOND';
      records.calls.push({
        account_id: account.account_id,
        sent_ms,
        answered_ms: Date.now(),
        is_limited: isLimited,
      });
      if ('output' in answer) return answer.output;
      if (!isLimited) throw new Error(`${operation} answered ${answer.error.code}: ${answer.error.message}`);
      await delay(LIMITED_MS);
    }
  }

  async function rest(): Promise<void> {
    // So that callers do not run in step, but alike in each run.
    await delay(
      PAUSE_MS + ((createHash('sha256').update(`${name}/${count}`).digest()[0] ?? 0) / 255) * JITTER_MS,
    );
  }

  async function create(state: Told['state']): Promise<Told> {
    const title = `mug ${name} ${count}`;
    const shops = stock.targets.slice(0, 1);
    const body = buildMug(shops, { state, images: [{ url: account.photo }] });
    const listing = { ...body, listing: { ...body.listing, title, description: `A mug: ${title}.` } };
    const last = (await call(
      'listing_create',
      listing,
      way === 'rest_with_key' ? title.replaceAll(' ', '-') : undefined,
    )) as ListingJobResult;
    const answered = { account, title, state, last };
    records.listings.push(answered);
    await follow(answered);
    return answered;
  }

  async function follow(answered: Told): Promise<void> {
    while (answered.last.status === 'processing') {
      await rest();
      answered.last = (await call('listing_create_status', {
        job_id: answered.last.job_id,
      })) as ListingJobResult;
    }
  }

  async function publish(answered: Told): Promise<void> {
    answered.last = (await call('listing_publish', {
      listing_pk: answered.last.listing_pk,
      state: 'active',
    })) as ListingJobResult;
    answered.state = 'active';
    await follow(answered);
  }

  async function upload(): Promise<void> {
    const pattern = await readFile(fixturePath('pattern.pdf'));
    const bytes = Buffer.concat([pattern, Buffer.from(`\n% ${name} ${count}\n`)]);
    const { url } = await call('file_upload', {
      type: 'digital',
      file: bytes.toString('base64'),
      filename: 'pattern.pdf',
    });
    records.uploads.push({
      account,
      url: String(url),
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
  }

  async function setWebhook(): Promise<void> {
    const url = `https://example.com/${name.replaceAll(' ', '-')}/${count}`;
    await call('webhook_endpoint_set', { url });
    records.webhooks.set(account.account_id, { account, url });
    await rest();
    const answer = await call('webhook_endpoint_get', {});
    if (answer['url'] !== url) throw new Error(`the webhook is ${String(answer['url'])}, not ${url}`);
  }

  const list = () => call('listings_list', { limit: 5 });

  /** A caller's actions in turn: mostly quick calls, so the marketplace is not the bottleneck. */
  const turns: Record<Way, readonly (() => Promise<unknown>)[]> = {
    rest_with_key: [
      () => create('draft'),
      // More than the account may make at once.
      () => Promise.all([list(), list(), list()]),
      () => create('active'),
      list,
    ],
    rest: [setWebhook, () => create('draft'), upload, async () => publish(await create('draft'))],
    handshake: [() => create('draft'), list, list, () => create('draft'), list, () => create('publish')],
    stateless: [() => create('draft'), list, list, () => create('draft'), list, () => create('publish')],
  };

  return {
    async run(over) {
      await delay(Math.floor(((createHash('sha256').update(name).digest()[1] ?? 0) / 255) * PAUSE_MS));
      while (!over.aborted) {
        count += 1;
        const own = turns[way];
        await own[count % own.length]?.().catch((error: unknown) => {
          records.failures.push(`${name}, ${count}: ${String(error)} ${describe(error)}`);
        });
        await rest();
      }
    },
    close: opened.close,
  };
}

const closeNothing = () => Promise.resolve();

type Opened = { send: Send; close: Caller['close'] };

async function open(way: Way, { url, account, once_more }: Environment): Promise<Opened> {
  const headers = { 'x-service-api-key': account.key };
  if (way === 'handshake') return openWithHandshake(url, headers, once_more);
  if (way === 'stateless') {
    const client = createStatelessClient(url, headers, {}, once_more.fetch);
    return {
      close: closeNothing,
      async send(operation, input) {
        const { answer } = await client.callTool(operation, input);
        if (!answer.result) throw new Error(JSON.stringify(answer.error));
        return toAnswer(answer.result);
      },
    };
  }
  return { close: closeNothing, send: buildRest(url, headers, once_more) };
}

async function openWithHandshake(
  url: string,
  headers: Record<string, string>,
  once_more: OnceMore,
): Promise<Opened> {
  const client = new Client({ name: 'caller', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers },
    fetch: once_more.fetch,
  });
  await client.connect(transport);
  return {
    send: async (name, input) => toAnswer(await client.callTool({ name, arguments: input })),
    close: () => client.close(),
  };
}

const ROUTES: Record<string, (input: Record<string, unknown>) => [method: string, path: string]> = {
  listing_create: () => ['POST', '/listings/create'],
  listing_create_status: ({ job_id }) => ['GET', `/listings/create/${String(job_id)}`],
  listing_publish: ({ listing_pk }) => ['POST', `/listings/${String(listing_pk)}/publish`],
  listings_list: ({ limit }) => ['GET', `/listings?limit=${String(limit)}`],
  file_upload: () => ['POST', '/uploads'],
  webhook_endpoint_set: () => ['PUT', '/webhooks/endpoint'],
  webhook_endpoint_get: () => ['GET', '/webhooks/endpoint'],
};

function buildRest(url: string, headers: Record<string, string>, once_more: OnceMore): Send {
  return async (operation, input, key) => {
    const [method, path] = ROUTES[operation]?.(input) ?? ['GET', '/'];
    const { listing_pk: _in_path, ...fields } = input;
    const hasForm = operation === 'file_upload';
    const body = hasForm ? toForm(fields) : JSON.stringify(fields);
    const response = await once_more.fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        ...headers,
        ...(hasForm || method === 'GET' ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(method === 'GET' ? {} : { body }),
    });
    const text = await response.text();
    const answered = JSON.parse(text) as Record<string, unknown>;
    return response.ok ? { output: answered } : { error: (answered as ErrorBody).error };
  };
}

function toForm({ file, filename, type }: Record<string, unknown>): FormData {
  const form = new FormData();
  form.set('type', String(type));
  form.set('file', new Blob([Buffer.from(String(file), 'base64')]), String(filename));
  return form;
}

function toAnswer(result: Record<string, unknown>): Answer {
  if (result['isError'] !== true)
    return { output: (result['structuredContent'] ?? {}) as Record<string, unknown> };
  const [first] = result['content'] as { text: string }[];
  return JSON.parse(first?.text ?? '') as ErrorBody;
}

function describe(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error ? `(${error.cause.message})` : '';
}
