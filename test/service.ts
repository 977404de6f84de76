import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose, type App, type ComposeOptions } from '../src/compose.js';
import { loadConfig } from '../src/config.js';
import type { Outcome } from '../src/core/operations/invoke.js';
import { listErrors } from '../src/core/operations/operation.js';
import type { Call } from '../src/core/operations/call.js';
import type { Progress } from '../src/core/ports/index.js';
import { createSandboxHandler, type SandboxHandler } from '../src/sandbox/index.js';
import { systemPorts } from '../src/sandbox/ports.js';
import { operations } from '../tools/index.js';
import { getDatabase, removeDatabase } from './postgres/world.js';
import { makeFolder } from './prepared_folder.js';

export const CLAY = { shop_id: 48213377, shop_name: 'ClayAndOak' };
export const LINEN = { shop_id: 52660914, shop_name: 'NordLinen' };
export const MUGS = 1062;

/**
 * The whole service in this process, on a folder of its own, with a second entry point to its sandbox for
 * reading and manipulating it.
 */
export type TestService = {
  app: App;
  data_dir: string;
  /** Calls an operation as the user of this computer. */
  invoke(operation_id: string, input?: unknown, call?: Partial<Call>): Promise<Outcome>;
  /** The output; throws with the error's message if the call fails. */
  call<Output = Record<string, unknown>>(
    operation_id: string,
    input?: unknown,
    call?: Partial<Call>,
  ): Promise<Output>;
  /** The error's body; throws if the call succeeds. */
  refuse(
    operation_id: string,
    input?: unknown,
    call?: Partial<Call>,
  ): Promise<{ code: string; message: string; hint: string }>;
  /** The sandbox's control routes. */
  control<Answer = unknown>(method: string, path: string, body?: unknown): Promise<Answer>;
  close(options?: { keep?: boolean }): Promise<void>;
};

/**
 * @param options `data_dir`: the folder of a service that was closed with `keep`, to continue with. Without
 * one, and with the computer's clock, the sandbox's shops are connected already.
 */
export async function startService(
  environment: Record<string, string> = {},
  { data_dir: given, ...options }: Omit<ComposeOptions, 'is_http'> & { data_dir?: string } = {},
): Promise<TestService> {
  const data_dir =
    given ??
    (options.clock ? await mkdtemp(join(tmpdir(), 'listing-service-')) : await makeFolder(environment));
  const config = loadConfig(
    {},
    {
      DATA_DIR: data_dir,
      LOG_LEVEL: 'silent',
      RATE_LIMIT_PER_SECOND: '100000',
      RATE_LIMIT_PER_DAY: '10000000',
      SANDBOX_RATE: '10000',
      RECONCILE_SETTLE_MS: '50',
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
      WEBHOOK_ALLOW_HTTP: 'on',
      UPLOAD_ROOTS: join(import.meta.dirname, 'fixtures'),
      DATABASE_URL: await getDatabase(data_dir),
      ...environment,
    },
  );
  const app = await compose(config, { is_http: false, ...options });
  const account = await app.core.accounts.getDefault();
  let sandbox: SandboxHandler | undefined;

  async function invoke(
    operation_id: string,
    input: unknown = {},
    call: Partial<Call> = {},
  ): Promise<Outcome> {
    const operation = operations.find(({ id }) => id === operation_id);
    if (!operation) throw new Error(`there is no operation ${operation_id}`);
    const caller = { account_id: account.account_id, credential: 'local', credential_id: 'test' } as const;
    const outcome = await app.service.invoke(operation, { value: input }, { caller, face: 'cli', ...call });
    if (!outcome.ok && !listErrors(operation).includes(outcome.error.error.code)) {
      throw new Error(`${operation_id} does not declare ${JSON.stringify(outcome.error)}`);
    }
    return outcome;
  }

  return {
    app,
    data_dir,
    invoke,
    async call<Output>(operation_id: string, input?: unknown, call?: Partial<Call>) {
      const outcome = await invoke(operation_id, input, call);
      if (!outcome.ok) throw new Error(JSON.stringify(outcome.error.error));
      return outcome.output as Output;
    },
    async refuse(operation_id, input, call) {
      const outcome = await invoke(operation_id, input, call);
      if (outcome.ok) throw new Error(`not refused: ${JSON.stringify(outcome.output)}`);
      return outcome.error.error;
    },
    async control<Answer>(method: string, path: string, body?: unknown) {
      sandbox ??= createSandboxHandler(
        { database_file: join(data_dir, 'sandbox.db'), origin: 'http://sandbox.test', control: true },
        systemPorts,
      );
      const answer = await sandbox.handle({
        method,
        url: `/_sandbox${path}`,
        headers: { 'content-type': 'application/json' },
        body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
      });
      if (typeof answer === 'string') throw new Error(`control ${path}: ${answer}`);
      const text = String(answer.body ?? '');
      if (answer.status >= 400) throw new Error(`control ${path}: ${answer.status} ${text}`);
      return (text === '' ? undefined : JSON.parse(text)) as Answer;
    },
    async close({ keep = false } = {}) {
      await app.close();
      await sandbox?.close();
      if (keep) return;
      await removeDatabase(data_dir);
      await rm(data_dir, { recursive: true, force: true });
    },
  };
}

export function fixturePath(name: string): string {
  return join(import.meta.dirname, 'fixtures', name);
}

/** Uploads a fixture and returns its service-upload:// URL. */
export async function upload(service: TestService, name: string, type = 'image'): Promise<string> {
  const { url } = await service.call<{ url: string }>('file_upload', { path: fixturePath(name), type });
  return url;
}

/** Ids of the seeded shops that a physical listing needs. */
export const TARGETS = {
  clay: { shop_id: CLAY.shop_id, shipping_profile_id: 211740301, return_policy_id: 1142500101 },
  linen: { shop_id: LINEN.shop_id, shipping_profile_id: 223915882, return_policy_id: 1158300402 },
} as const;

/** A physical target for each seeded shop, with ids read from the service itself. */
export async function listTargets(service: TestService) {
  const shops = await Promise.all(
    [CLAY, LINEN].map(({ shop_id }) =>
      service
        .call<{
          shipping_profiles: { shipping_profile_id: number }[];
          return_policies: { return_policy_id: number }[];
        }>('store_sync', { shop_id })
        .then((store) => ({ ...store, shop_id })),
    ),
  );
  return shops.map(({ shop_id, shipping_profiles, return_policies }) => ({
    shop_id,
    shipping_profile_id: shipping_profiles[0]?.shipping_profile_id ?? 0,
    return_policy_id: return_policies[0]?.return_policy_id ?? 0,
  }));
}

/** The smallest valid request for the given shops. */
export function buildMug(shops: readonly object[], more: Record<string, unknown> = {}) {
  return {
    shops,
    listing: {
      title: 'Stoneware mug',
      description: 'A mug.',
      listing_type: 'physical',
      taxonomy_id: MUGS,
      price: 24.5,
      quantity: 4,
      who_made: 'i_did',
      when_made: 'made_to_order',
      is_supply: false,
    },
    ...more,
  };
}

export function collectProgress(): { messages: string[]; onProgress: (progress: Progress) => void } {
  const messages: string[] = [];
  return { messages, onProgress: ({ message }) => messages.push(message) };
}
