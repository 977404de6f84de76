import type { ListingJobResult } from '../answers.js';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openMcpHttp, openMcpStdio, openRest, type Face } from '../surfaces/faces.js';
import { buildRichOrder } from './orders.js';
import { createServer } from './server.js';
import { openWorld, type SandboxState, type World } from './world.js';

const TWENTY = Array.from({ length: 20 }, (_, index) => index);

describe('twenty calls at once, over REST and MCP', () => {
  it.each([
    { what: 'one idempotency key', key: { idempotency_key: 'only-once' } },
    { what: 'no key and the same body', key: {} },
  ])('create one job and get one answer with $what', async ({ key }) => {
    const { world, faces } = await begin();
    const { body } = buildRichOrder(world.stock, 'one-mug');
    const answers = await Promise.all(
      TWENTY.map((index) => create(faces[index % faces.length], { ...body, ...key })),
    );
    // Over MCP, with the notice about words of the marketplace.
    const result = answers.map((answer) =>
      JSON.stringify({ ...answer, warnings: undefined, notice: undefined }),
    );
    expect(new Set(result).size).toBe(1);
    expect(answers[0]?.status).toBe('completed');
    expect(answers[0]?.results?.map(({ status, activated }) => ({ status, activated }))).toEqual([
      { status: 'ok', activated: true },
      { status: 'ok', activated: true },
    ]);
    const replayed = answers.filter(({ warnings = [] }) => warnings.some(({ code }) => code === 'replayed'));
    expect(replayed).toHaveLength(19);
    await expectMade(world, 1);
  });
});

describe('a call repeated after a time-out', () => {
  it.each([{ key: { idempotency_key: 'patience' } }, { key: {} }])(
    'creates nothing new ($key)',
    async ({ key }) => {
      const { world, faces } = await begin({ MCP_WAIT_SECONDS: '1' });
      await world.control('POST', '/settings', { latency_ms: 300 });
      const { body } = buildRichOrder(world.stock, 'slow-mug');
      const [, mcp] = faces;
      const first = await create(mcp, { ...body, ...key });
      expect(first.status).toBe('processing');
      const second = await create(mcp, { ...body, ...key });
      expect(second.job_id).toBe(first.job_id);
      const ended = await create(faces[0], { ...body, ...key });
      expect([ended.job_id, ended.status]).toEqual([first.job_id, 'completed']);
      await expectMade(world, 1);
    },
  );
});

describe('an assistant running alongside the server, on one data directory', () => {
  it('never runs a job the server runs', async () => {
    const { world, faces } = await begin();
    const stdio = await openAssistant(world);
    const orders = TWENTY.slice(0, 8).map((number) => buildRichOrder(world.stock, `mug-${number}`));
    const answers = await Promise.all(
      orders.flatMap(({ body, key }, index) =>
        [faces[0], stdio, stdio, faces[1]].map((face) =>
          create(face, index % 2 === 0 ? body : { ...body, idempotency_key: key }),
        ),
      ),
    );
    expect(new Set(answers.map(({ job_id }) => job_id)).size).toBe(orders.length);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['completed']));
    await expectMade(world, orders.length);
  });

  it('resumes the work the server was doing when it was killed', async () => {
    const { world, faces, life } = await begin();
    const stdio = await openAssistant(world);
    await world.control('POST', '/settings', { latency_ms: 200 });
    const { body, key } = buildRichOrder(world.stock, 'orphaned-mug');
    const request = { ...body, idempotency_key: key };
    const broken = create(faces[0], request).catch(() => 'broken');
    await expect.poll(async () => (await readState(world)).listings.length, { timeout: 20_000 }).toBe(2);
    life.kill();
    expect(await broken).toBe('broken');
    const { job_id, status } = await create(stdio, request);
    expect(job_id).toMatch(/^job_/);
    expect(status).toBe('completed');
    await expectMade(world, 1);
  });
});

async function begin(extra: Record<string, string> = {}) {
  const world = await openWorld();
  const server = createServer(world);
  const faces: Face[] = [];
  onTestFinished(async () => {
    for (const face of faces) await face.close();
    await server.close();
    await world.close();
  });
  const life = server.start(extra);
  const url = await life.url;
  faces.push(openRest(url, world.key), await openMcpHttp(url, world.key));
  return { world, life, faces };
}

async function openAssistant(world: World): Promise<Face> {
  const { PATH = '' } = process.env;
  const stdio = await openMcpStdio({ PATH, ...world.environment });
  onTestFinished(() => stdio.close());
  return stdio;
}

async function create(face: Face | undefined, input: Record<string, unknown>): Promise<ListingJobResult> {
  const answer = await face?.call('listing_create', input);
  if (!answer?.ok) throw new Error(answer ? answer.error.message : 'no such face');
  return answer.output as ListingJobResult;
}

function readState(world: World): Promise<SandboxState> {
  return world.control<SandboxState>('GET', '/state');
}

/** Orders active in two shops: one draft and one fee for each. */
async function expectMade(world: World, orders: number): Promise<void> {
  // Waits long enough for a second run of a job to show.
  await delay(500);
  const { listings, fees, calls } = await readState(world);
  const { targets, photos } = world.stock;
  const shops = orders * targets.length;
  expect({
    listings: listings.length,
    live: listings.filter(({ state }) => state === 'active').length,
    fees: fees.length,
    creations: calls['createDraftListing'],
    uploads: calls['uploadListingImage'],
  }).toEqual({
    listings: shops,
    live: shops,
    fees: shops,
    creations: shops,
    uploads: shops * photos.length,
  });
}
