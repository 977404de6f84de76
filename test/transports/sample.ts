import type { FeeQuestion } from '../../src/core/operations/call.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod/v3';
import { uploadRequest, uploadResult } from '../../schemas/upload.js';
import { createAccounts, type Accounts } from '../../src/core/identity/accounts.js';
import { createConnecting } from '../../src/core/shops/connecting.js';
import type { Core } from '../../src/core/core.js';
import type { Ports } from '../../src/core/ports/index.js';
import { createContinuations } from '../../src/core/operations/continuations.js';
import { createInvoke } from '../../src/core/operations/invoke.js';
import { createLimits } from '../../src/core/operations/limits.js';
import { writeAnswer } from '../../src/core/issues/answers.js';
import { defineOperation, type Operation } from '../../src/core/operations/operation.js';
import type { Store } from '../../src/core/ports/index.js';
import type { Shops } from '../../src/core/shops/shops.js';
import { createGrants } from '../../src/core/identity/grants/grants.js';
import { createSessions } from '../../src/core/identity/sessions.js';
import { createUploads } from '../../src/core/uploads/uploads.js';
import { createBlobFolder } from '../../src/blobs/index.js';
import { createMedia } from '../../src/media/index.js';
import { openStore } from '../../src/store/index.js';
import { createHttpFace, type HttpFaceOptions, type Service } from '../../src/transports/index.js';
import { systemClock } from '../../src/world/clock.js';
import { randomIds } from '../../src/world/ids.js';
import { createLog } from '../../src/world/log.js';
import { systemRandomness } from '../../src/world/randomness.js';
import { getDatabase, removeDatabase } from '../postgres/world.js';

/*
 * A few small operations over a real gate, store and media folder: enough to show everything that a face
 * does.
 */

const common = {
  reach: 'service',
  words: 'own',
  auth: 'key',
  tag: 'Stores',
  errors: [],
  examples: [],
} as const;

const sampleOperations: readonly Operation[] = [
  defineOperation({
    ...common,
    id: 'item_get',
    route: { method: 'GET', path: '/items/{item_id}' },
    effect: 'read',
    title: 'Read an item',
    description: 'Says what it was asked.',
    input: z.object({
      item_id: z.number().int(),
      limit: z.number().int().min(1).default(25),
      is_open: z.boolean().optional(),
      words: z.array(z.string()).optional(),
      name: z.string().optional(),
    }),
    output: z.object({ item_id: z.number().int(), limit: z.number() }).passthrough(),
    headers: { 'cache-control': 'private, max-age=60' },
    run: (_core, input) => Promise.resolve(input),
  }),
  defineOperation({
    ...common,
    id: 'item_create',
    route: { method: 'POST', path: '/items/{item_id}/copies', body: 'json' },
    effect: 'create',
    title: 'Create an item',
    description: 'Says what it was sent.',
    input: z.object({ item_id: z.number().int(), note: z.string() }).passthrough(),
    output: z.object({ received: z.unknown(), idempotency_key: z.string().nullable() }),
    bounds: { note: { maxLength: 20 } },
    status: () => 201,
    examples: [
      {
        summary: "A copy with the seller's note",
        input: { item_id: 1, note: "it's new" },
        output: { received: { note: "it's new" }, idempotency_key: null },
      },
    ],
    run: (_core, received, call) =>
      Promise.resolve({ received, idempotency_key: call.idempotency_key ?? null }),
  }),
  defineOperation({
    ...common,
    id: 'item_delete',
    route: { method: 'DELETE', path: '/items/{item_id}' },
    effect: 'delete',
    title: 'Fail',
    description: 'Always fails in an unexpected way.',
    input: z.object({ item_id: z.number().int() }),
    output: z.object({}),
    run: () => Promise.reject(new Error('the secret of mls_0123456789')),
  }),
  defineOperation({
    ...common,
    id: 'item_update',
    auth: 'key_or_token',
    route: { method: 'PUT', path: '/items', body: 'json' },
    effect: 'update',
    reach: 'marketplace',
    title: 'Take long',
    description: 'Reports progress, asks the person, or waits until the caller goes away.',
    input: z.object({ mode: z.enum(['progress', 'ask', 'wait']) }),
    output: z.object({ answer: z.string() }),
    async run(_core, { mode }, call) {
      if (mode === 'progress') {
        for (const done of [1, 1, 2]) call.onProgress?.({ done, total: 2, message: `step ${done}` });
      }
      if (mode === 'ask') return { answer: (await call.askConsent?.(FEE)) ?? 'cannot ask' };
      if (mode === 'wait') {
        waiting.push(call.face);
        await new Promise((resolve) => {
          if (call.signal?.aborted) resolve(undefined);
          call.signal?.addEventListener('abort', resolve);
        });
        aborted.push(call.face);
      }
      return { answer: mode };
    },
  }),
  defineOperation({
    ...common,
    id: 'file_upload',
    route: { method: 'POST', path: '/uploads', body: 'multipart' },
    effect: 'create',
    title: 'Upload a file',
    description: 'Keeps a file.',
    input: uploadRequest,
    output: uploadResult,
    run: async (core, input, call) => writeAnswer(await core.uploads.create(input, call)),
  }),
];

