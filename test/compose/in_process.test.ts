import type { ListingJobResult } from '../answers.js';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SCOPES, type Network } from '../../src/marketplace/index.js';
import { systemPorts } from '../../src/sandbox/ports.js';
import {
  createSandboxHandler,
  SANDBOX_APP,
  SANDBOX_SHOPS,
  type SandboxHandler,
} from '../../src/sandbox/index.js';
import { systemClock } from '../../src/world/clock.js';
import { connectInProcess } from '../in_process.js';
import { buildMug, listTargets, startService, upload, type TestService } from '../service.js';

const LATER_MS = 600_000;
const ENVIRONMENT = {
  MARKETPLACE: 'etsy',
  // Nothing listens there.
  ETSY_API_URL: 'http://127.0.0.1:9',
  ETSY_KEYSTRING: SANDBOX_APP.keystring,
  ETSY_SHARED_SECRET: SANDBOX_APP.shared_secret,
};

let handler: SandboxHandler;
let data_dir: string;
const services: TestService[] = [];

beforeEach(async () => {
  const options = { database_file: ':memory:', origin: 'http://marketplace.test', control: true };
  handler = createSandboxHandler({ ...options, settings: { rate_per_second: 10_000 } }, systemPorts);
  data_dir = await mkdtemp(join(tmpdir(), 'in-process-'));
});
afterEach(async () => {
  for (const service of services.splice(0)) await service.close({ keep: true });
  await handler.close();
  await rm(data_dir, { recursive: true });
});

async function open(network: Network, ahead_ms = 0): Promise<TestService> {
  const clock = { ...systemClock, now: () => new Date(Date.now() + ahead_ms) };
  const service = await startService(ENVIRONMENT, { data_dir, clock, openNetwork: () => network });
  services.push(service);
  return service;
}

async function connectShops({ app }: TestService): Promise<void> {
  const { account_id } = await app.core.accounts.getDefault();
  for (const { shop_id, user_id } of SANDBOX_SHOPS) {
    const shop = { account_id, shop_id };
    const { access_token, refresh_token } = handler.issueGrant(user_id, SCOPES);
    // Already expired, so the first call needs the token endpoint.
    const access_expires_at = new Date(0).toISOString();
    const tokens = { access_token, refresh_token, access_expires_at, scopes: [...SCOPES] };
    await app.store.tokens.saveTokens(shop, tokens);
    await app.core.shops.connect(shop);
  }
}

async function look(): Promise<{ listings: { state: string; images: unknown[] }[]; fees: unknown[] }> {
  const outcome = await handler.handle({ method: 'GET', url: '/_sandbox/state', headers: {} });
  if (typeof outcome === 'string') throw new Error(outcome);
  return JSON.parse(String(outcome.body)) as Awaited<ReturnType<typeof look>>;
}

it('if one of two programs in a process dies during a call, the other finishes its job once, without a socket', async () => {
  const network = connectInProcess(handler);
  const events = new EventEmitter();
  const reached = once(events, 'reached');
  const doomed = await open({
    ...network,
    async exchange(request, progress, signal) {
      const answer = await network.exchange(request, progress, signal);
      if (!request.path.endsWith('/images') || request.method !== 'POST') return answer;
      // The photo has arrived, and the program never learns of it.
      events.emit('reached');
      return new Promise(() => undefined);
    },
  });
  await connectShops(doomed);
  const other = await open(network, LATER_MS);
  const photo = await upload(doomed, 'photo-01.jpg');
  const [target = {}] = await listTargets(doomed);
  const { job_id } = await doomed.call<ListingJobResult>(
    'listing_create',
    buildMug([target], { state: 'active', images: [{ url: photo }] }),
    { wait_ms: 0 },
  );
  await reached;
  services.splice(services.indexOf(doomed), 1);
  doomed.app.drop();

  await other.app.core.listings.resume();
  const { account_id } = await other.app.core.accounts.getDefault();
  const find = async () => (await other.app.store.listings.findJob(account_id, String(job_id)))?.status;
  await expect.poll(find, { timeout: 20_000 }).toBe('completed');
  const { listings, fees } = await look();
  expect(listings.map(({ state, images }) => [state, images.length])).toEqual([['active', 1]]);
  expect(fees).toHaveLength(1);
});
