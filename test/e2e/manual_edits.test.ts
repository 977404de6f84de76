import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/world/clock.js';
import { edit, readListings, makeListing, type Made } from '../core/listings/update/rig.js';
import { startDashboard, type TestDashboard, type Visitor } from '../dashboard/visitor.js';
import { listTargets } from '../service.js';
import { shareLinen } from '../surfaces/access/two_accounts.js';
import { openMcpStateless, openRest, type Face, type Output } from '../surfaces/faces.js';

/*
 * A seller's edit on the marketplace survives every way of displaying it. Only a dry run that showed it, or
 * on_drift overwrite, lets a call overwrite it.
 */

const MINUTE_MS = 60_000;

type Diff = { field: string; before: unknown; after: unknown; manual_edit?: true };
type Shop = {
  status: string;
  diff?: Diff[];
  warnings: { code: string; fields: string[]; reason: string }[];
  details?: { code: string; drift: { field: string; ours: unknown; theirs: unknown }[] };
};

let dashboard: TestDashboard;
let visitor: Visitor;
let stranger: Face;
const faces: Record<string, { seller: Face; colleague: Face }> = {};
let ahead_ms = 0;
let made: Made;

beforeAll(async () => {
  const clock = { ...systemClock, now: () => new Date(Date.now() + ahead_ms) };
  dashboard = await startDashboard({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' }, { clock });
  const { service, account_id, url } = dashboard;
  const { accounts } = service.app.core;
  const [own, other] = [
    await accounts.createKey(account_id, 'own'),
    await accounts.createKey(account_id, 'b'),
  ];
  faces['REST'] = { seller: openRest(url, own.key), colleague: openRest(url, other.key) };
  faces['MCP'] = { seller: openMcpStateless(url, own.key), colleague: openMcpStateless(url, other.key) };
  // Connects the shops.
  await listTargets(service);
  const second = await accounts.create('second');
  await shareLinen(service, account_id, second.account_id);
  stranger = openRest(url, (await accounts.createKey(second.account_id, 'c')).key);
  visitor = await dashboard.signIn();
});
afterAll(async () => {
  await faces['MCP']?.seller.close();
  await faces['MCP']?.colleague.close();
  await dashboard.close();
});

const ask = async (face: Face | undefined, id: string, input: Output): Promise<Output> => {
  const answer = await face?.call(id, input);
  if (!answer?.ok) throw new Error(`${id}: ${JSON.stringify(answer?.error)}`);
  return answer.output;
};
const listTitles = async () =>
  (await readListings(dashboard.service, made)).map((listing) => listing?.fields.title);

describe.each(['REST', 'MCP'])('over %s', (name) => {
  const call = (id: string, input: Output) => ask(faces[name]?.seller, id, input);
  const update = (more: Output = {}, changes: Output = { listing: { title: 'Ours' } }) =>
    call('listing_update', { listing_pk: made.listing_pk, changes, ...more }) as Promise<{
      status: string;
      shops?: Shop[];
      results?: Shop[];
    }>;
  const DRIFT = {
    status: 'error',
    details: {
      code: 'DRIFT',
      drift: [{ field: 'listing.title', ours: 'Stoneware mug', theirs: 'Theirs' }],
    },
  };
  const THEIRS = ['Theirs', 'Theirs'];

  beforeEach(async () => {
    ahead_ms = 0;
    made = await makeListing(dashboard.service);
    await edit(dashboard.service, made, { title: 'Theirs' });
  });

  it('an update keeps a manual edit that was displayed in any way, and reports it instead of overwriting it', async () => {
    const { listing_pk, shops } = made;
    ahead_ms += 2 * MINUTE_MS;
    const { shops: standing } = (await call('listing_get', { listing_pk, history: true })) as {
      shops: object[];
    };
    expect(standing).toMatchObject(
      THEIRS.map((theirs) => ({ differs: [{ field: 'listing.title', theirs }] })),
    );
    for (const path of ['', '/listings', `/listings/${listing_pk}`]) {
      expect((await visitor.get(`/dashboard${path}`)).status).toBe(200);
    }
    await call('listings_list', {});
    for (const { shop_id } of shops) await call('store_listings', { shop_id });
    await ask(stranger, 'store_listings', { shop_id: shops[1]?.shop_id });
    ahead_ms += 6 * 60 * MINUTE_MS;
    await dashboard.service.app.core.refreshes.refreshDue(new AbortController().signal);
    await call('listing_get', { listing_pk });
    // A dry run of another change shows the edit too, and so does a colleague's identical dry run.
    await update({ dry_run: true }, { listing: { title: 'Ours', tags: ['other'] } });
    await ask(faces[name]?.colleague, 'listing_update', {
      listing_pk,
      changes: { listing: { title: 'Ours' } },
      dry_run: true,
    });

    expect((await update()).results).toMatchObject([DRIFT, DRIFT]);
    expect((await update()).results).toMatchObject([DRIFT, DRIFT]);
    expect(await listTitles()).toEqual(THEIRS);
  });

  it('an update overwrites the edit that its own dry run has just shown, once', async () => {
    const planned = await update({ dry_run: true });
    expect(planned).toMatchObject({ status: 'valid' });
    for (const { status, diff, warnings } of planned.shops ?? []) {
      expect({ status, diff }).toEqual({
        status: 'ok',
        diff: [{ field: 'listing.title', before: 'Theirs', after: 'Ours', manual_edit: true }],
      });
      expect(warnings).toMatchObject([{ code: 'manual_edit', fields: ['listing.title'] }]);
      expect(warnings[0]?.reason).toContain('repeat this call without dry_run');
    }
    expect(await listTitles()).toEqual(THEIRS);
    const done = {
      status: 'ok',
      diff: [{ field: 'listing.title', before: 'Theirs', after: 'Ours' }],
      warnings: [{ code: 'overwritten', fields: ['listing.title'] }],
    };
    expect((await update()).results).toMatchObject([done, done]);
    expect(await listTitles()).toEqual(['Ours', 'Ours']);

    await edit(dashboard.service, made, { title: 'Theirs' });
    const again = { details: { drift: [{ ours: 'Ours', theirs: 'Theirs' }] } };
    expect((await update()).results).toMatchObject([again, again]);
    expect(await listTitles()).toEqual(THEIRS);
  });

  it('an update is refused if the seller edits again after the dry run, or half an hour has passed', async () => {
    await update({ dry_run: true });
    await edit(dashboard.service, made, { title: 'Theirs again' });
    expect((await update()).results).toMatchObject([{ status: 'error' }, { status: 'error' }]);
    expect(await listTitles()).toEqual(['Theirs again', 'Theirs again']);

    await update({ dry_run: true });
    ahead_ms += 30 * MINUTE_MS + 1;
    expect((await update()).results).toMatchObject([{ status: 'error' }, { status: 'error' }]);
    expect(await listTitles()).toEqual(['Theirs again', 'Theirs again']);
  });

  it('a dry run allows overwriting nothing that its answer is too long to show in full', async () => {
    const description = `Theirs. ${'Long words about a mug. '.repeat(1_500)}`;
    await edit(dashboard.service, made, { description });
    const changes = { listing: { description: 'Ours.' } };
    const planned = await update({ dry_run: true }, changes);
    const [shop] = planned.shops ?? [];
    const isWhole = String(shop?.diff?.[0]?.before).trim() === description.trim();
    expect(isWhole).toBe(name === 'REST');
    const { results } = await update({}, changes);
    const status = isWhole ? 'ok' : 'error';
    expect(results).toMatchObject([{ status }, { status }]);
  });

  it('an update overwrites the edit with on_drift overwrite', async () => {
    const done = { status: 'ok', warnings: [{ code: 'overwritten', fields: ['listing.title'] }] };
    const planned = await update({ on_drift: 'overwrite', dry_run: true });
    expect(planned.shops?.map(({ diff }) => diff?.[0]?.manual_edit)).toEqual([true, true]);
    expect((await update({ on_drift: 'overwrite' })).results).toMatchObject([done, done]);
    expect(await listTitles()).toEqual(['Ours', 'Ours']);
  });
});
