import type { ListingJobResult } from '../../../answers.js';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { DraftListing } from '../../../../src/core/ports/index.js';
import { createEtsyClient } from '../../../../src/marketplace/index.js';
import { SANDBOX_APP, startSandbox } from '../../../../src/sandbox/index.js';
import { systemClock } from '../../../../src/world/clock.js';
import { createTestLog } from '../../../store/ports.js';
import { buildMug, listTargets, startService, type TestService } from '../../../service.js';
import { systemRandomness } from '../../../../src/world/randomness.js';

type World = {
  listings: {
    listing_id: number;
    state: string;
    fields: { shop_section_id: number | null; tags: string[]; styles: string[] };
    inventory: { products: { offering: { readiness_state_id: number } }[] };
  }[];
};

let service: TestService;
let target: { shop_id: number };
let sections: number[];
let profiles: number[];

beforeEach(async () => {
  service = await startService({ RECONCILE_SETTLE_MS: '300' });
  const [first] = await listTargets(service);
  if (!first) throw new Error('there is no shop');
  target = first;
  const { shop_id } = first;
  const live = (what: string) => service.call<Record<string, Record<string, number>[]>>(what, { shop_id });
  const result = await live('store_shop_sections_live');
  sections = (result['shop_sections'] ?? []).flatMap(({ shop_section_id }) => shop_section_id ?? []);
  const days = await live('store_processing_profiles_live');
  profiles = (days['processing_profiles'] ?? []).flatMap(
    ({ readiness_state_id }) => readiness_state_id ?? [],
  );
  await service.call('listing_schema', { category_id: 1062 });
});
afterEach(() => service.close());

const readState = async () => (await service.control<World>('GET', '/state')).listings;
const strike = (...rules: object[]) => service.control('POST', '/faults', { rules });
const lose = (times: number) =>
  strike({ operation: 'createDraftListing', times, action: { type: 'commit_then_reset' } });
const create = (key: string, more: object = {}, words: object = {}) => {
  const body = buildMug([{ ...target, ...more }], { state: 'publish', idempotency_key: key });
  return service.call<ListingJobResult>('listing_create', {
    ...body,
    listing: { ...body.listing, ...words },
  });
};
const listCodes = ({ results }: ListingJobResult) =>
  results?.[0]?.warnings?.map(({ code }) => code).filter((code) => code !== 'processing_profile_defaulted');

it('keeps the section, tags and styles of two equal listings whose answers are both lost', async () => {
  await lose(2);
  const twins = [
    { shop_section_id: sections[0], tags: ['one'], styles: ['Rustic'] },
    { shop_section_id: sections[1], tags: ['other'], styles: ['Modern'] },
  ];
  const answers = await Promise.all(
    twins.map(({ shop_section_id, ...words }, index) => create(`twin-${index}`, { shop_section_id }, words)),
  );
  const listings = await readState();
  const kept = answers.map(({ results }) =>
    listings.find(({ listing_id }) => listing_id === results?.[0]?.listing_id),
  );
  expect(listings).toHaveLength(2);
  expect(kept.map((listing) => listing && pick(listing))).toEqual(twins);
  expect(answers.map(listCodes)).toEqual([[], []]);
});

it('writes the own fields of equal listings again that no answer distinguishes', async () => {
  await lose(2);
  const [one, other] = profiles;
  expect(one).not.toBe(other);
  const answers = await Promise.all(
    [one, other].map((processing_profile_id) =>
      create(`twin-${processing_profile_id}`, { processing_profile_id }),
    ),
  );
  const listings = await readState();
  const kept = answers.map(({ results }) => {
    const found = listings.find(({ listing_id }) => listing_id === results?.[0]?.listing_id);
    return found?.inventory.products.map(({ offering }) => offering.readiness_state_id);
  });
  expect(listings).toHaveLength(2);
  expect(kept).toEqual([[one], [other]]);
});

it('reports which call writes the profile of equal listings if it could not be written again', async () => {
  await lose(2);
  await strike({
    operation: 'getListingInventory',
    times: 100,
    action: { type: 'status', status: 500, body: {} },
  });
  const answers = await Promise.all(
    profiles
      .slice(0, 2)
      .map((processing_profile_id) => create(`twin-${processing_profile_id}`, { processing_profile_id })),
  );
  const result = answers.map(({ results }) => results?.[0]?.warnings?.at(-1)?.reason);
  const reason = /^Different in the draft that was found, .*; call listing_update to finish\.$/;
  expect(result).toEqual([expect.stringMatching(reason), expect.stringMatching(reason)]);
});

