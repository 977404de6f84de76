import type { ListingJobResult } from '../../../answers.js';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Hold } from '../../../../src/core/listings/jobs/hold.js';
import { createMeter } from '../../../../src/core/listings/jobs/meter.js';
import { createJobRunner } from '../../../../src/core/listings/jobs/run_job.js';
import { StoreUnavailableError, type Clock, type Marketplace } from '../../../../src/core/ports/index.js';
import { openNetwork, type Network } from '../../../../src/marketplace/http/network.js';
import { openAddon } from '../../../../src/sqlite.js';
import { systemClock } from '../../../../src/world/clock.js';
import { startDatabaseProxy } from '../../../crash/instances/database_proxy.js';
import { getDatabase } from '../../../postgres/world.js';
import { buildListing } from '../../../store/samples/listing_samples.js';
import { createTwoAccounts, openWorld } from '../../../store/world.js';
import { buildMug, listTargets, startService, upload } from '../../../service.js';

/** Longer than a claim, by the services' clock. */
const CUT_OFF_MS = 60_000;
const PATIENCE_MS = 20_000;
const SPEED = 20;

type World = { listings: { images: unknown[] }[]; calls: Record<string, number> };

it(
  'stops sending in a process cut off from its database before another one adopts its job',
  { timeout: 60_000 },
  async () => {
    const prepared = await startService();
    const { data_dir } = prepared;
    const [target] = await listTargets(prepared);
    const photo = await upload(prepared, 'photo-01.jpg');
    await prepared.close({ keep: true });

    const clock = createFastClock();
    const way = await openWayToDatabase(data_dir);
    const line = openSlowLine();
    const cut_off = await startService(way.settings, { data_dir, clock, openNetwork: line.open });
    onTestFinished(() => cut_off.close({ keep: true }));
    const other = await startService({}, { data_dir, clock });
    onTestFinished(() => other.close());
    onTestFinished(line.release);
    const body = buildMug([target as object], { state: 'publish', images: [{ url: photo }] });
    const { job_id } = await cut_off.call<ListingJobResult>('listing_create', body, { wait_ms: 1 });
    await line.sending;
    const heal = way.cut();
    await other.app.core.listings.resume();
    await clock.sleep(CUT_OFF_MS);
    heal();
    const find = () => other.call<ListingJobResult>('listing_create_status', { job_id });
    await expect.poll(async () => (await find()).status, { timeout: PATIENCE_MS }).toBe('completed');
    // Delayed calls would arrive now.
    line.release();
    await expect.poll(() => cut_off.app.core.listings.countRunning(), { timeout: PATIENCE_MS }).toBe(0);
    const { listings, calls } = await other.control<World>('GET', '/state');
    expect(listings.map(({ images }) => images.length)).toEqual([1]);
    expect(calls['uploadListingImage']).toBe(1);
  },
);

it('does not release an expired claim, because the marketplace may still complete the interrupted call', async () => {
  const { store, log } = await openWorld();
  const { mine } = await createTwoAccounts(store);
  const created = await store.listings.createListing(buildListing(mine, { job_id: 'job_1' }), 600_000);
  if (created.match !== 'created') throw new Error('it was there');
  // A database that does not answer.
  const listings = { ...store.listings, renewClaim: () => new Promise<void>(() => undefined) };
  const marketplace = createPassiveMarketplace();
  const ports = { store: { ...store, listings }, marketplace, clock: createFastClock(), log };
  const runners = { publish: loseDatabase, update: loseDatabase, import: loseDatabase, batch: loseDatabase };
  const run = createJobRunner(ports, runners, new AbortController().signal);
  await expect(run(mine, 'job_1', createMeter())).rejects.toThrow(StoreUnavailableError);
  expect(await store.listings.listClaimableJobs()).toEqual([]);
  expect(await store.listings.claimJob(mine, 'job_1', 30_000)).toBeUndefined();
});

const fail = () => Promise.reject(new StoreUnavailableError('the disk is full'));

it("releases the claim of a job as soon as the database accepts it, however late its expiry by the process's clock", async () => {
  const { store, log } = await openWorld();
  const { mine } = await createTwoAccounts(store);
  const created = await store.listings.createListing(buildListing(mine, { job_id: 'job_1' }), 600_000);
  if (created.match !== 'created') throw new Error('it was there');
  let isFull = true;
  const releaseClaim: typeof store.listings.releaseClaim = (claim) =>
    isFull ? fail() : store.listings.releaseClaim(claim);
  const ports = {
    store: { ...store, listings: { ...store.listings, releaseClaim } },
    marketplace: createPassiveMarketplace(),
    clock: createFastClock(),
    log,
  };
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const run = createJobRunner(
    ports,
    { publish: fail, update: fail, import: fail, batch: fail },
    stopping.signal,
  );
  await expect(run(mine, 'job_1', createMeter())).rejects.toThrow(StoreUnavailableError);
  expect(await store.listings.listClaimableJobs()).toEqual([]);
  isFull = false;
  await expect
    .poll(() => store.listings.listClaimableJobs())
    .toEqual([{ account_id: mine, job_id: 'job_1' }]);
});

/** The database may be the first to notice. */
async function loseDatabase(_job: unknown, hold: Hold): Promise<never> {
  await once(hold.signal, 'abort');
  throw new StoreUnavailableError('the database does not answer');
}

/** For runners that make no calls. */
function createPassiveMarketplace(): Marketplace {
  const none = {} as Marketplace;
  return { ...none, until: () => none };
}

function createFastClock(): Clock {
  const started_at = Date.now();
  const started_ms = systemClock.monotonic();
  const getPassed_ms = () => SPEED * (systemClock.monotonic() - started_ms);
  return {
    now: () => new Date(started_at + getPassed_ms()),
    monotonic: getPassed_ms,
    sleep: (duration_ms, signal, options) => systemClock.sleep(duration_ms / SPEED, signal, options),
  };
}

/**
 * `cut` returns a function that restores the connection. SQLite can only be cut off by a lock, which cuts off
 * all other processes, too.
 */
async function openWayToDatabase(
  data_dir: string,
): Promise<{ settings: Record<string, string>; cut: () => () => void }> {
  const database = await getDatabase(data_dir);
  if (database === undefined) {
    const cut = () => {
      const holder = openAddon(join(data_dir, 'service.db'));
      holder.exec('BEGIN IMMEDIATE');
      return () => holder.close();
    };
    return { settings: {}, cut };
  }
  const url = new URL(database);
  const proxy = await startDatabaseProxy(Number(url.port));
  onTestFinished(() => proxy.close());
  url.port = String(proxy.port);
  const cut = () => {
    proxy.stall();
    return () => proxy.resume();
  };
  return { settings: { DATABASE_URL: url.href }, cut };
}

/**
 * A network over which photos do not reach the marketplace until `release`. `sending` resolves when the first
 * one is on its way.
 */
function openSlowLine(): { open: () => Network; sending: Promise<unknown>; release: () => void } {
  const began = new AbortController();
  const released = new AbortController();
  const open = (): Network => {
    const network = openNetwork();
    return {
      async exchange(request, progress, signal) {
        if (request.method === 'POST' && request.path.endsWith('/images')) {
          progress.has_started = true;
          began.abort();
          await Promise.race([
            once(released.signal, 'abort'),
            ...(signal ? [once(signal, 'abort').then(() => signal.throwIfAborted())] : []),
          ]);
        }
        return network.exchange(request, progress, signal);
      },
      close: () => network.close(),
    };
  };
  return { open, sending: once(began.signal, 'abort'), release: () => released.abort() };
}
