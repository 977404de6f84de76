import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose, type App } from '../../src/compose.js';
import { loadConfig } from '../../src/config.js';
import { SANDBOX_APP, SANDBOX_SHOPS, startSandbox } from '../../src/sandbox/index.js';
import { operations } from '../../tools/index.js';
import { fixturePath } from '../service.js';
import { mountSmallDisk, type SmallDisk } from '../small_disk.js';

const SCOPES = ['listings_r', 'listings_w', 'shops_r', 'transactions_r'];
const PHOTOS = [1, 2, 3, 4, 5, 6].map((number) => `photo-0${number}.jpg`);

/** The part of the sandbox's state that was not there at its start. */
export type SandboxState = {
  listings: SandboxListing[];
  fees: { shop_id: number; listing_id: number; kind: string; amount: number }[];
  calls: Record<string, number>;
};
export type SandboxListing = {
  listing_id: number;
  shop_id: number;
  state: string;
  fields: { title: string; tags: string[] };
  images: { rank: number; sha256: string }[];
  videos: unknown[];
  files: { name: string }[];
  properties: { property_id: number; values: string[] }[];
  personalization: unknown[];
  variation_images: { value: string }[];
  translations: { language: string }[];
  inventory: { products: { offering: { price_amount: number } }[] };
};

/** An upload, and what the marketplace shows once it is attached. */
export type Photo = { url: string; sha256: string };

/** Ids used in requests. */
export type Stock = {
  targets: { shop_id: number; shipping_profile_id: number; return_policy_id: number }[];
  photos: Photo[];
  video: string;
  pattern: string;
};

/**
 * A marketplace that outlives every kill, and a data directory whose account has two of its shops connected.
 * No server yet: the test starts and kills it.
 */
export type World = {
  /** For every process of the service. DATA_DIR changes after a restore. */
  environment: Record<string, string> & { DATA_DIR: string };
  /** Holds further data directories. */
  folder: string;
  /** The disk of `folder`, if one was requested and this user may create one. */
  disk: SmallDisk | undefined;
  key: string;
  stock: Stock;
  control<Answer>(method: string, path: string, body?: unknown): Promise<Answer>;
  /** The file that a process started with RECORD_CALLS writes to. */
  calls_file: string;
  /** The port calls it has made so far. */
  readCalls(): Promise<string[]>;
  close(): Promise<void>;
};

/**
 * @param options `disk_mb`: puts the data directory on its own disk of this size, if this user may create one;
 * `settings`: for every process of the service, in addition to the usual ones
 */
export async function openWorld({
  disk_mb,
  settings = {},
}: { disk_mb?: number; settings?: Record<string, string> } = {}): Promise<World> {
  const directory = await mkdtemp(join(tmpdir(), 'crash-'));
  const folder = join(directory, 'service');
  await mkdir(folder);
  const disk = disk_mb === undefined ? undefined : mountSmallDisk(folder, disk_mb);
  const sandbox = await startSandbox({
    database_file: join(directory, 'sandbox.db'),
    control: true,
    rate_per_second: 100_000,
    rate_per_day: 100_000_000,
  });
  const environment = {
    DATA_DIR: join(folder, 'data'),
    PORT: '0',
    LOG_LEVEL: 'error',
    MARKETPLACE: 'etsy',
    ETSY_API_URL: sandbox.url,
    ETSY_KEYSTRING: SANDBOX_APP.keystring,
    ETSY_SHARED_SECRET: SANDBOX_APP.shared_secret,
    RATE_LIMIT_PER_SECOND: '100000',
    RATE_LIMIT_PER_DAY: '100000000',
    MAX_ACTIVATIONS_PER_DAY: 'unlimited',
    RECONCILE_SETTLE_MS: '300',
    UPLOAD_ROOTS: fixturePath(''),
    ...settings,
  };
  const app = await compose(loadConfig({}, environment), { is_http: false });
  const { account_id } = await app.core.accounts.getDefault();
  for (const { shop_id, user_id } of SANDBOX_SHOPS) {
    const { access_token, refresh_token, expires_in } = sandbox.issueGrant(user_id, SCOPES);
    const access_expires_at = new Date(Date.now() + expires_in * 1000).toISOString();
    const tokens = { access_token, refresh_token, access_expires_at, scopes: SCOPES };
    await app.store.tokens.saveTokens({ account_id, shop_id }, tokens);
    await app.core.shops.connect({ account_id, shop_id });
  }
  const { key } = await app.core.accounts.createKey(account_id, 'crash');
  const stock = await readStock(app, account_id);
  await app.close();

  const calls_file = join(directory, 'calls');
  return {
    environment,
    calls_file,
    readCalls: async () => (await readFile(calls_file, 'utf8')).split('\n').slice(0, -1),
    folder,
    disk,
    key,
    stock,
    async control<Answer>(method: string, path: string, body?: unknown) {
      const answer = await fetch(`${sandbox.url}/_sandbox${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`control ${path}: ${answer.status} ${text}`);
      return (text === '' ? undefined : JSON.parse(text)) as Answer;
    },
    async close() {
      await sandbox.close();
      disk?.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function readStock({ service, core }: App, account_id: string): Promise<Stock> {
  const shops = await core.shops.listConnected(account_id);
  const upload = async (name: string, type: string): Promise<string> => {
    const operation = operations.find(({ id }) => id === 'file_upload');
    if (!operation) throw new Error('no operation file_upload');
    const caller = { account_id, credential: 'local', credential_id: 'test' } as const;
    const outcome = await service.invoke(
      operation,
      { value: { path: fixturePath(name), type } },
      { caller, face: 'cli' },
    );
    if (!outcome.ok) throw new Error(outcome.error.error.message);
    return (outcome.output as { url: string }).url;
  };
  return {
    targets: shops.map(({ shop_id, lists }) => ({
      shop_id,
      shipping_profile_id: lists.shipping_profiles[0]?.shipping_profile_id ?? 0,
      return_policy_id: lists.return_policies[0]?.return_policy_id ?? 0,
    })),
    photos: await Promise.all(
      PHOTOS.map(async (name) => ({
        url: await upload(name, 'image'),
        sha256: createHash('sha256')
          .update(await readFile(fixturePath(name)))
          .digest('hex'),
      })),
    ),
    video: await upload('clip.mp4', 'video'),
    pattern: await upload('pattern.pdf', 'digital'),
  };
}
