import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { inject, onTestFinished } from 'vitest';
import { compose, type App } from '../../src/compose.js';
import { loadConfig } from '../../src/config.js';
import type { Clock } from '../../src/core/ports/index.js';
import { SANDBOX_APP } from '../../src/sandbox/index.js';
import { systemPorts } from '../../src/sandbox/ports.js';
import { startServer } from '../../src/sandbox/server.js';
import { systemClock } from '../../src/world/clock.js';
import { operations } from '../../tools/index.js';
import { ask, createDatabase, dropDatabase } from '../postgres/databases.js';
import { copyFrozen, FROZEN } from './frozen_folder.js';

/* Opens copies of the frozen data folders; frozen/README.md says how they were made. */

const prefix = inject('postgres_url') === undefined ? 'version_' : 'postgres_';
/** The folders for the engine of this run. */
export const VERSIONS = (await readdir(FROZEN)).filter((name) => name.startsWith(prefix));
export const MINUTE_MS = 60_000;

export type Known = {
  left_at: string;
  keys: Record<'whole' | 'revoked' | 'read_only' | 'second', string>;
  webhook_secret: string;
  upload: string;
  draft: number;
  completed: { listing_pk: number; job_id: string };
  /** Of the job `completed`, whose idempotency key was `first-job`. */
  request: unknown;
  orders: { told: number; pending: number };
  session_cookie: string;
  grant: { access_token: string; refresh_token: string };
  /** The listings of the account `jobs`. */
  jobs: {
    /** Has a finished update. */
    updated: { listing_pk: number; job_id: string };
    /** Has an update in flight. */
    repriced: number;
    /** Has an undo in flight. */
    returned: number;
    failed: number;
    imported_listing_id: number;
    /** Has a copy in flight. */
    copied: number;
    /** Has a change of state in flight. */
    taken_off: number;
  };
};
/** Everything on the marketplace that was not there at its start. */
export type Sold = {
  listings: {
    listing_id: number;
    shop_id: number;
    state: string;
    fields: { title: string };
    images: { rank: number; sha256: string }[];
    inventory: { products: { offering: { price_amount: number } }[] };
  }[];
  fees: { listing_id: number; kind: string }[];
};

export type Frozen = {
  app: App;
  known: Known;
  account_id: string;
  data_dir: string;
  call<Output>(operation_id: string, input?: unknown, account_id?: string): Promise<Output>;
  readSold(): Promise<Sold>;
};

/**
 * The service on a copy of the folder, soon after the folder was left; the marketplace has the same time. Nothing
 * resumes by itself yet.
 */
export async function openFrozen(version: string, { passed_ms = MINUTE_MS } = {}): Promise<Frozen> {
  const folder = await mkdtemp(join(tmpdir(), 'frozen-'));
  await copyFrozen(version, folder);
  const database = await restoreDump(folder);
  const known = JSON.parse(await readFile(join(folder, 'known.json'), 'utf8')) as Known;
  const ahead_ms = Date.parse(known.left_at) + passed_ms - Date.now();
  const clock: Clock = { ...systemClock, now: () => new Date(Date.now() + ahead_ms) };
  const sandbox = await startServer(
    { database_file: join(folder, 'sandbox.db'), control: true, rate_per_second: 1_000 },
    { ...systemPorts, nowMs: () => Date.now() + ahead_ms },
  );
  const data_dir = join(folder, 'data');
  const config = loadConfig(
    {},
    {
      DATA_DIR: data_dir,
      LOG_LEVEL: 'silent',
      MARKETPLACE: 'etsy',
      ETSY_API_URL: sandbox.url,
      ETSY_KEYSTRING: SANDBOX_APP.keystring,
      ETSY_SHARED_SECRET: SANDBOX_APP.shared_secret,
      RECONCILE_SETTLE_MS: '50',
      RATE_LIMIT_PER_SECOND: '1000',
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
      WEBHOOK_ALLOW_HTTP: 'on',
      DATABASE_URL: database?.url,
    },
  );
  const app = await compose(config, { is_http: false, clock });
  onTestFinished(async () => {
    await app.close();
    await sandbox.close();
    await database?.drop();
    await rm(folder, { recursive: true });
  });
  const { account_id } = await app.core.accounts.getDefault();
  return {
    app,
    known,
    account_id,
    data_dir,
    async call<Output>(operation_id: string, input: unknown = {}, of = account_id) {
      const operation = operations.find(({ id }) => id === operation_id);
      if (!operation) throw new Error(`there is no operation ${operation_id}`);
      const caller = { account_id: of, credential: 'local', credential_id: 'test' } as const;
      const outcome = await app.service.invoke(operation, { value: input }, { caller, face: 'cli' });
      if (!outcome.ok) throw new Error(JSON.stringify(outcome.error.error));
      return outcome.output as Output;
    },
    async readSold() {
      const answer = await fetch(`${sandbox.url}/_sandbox/state`);
      return (await answer.json()) as Sold;
    },
  };
}

/** The dump of a PostgreSQL folder, loaded into a database of its own. */
async function restoreDump(folder: string): Promise<{ url: string; drop(): Promise<void> } | undefined> {
  const server = inject('postgres_url');
  if (server === undefined) return undefined;
  const name = `frozen_${randomBytes(8).toString('hex')}`;
  await createDatabase(server, name, 'template0');
  const { href: url } = Object.assign(new URL(server), { pathname: `/${name}` });
  await ask(url, await readFile(join(folder, 'dump.sql'), 'utf8'));
  return { url, drop: () => dropDatabase(server, name) };
}
