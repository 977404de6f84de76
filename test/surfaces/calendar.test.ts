import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createHttpFace, type HttpFace } from '../../src/transports/index.js';
import { buildMug, startService, TARGETS, upload, type TestService } from '../service.js';
import { openMcpHttp, openRest, type Face, type Output } from './faces.js';

/* The turn of the year, on a marketplace that has renamed its periods and on one that has not. */

let service: TestService;
let http: HttpFace;
let key: string;
let pdf: string;
let image: string;

beforeAll(async () => {
  service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
  const { account_id } = await service.app.core.accounts.getDefault();
  ({ key } = await service.app.core.accounts.createKey(account_id, 'test'));
  http = await createHttpFace(service.app.service, { host: '127.0.0.1', port: 0, trust_proxy: false });
  pdf = await upload(service, 'pattern.pdf', 'digital');
  image = await upload(service, 'photo-01.jpg');
});
afterAll(async () => {
  await http.close(1_000);
  await service.close();
});
afterEach(async () => {
  vi.useRealTimers();
  await service.control('POST', '/settings', { calendar_year: 0 });
});

/**
 * Stops the clocks of the service and of the marketplace at this time. `calendar_year`: the year whose period
 * names the marketplace uses.
 */
async function turn(time: string, calendar_year: number): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(time) });
  await service.control('POST', '/settings', { calendar_year });
  // The next response carries the time.
  await service.call('store_sync', { shop_id: TARGETS.clay.shop_id });
}

const BEFORE = '2026-12-31T23:59:00Z';
const AFTER = '2027-01-01T00:01:00Z';
const SECOND_BEFORE = '2026-12-31T23:59:59Z';
const MIDNIGHT = '2027-01-01T00:00:00Z';

async function readPeriods(shop_id: number = TARGETS.clay.shop_id): Promise<Record<number, string>> {
  const { listings } = await service.control<{
    listings: { listing_id: number; fields: { when_made: string } }[];
  }>('GET', `/state?shop_id=${shop_id}`);
  return Object.fromEntries(listings.map(({ listing_id, fields }) => [listing_id, fields.when_made]));
}

const getOnly = ({ results }: Output) => (results as Output[])[0] as Output;
const readPeriod = async (answer: Output) => (await readPeriods())[Number(getOnly(answer)['listing_id'])];

const FACES: Record<string, (url: string) => Promise<Face>> = {
  REST: (url) => Promise.resolve(openRest(url, key)),
  'MCP over HTTP': (url) => openMcpHttp(url, key),
};

