import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, inject, it } from 'vitest';
import type { SandboxState } from '../crash/world.js';
import { startBucketServer } from '../blobs/bucket_server.js';
import { openWorld } from '../crash/world.js';
import { createDatabase } from '../postgres/databases.js';
import { startServer } from '../postgres/server.js';
import { startRoundRobin } from '../round_robin.js';
import { createAccounts, type Account } from './accounts.js';
import { openCaller, WAYS, type Records } from './caller.js';
import { findLost } from './check.js';
import { findBrokenLimits, noteCountedCalls } from './counted_calls.js';
import { createOnceMore } from './fetch_once_more.js';
import type { Figures } from './figures.js';
import { startMachines, type Machine } from './machines.js';
import { ask } from './question.js';

const INSTANCES = 3;
const ACCOUNTS = 16;
const PER_SECOND = 2;
/** Duration of undisturbed calls, before the restarts, between two of them and after them. */
const CALM_MS = 2_500;
/** After this time, during the stop of an instance, the person answers its question. */
const ANSWERED_AFTER_MS = 700;

/** The most problems to print. */
const SHOWN = 10;

/** Undefined: last_line.ts says that nothing ran. */
const PROGRAMS = inject('postgres_programs');

it.skipIf(PROGRAMS === undefined)(
  'callers of three instances lose nothing when each is restarted in turn',
  { timeout: 240_000 },
  async ({ task, onTestFinished }) => {
    const database = await startServer(PROGRAMS ?? '');
    onTestFinished(() => database.remove());
    const bucket = await startBucketServer();
    onTestFinished(() => bucket.close());
    await createDatabase(database.url, 'instances', 'template0');
    const database_url = Object.assign(new URL(database.url), { pathname: '/instances' }).href;
    const world = await openWorld({
      settings: {
        DATABASE_URL: database_url,
        MASTER_KEY: randomBytes(32).toString('base64'),
        ...bucket.toSettings('instances'),
      },
    });
    onTestFinished(() => world.close());
    const [asking, ...accounts] = await createAccounts(world, 1 + ACCOUNTS);
    if (!asking) throw new Error('there is one');
    await noteCountedCalls(database_url);
    const limits = { RATE_LIMIT_PER_SECOND: String(PER_SECOND), LOG_LEVEL: 'info' };
    const limited = { ...world, environment: { ...world.environment, ...limits } };
    const { machines, close } = await startMachines(limited, INSTANCES);
    onTestFinished(close);
    const proxy = await startRoundRobin(machines.map(({ port }) => port));
    onTestFinished(() => proxy.close());

    const records: Records = { calls: [], listings: [], uploads: [], webhooks: new Map(), failures: [] };
    const once_more = createOnceMore();
    const { stock } = world;
    const callers = await Promise.all(
      accounts.flatMap((account, number) =>
        WAYS.map((way) =>
          openCaller(`${number} ${way}`, way, { url: proxy.url, account, stock, once_more, records }),
        ),
      ),
    );
    onTestFinished(() => Promise.all(callers.map((caller) => caller.close())).then(() => undefined));

    const over = new AbortController();
    const running = callers.map((caller) => caller.run(over.signal));
    const titles: string[] = [];
    for (const [index, machine] of machines.entries()) {
      await delay(CALM_MS);
      titles.push(`asked by instance ${index + 1}`);
      const { status } = await restart(machine, titles.at(-1) ?? '', machines[(index + 1) % INSTANCES]);
      // A job that takes longer than the stop continues at another instance.
      expect(status).toMatch(/^(completed|processing)$/);
    }
    await delay(CALM_MS);
    over.abort();
    await Promise.all(running);

    const broken = await findBrokenLimits(database_url, records.calls, PER_SECOND);
    const unlimited = await startMachines({ ...world, folder: `${world.folder}/checking` }, 1);
    onTestFinished(unlimited.close);
    const lost = await findLost(records, { url: unlimited.machines[0]?.url ?? '', world, database_url });
    const findAsked = async () => {
      const { listings } = await world.control<SandboxState>('GET', '/state');
      return listings.filter(({ fields, state }) => titles.includes(fields.title) && state === 'active');
    };
    await expect.poll(async () => (await findAsked()).length, { timeout: 60_000 }).toBe(INSTANCES);
    const asked = await findAsked();
    const { listings, fees } = await world.control<SandboxState>('GET', '/state');
    const figures: Figures = {
      callers: callers.length,
      accounts: accounts.length,
      restarts: machines.length,
      requests: records.calls.length + records.failures.length,
      answered: records.calls.length,
      limited: records.calls.filter(({ is_limited }) => is_limited).length,
      retried: once_more.countRetried(),
      failed: records.failures.length,
      lost: lost.length,
      limits_broken: broken.length,
      questions: asked.length,
      fees: fees.length,
      activations: listings.filter(({ state }) => state === 'active').length,
    };
    // For last_line.ts.
    Object.assign(task.meta, { figures });
    expect({
      failures: records.failures.slice(0, SHOWN),
      lost: lost.slice(0, SHOWN),
      broken: broken.slice(0, SHOWN),
    }).toEqual({ failures: [], lost: [], broken: [] });
    expect(figures).toMatchObject({
      callers: 64,
      questions: INSTANCES,
    });
    expect(fees.length).toBe(figures.activations);
    for (const { listing_id } of asked) {
      expect(fees.filter((fee) => fee.listing_id === listing_id)).toHaveLength(1);
    }

    /**
     * Stops an instance while a person has its question, lets the person answer through another one, and
     * starts it again.
     */
    async function restart(machine: Machine, title: string, other: Machine | undefined) {
      const question = await ask(title, machine.url, asking as Account, stock);
      const stopped = machine.stop();
      await delay(ANSWERED_AFTER_MS);
      const answer = await question.agree(other?.url ?? '');
      const { code, stderr } = await stopped;
      expect({ code, is_told: stderr.includes('"stopping') }).toEqual({ code: 0, is_told: true });
      await machine.start();
      return answer;
    }
  },
);
