import type { ListingJobResult } from '../../answers.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeFeeQuestion } from '../../../src/core/listings/fees/fee_question.js';
import { buildMug, listTargets, startService, upload, type TestService } from '../../service.js';

type World = { listings: { state: string }[]; fees: unknown[] };

let service: TestService;
let targets: Awaited<ReturnType<typeof listTargets>>;
let url: string;

async function open(environment: Record<string, string>): Promise<void> {
  service = await startService(environment);
  targets = await listTargets(service);
  url = await upload(service, 'photo-01.jpg');
}
beforeEach(() => open({ MAX_ACTIVATIONS_PER_DAY: '2' }));
afterEach(() => service.close());

async function reopen(environment: Record<string, string>): Promise<void> {
  await service.close();
  await open(environment);
}

const readState = () => service.control<World>('GET', '/state');
const buildLive = (key: string, shops = targets.slice(0, 1)) =>
  buildMug(shops, { state: 'active', images: [{ url }], idempotency_key: key });

it('never activates more in a day than allowed, however many calls come at once', async () => {
  const outcomes = await Promise.all(
    ['a', 'b', 'c', 'd', 'e'].map((key) => service.invoke('listing_create', buildLive(key))),
  );
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(2);
  expect((await readState()).fees).toHaveLength(2);
});

it('limits activations to 20 a day by default, to none for 0, and not at all for unlimited', async () => {
  const drafts = (count: number) =>
    Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const body = { ...buildLive(`mug-${index}`), state: 'draft' };
        return (await service.call<ListingJobResult>('listing_create', body)).listing_pk;
      }),
    );
  const putLive = async (listing_pks: (number | undefined)[]) => {
    const outcomes = await Promise.all(
      listing_pks.map((listing_pk) => service.invoke('listing_publish', { listing_pk, state: 'active' })),
    );
    return outcomes.filter(({ ok }) => ok).length;
  };
  await reopen({});
  expect(await putLive(await drafts(22))).toBe(20);
  expect((await readState()).fees).toHaveLength(20);

  await reopen({ MAX_ACTIVATIONS_PER_DAY: '0' });
  const [listing_pk] = await drafts(1);
  const { message } = await service.refuse('listing_publish', { listing_pk, state: 'active' });
  expect(message).toBe(
    'state: activations are turned off: MAX_ACTIVATIONS_PER_DAY is 0. The operator of the service can raise it',
  );
  expect(await service.call('listing_publish', { listing_pk, state: 'publish' })).toMatchObject({
    status: 'completed',
  });
  expect((await readState()).fees).toEqual([]);

  await reopen({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
  expect(await putLive(await drafts(22))).toBe(22);
});

it('reports the limit along with all other problems, also in a dry run', async () => {
  await service.call('listing_create', buildLive('first', targets));
  const body = { ...buildLive('second'), dry_run: true };
  const { code, message } = await service.refuse('listing_create', {
    ...body,
    listing: { ...body.listing, title: 'a'.repeat(141) },
  });
  expect(code).toBe('VALIDATION_FAILED');
  expect(message.split('\n').map((line) => line.split(':')[0])).toEqual(['state', 'listing.title']);
});

it('asks before it spends, and creates nothing without consent', async () => {
  for (const [answer, words] of [
    ['declined', 'The fee was declined.'],
    ['unanswered', 'The fee was not confirmed in time.'],
  ] as const) {
    const asked: string[] = [];
    const { code, message } = await service.refuse('listing_create', buildLive('asked', targets), {
      askConsent: (question) => {
        asked.push(describeFeeQuestion(question));
        return Promise.resolve(answer);
      },
    });
    expect([code, message]).toEqual(['ACTIVATION_DECLINED', `${words} Nothing was created.`]);
    expect(asked).toEqual([
      'Activate this listing in "ClayAndOak", "NordLinen"? The marketplace charges 0.40 USD (0.20 USD per shop).',
    ]);
  }
  expect((await readState()).listings).toEqual([]);
});

it('reports a fee once, in the job that paid it', async () => {
  await service.control('POST', '/faults', {
    rules: [
      { operation: 'updateListing', shop_id: targets[1]?.shop_id, action: { type: 'status', status: 400 } },
    ],
  });
  const first = await service.call<ListingJobResult>('listing_create', buildLive('split', targets));
  expect(first.results?.map(({ status, activation_cost_usd }) => [status, activation_cost_usd])).toEqual([
    ['ok', 0.2],
    ['error', undefined],
  ]);
  const second = await service.call<ListingJobResult>('listing_publish', {
    listing_pk: first.listing_pk,
    state: 'active',
  });
  expect(second.results).toMatchObject([
    { shop_id: `${targets[1]?.shop_id}`, status: 'ok', activation_cost_usd: 0.2 },
  ]);
  expect((await readState()).fees).toHaveLength(2);
});

it('reports the outcome of an activation only after a read, however many answers were lost', async () => {
  await service.control('POST', '/faults', {
    rules: [
      { operation: 'updateListing', times: 2, action: { type: 'reset' } },
      { operation: 'updateListing', action: { type: 'commit_then_reset' } },
    ],
  });
  const { results } = await service.call<ListingJobResult>('listing_create', buildLive('lost'));
  expect(results?.[0]).toMatchObject({ status: 'ok', activated: true, activation_cost_usd: 0.2 });
  expect((await readState()).fees).toHaveLength(1);
});

it('reports the fee in the job that paid it, even after one that could not determine the outcome of its activation', async () => {
  await service.control('POST', '/faults', {
    rules: [{ operation: 'updateListing', times: 3, action: { type: 'reset' } }],
  });
  const first = await service.call<ListingJobResult>('listing_create', buildLive('unsaid'));
  expect(first.results?.map(({ status }) => status)).toEqual(['error']);
  const { listing_pk } = first;
  const second = await service.call<ListingJobResult>('listing_publish', { listing_pk, state: 'active' });
  expect(second.results?.[0]).toMatchObject({ status: 'ok', activated: true, activation_cost_usd: 0.2 });
  expect((await readState()).fees).toHaveLength(1);
});