it('writes the differing fields of equal listings again if the marketplace drops them, or warns', async () => {
  await service.control('POST', '/settings', { ignore_fields: ['shop_section_id', 'styles'] });
  await lose(2);
  const twins = [
    { shop_section_id: sections[0], styles: ['Rustic'] },
    { shop_section_id: sections[1], styles: ['Modern'] },
  ];
  const answers = await Promise.all(
    twins.map(({ shop_section_id, styles }, index) =>
      create(`twin-${index}`, { shop_section_id }, { styles }),
    ),
  );
  const listings = await readState();
  const kept = answers.map(({ results }) =>
    listings.find(({ listing_id }) => listing_id === results?.[0]?.listing_id),
  );
  expect(listings).toHaveLength(2);
  expect(kept.map((listing) => listing?.fields.shop_section_id)).toEqual([sections[0], sections[1]]);
  expect(answers.map(({ results }) => results?.[0]?.warnings?.at(-1))).toEqual(
    [0, 1].map(() => ({
      code: 'recovery_update_failed',
      level: 'warning',
      fields: ['listing.styles'],
      reason:
        'Different in the draft that was found, and could not be set afterward: the marketplace accepts it only when a listing is created.',
    })),
  );
});

it('does not touch equal listings of which one was created manually, and reports both ids', async () => {
  const { job_id } = await create('original');
  const stranger = await createElsewhere(String(job_id));
  await lose(1);
  const { listing_pk, results } = await create('lost');
  const lost = (await readState()).at(-1)?.listing_id;
  expect(await readState()).toHaveLength(3);
  expect(results?.[0]).toMatchObject({ status: 'error', details: { step: 'create' } });
  expect(results?.[0]?.error).toContain(
    `Listings ${stranger} and ${lost} in the shop have the same text as this one`,
  );
  // As the seller is told to.
  await service.control('POST', `/listings/${stranger}/state`, { state: 'removed' });
  const again = await service.call<ListingJobResult>('listing_publish', { listing_pk, state: 'publish' });
  expect(again.results?.[0]).toMatchObject({ status: 'ok', listing_id: lost });
  expect(await readState()).toHaveLength(3);
});

it('does not confuse listings that only share their description after a create that never arrived', async () => {
  await strike(
    { operation: 'createDraftListing', action: { type: 'reset' } },
    { operation: 'getListingsByShop', times: 1_000, action: { type: 'status', status: 503 } },
  );
  const { listing_pk, job_id } = await create('lost');
  await service.control('DELETE', '/faults');
  const stranger = await createElsewhere(String(job_id), { title: 'Another mug of the series', price: 99 });
  const publish = () => service.call<ListingJobResult>('listing_publish', { listing_pk, state: 'publish' });
  const { results } = await publish();
  expect(results?.[0]?.error).toContain(`Listing ${stranger} in the shop has the same text as this one`);
  expect(await readState()).toHaveLength(1);
  // As the seller is told to.
  await service.control('POST', `/listings/${stranger}/state`, { state: 'removed' });
  expect((await publish()).results?.[0]?.status).toBe('ok');
});

/** A second draft of that job, created by a program that this service knows nothing about. */
async function createElsewhere(job_id: string, other: Partial<DraftListing> = {}): Promise<number> {
  const { core, store } = service.app;
  const { account_id } = await core.accounts.getDefault();
  const draft = (await store.listings.findPublishJob({ account_id, job_id }))?.plan?.shops[0]?.action.draft;
  if (!draft) throw new Error('the job has no draft');
  const sandbox = await startSandbox({ database_file: join(service.data_dir, 'sandbox.db') });
  const client = createEtsyClient({
    randomness: systemRandomness,
    ...SANDBOX_APP,
    user_agent: 'another program',
    getApiUrl: () => Promise.resolve(sandbox.url),
    getConsentUrl: () => Promise.resolve(sandbox.url),
    tokens: store.tokens,
    clock: systemClock,
    log: createTestLog(),
  });
  try {
    return (await client.createDraftListing({ account_id, shop_id: target.shop_id }, { ...draft, ...other }))
      .listing_id;
  } finally {
    await client.close();
    await sandbox.close();
  }
}

function pick({ fields: { shop_section_id, tags, styles } }: World['listings'][number]) {
  return { shop_section_id, tags, styles };
}