describe.each(Object.keys(FACES))('over %s,', (name) => {
  let face: Face;
  let made = 0;
  beforeAll(async () => {
    face = await (FACES[name] as (typeof FACES)[string])(`http://127.0.0.1:${http.port}`);
  });
  afterAll(() => face.close());

  const build = (more: Output, listing_type = 'digital', state = 'publish') => {
    const { listing, ...rest } = buildMug([
      listing_type === 'digital' ? { shop_id: TARGETS.clay.shop_id } : { ...TARGETS.clay },
    ]);
    const { who_made: _who, when_made: _when, is_supply: _supply, ...own } = listing;
    made += 1;
    return {
      ...rest,
      state,
      listing: { ...own, listing_type, title: `Turn ${made} over ${name}`, ...more },
      ...(listing_type === 'digital' ? { digital_files: [{ url: pdf }] } : {}),
    };
  };
  const call = async (id: string, input: Output): Promise<Output> => {
    const answer = await face.call(id, input);
    if (!answer.ok) throw new Error(answer.error.message);
    return answer.output;
  };

  it.each([
    ['a minute before the year ends', BEFORE, 2026, '2020_2026', '2020_2026'],
    ['a second before the year ends', SECOND_BEFORE, 2026, '2020_2026', '2020_2026'],
    ['a second before the year ends, with new names', SECOND_BEFORE, 2027, '2020_2026', '2020_2027'],
    ['at the moment it begins, with new names', MIDNIGHT, 2027, '2020_2027', '2020_2027'],
    ['a minute after it began, with new names', AFTER, 2027, '2020_2027', '2020_2027'],
    ['a minute after it began, with the old names', AFTER, 2026, '2020_2027', '2020_2026'],
  ])("the default period is the current one, under the marketplace's name for it: %s", async (...row) => {
    const [, time, year, chosen, sent] = row;
    await turn(time, year);
    const answer = await call('listing_create', build({}));
    expect(getOnly(answer)).toMatchObject({ status: 'ok' });
    expect(JSON.stringify(getOnly(answer)['warnings'])).toContain(`i_did, ${chosen}, and false`);
    expect(await readPeriod(answer)).toBe(sent);
    const { warnings = [] } = await call('listing_copy', {
      listing_pk: answer['listing_pk'],
      shops: [{ shop_id: TARGETS.linen.shop_id, price: 240 }],
      dry_run: true,
    });
    expect((warnings as Output[]).map(({ code }) => code)).not.toContain('not_copied');
  });

  it('a saved draft and a change from the previous year are sent with the new name', async () => {
    const of_2026 = { who_made: 'i_did', when_made: '2020_2026', is_supply: false };
    const { listing_pk } = await call('listing_create', build(of_2026, 'digital', 'draft'));
    const other = await call('listing_create', build({ ...of_2026, when_made: '2010_2019' }, 'physical'));
    await turn(AFTER, 2027);
    const published = await call('listing_publish', { listing_pk, state: 'publish' });
    expect(getOnly(published)).toMatchObject({ status: 'ok' });
    expect(await readPeriod(published)).toBe('2020_2027');
    const changes = { listing: { when_made: '2020_2026' } };
    const changed = await call('listing_update', { listing_pk: other['listing_pk'], changes });
    expect(getOnly(changed)).toMatchObject({ status: 'ok' });
    expect(await readPeriod(changed)).toBe('2020_2027');
  });

  it.each([
    ['a listing of the year before', '2020_2026', AFTER, 2027, '2020_2027'],
    ['a listing of the year before, at midnight', '2020_2026', MIDNIGHT, 2027, '2020_2027'],
    ['a listing whose period keeps its name', '2010_2019', MIDNIGHT, 2027, '2010_2019'],
    ['a listing with the new name, a second before', '2020_2027', SECOND_BEFORE, 2027, '2020_2027'],
  ])(
    '%s is imported unchanged, and copied with a name that the marketplace accepts',
    async (_what, was, time, year, period) => {
      const { listing_ids } = await service.control<{ listing_ids: number[] }>('POST', '/listings', {
        shop_id: TARGETS.clay.shop_id,
        is_plain: true,
        when_made: was,
      });
      await turn(time, year);
      const imported = await call('listing_import', { shop_id: TARGETS.clay.shop_id, listing_ids });
      const { listing_pk } = getOnly(imported);
      const { request } = await call('listing_get', { listing_pk });
      expect(request).toMatchObject({ listing: { when_made: was } });
      const copied = await call('listing_copy', {
        listing_pk,
        shops: [{ ...TARGETS.linen, shop_section_id: null, price: 240 }],
        state: 'publish',
      });
      const { listing_id } = getOnly(copied);
      expect((await readPeriods(TARGETS.linen.shop_id))[Number(listing_id)]).toBe(period);
    },
  );

  it('a name that only the new calendar knows is sent, and a refusal quotes the valid names', async () => {
    const answer = await call(
      'listing_create',
      build({ who_made: 'someone_else', when_made: 'before_2008', is_supply: false }, 'physical'),
    );
    expect(getOnly(answer)).toMatchObject({
      status: 'error',
      error: expect.stringContaining('made_to_order, 2020_2026, 2010_2019, 2007_2009') as string,
    });
    await turn(AFTER, 2027);
    const renamed = build(
      { who_made: 'someone_else', when_made: 'before_2008', is_supply: false },
      'physical',
    );
    expect(await readPeriod(await call('listing_create', { ...renamed, images: [{ url: image }] }))).toBe(
      'before_2008',
    );
  });
});