/** Faces on which item_update started to wait. */
export const waiting: string[] = [];

/** Gives up on a call once item_update waits for it: earlier there would be no wait to end. */
export async function abortWhenWaiting(controller: AbortController, reason?: string): Promise<void> {
  const before = waiting.length;
  while (waiting.length === before) await new Promise((resolve) => setTimeout(resolve, 5));
  controller.abort(reason);
}

/** Faces whose caller disconnected while item_update waited. */
export const aborted: string[] = [];

export type Sample = {
  service: Service;
  store: Store;
  accounts: Accounts;
  key: string;
  account_id: string;
  data_dir: string;
  log: string[];
};

/** Everything is stopped when the test ends. `data_dir`: shares the folder of another sample. */
export async function openSample(
  options: Partial<Service> & { per_second?: number; data_dir?: string } = {},
): Promise<Sample> {
  const data_dir = options.data_dir ?? (await mkdtemp(join(tmpdir(), 'transports-')));
  const lines: string[] = [];
  const log = createLog('debug', { write: (line) => lines.push(line) });
  const world = { clock: options.clock ?? systemClock, ids: randomIds, randomness: systemRandomness, log };
  const url = await getDatabase(data_dir);
  const store = await openStore({
    data_dir,
    ...world,
    database: url === undefined ? undefined : { url, max_connections: 5, clock: options.clock },
  });
  onTestFinished(async () => {
    await store.close();
    if (options.data_dir !== undefined) return;
    await removeDatabase(data_dir);
    await rm(data_dir, { recursive: true });
  });
  const blobs = createBlobFolder(join(data_dir, 'blobs'));
  const media = createMedia({
    blobs,
    staging_dir: join(data_dir, 'staging'),
    thumbnail_dir: join(data_dir, 'thumbnails'),
    egress_allow_cidrs: [],
    user_agent: 'test',
  });
  const base_url = options.base_url ?? 'http://shop.example';
  const accounts = createAccounts({ store, ...world });
  const settings = {
    role: 'both' as const,
    base_url,
    upload_roots: [],
    confirm_spending: true,
    max_activations_per_day: undefined,
    reconcile_settle_ms: 0,
    order_poll_seconds: 60,
    quotas: {
      drafts: 100,
      draft_bytes: 1e6,
      upload_bytes: 1e9,
      open_plans: 100,
      sheets: 100,
      saved_filters: 20,
    },
    retention: { deliveries_days: 90, orders_days: 400, plans_days: 90 },
  };
  const uploads = createUploads({ store, media, blobs, ...world }, settings);
  const docs_url = `${base_url}/docs`;
  const rate_limits = { per_second: options.per_second ?? 10_000, per_day: 100_000 };
  const limits = createLimits(store.rates, world.clock, rate_limits);
  const core = { accounts, uploads } as unknown as Core;
  const invoke = createInvoke({ core, limits, log, docs_url, is_read_only: false });
  const { account_id } = await accounts.getDefault();
  const { key } = await accounts.createKey(account_id, 'test');
  const service: Service = {
    operations: sampleOperations,
    tools: sampleOperations,
    invoke,
    accounts,
    sessions: createSessions({ store, ...world }),
    grants: createGrants({ store, media, ...world }, settings),
    uploads,
    sheets: { readByLink: () => Promise.reject(new Error('the sample makes no sheets')) },
    connecting: createConnecting({ store, ...world } as unknown as Ports, {} as Shops, settings),
    continuations: createContinuations({ store, ...world }),
    window_counts: store.window_counts,
    suggestions: { listShops: () => Promise.resolve([]), listCategories: () => Promise.resolve([]) },
    ...world,
    receiveMarketplaceMessage: () => Promise.resolve(),
    version: '1.2.3',
    is_sandbox: true,
    base_url,
    docs_url,
    is_read_only: false,
    rate_limits,
    mcp_wait_ms: 50_000,
    listTroubles: () => Promise.resolve([]),
    getFigures: async () => ({
      ...(await store.getFigures()),
      marketplace: [
        {
          application: 'installation',
          calls: [{ operation: 'getShop', outcome: '200', count: 3 }],
          left: { per_second: 4, today: undefined },
        },
        {
          application: 'own0key1',
          calls: [{ operation: 'getShop', outcome: '403', count: 1 }],
          left: { per_second: 1, today: 90 },
        },
      ],
      fetches: 2,
      free_disk_bytes: 5_000,
    }),
    ...options,
  };
  return { service, store, accounts, key, account_id, data_dir, log: lines };
}

export async function serveSample(
  options: Parameters<typeof openSample>[0] = {},
  http: Partial<HttpFaceOptions> = {},
) {
  const sample = await openSample(options);
  const face = await createHttpFace(sample.service, {
    host: '127.0.0.1',
    port: 0,
    trust_proxy: false,
    ...http,
  });
  onTestFinished(() => face.close(0));
  const url = `http://127.0.0.1:${face.port}`;
  const headers = { 'x-service-api-key': sample.key };
  return { ...sample, url, port: face.port, headers, face };
}

const FEE: FeeQuestion = {
  shops: [{ shop_id: 1, shop_name: 'ClayAndOak', state: 'draft', fee_usd: 0.2 }],
  total_usd: 0.2,
};
