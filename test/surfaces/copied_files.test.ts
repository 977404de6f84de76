import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDashboard, type TestDashboard } from '../dashboard/visitor.js';
import { CLAY, LINEN, listTargets, MUGS, upload } from '../service.js';
import { openMcpHttp, openRest, type Face, type Output } from './faces.js';

/* Which digital file a copy gets, and how an imported listing joins another one, over REST and over MCP. */

type State = {
  listings: { listing_id: number; shop_id: number; files: { name: string }[] }[];
  calls: Record<string, number>;
};

let dashboard: TestDashboard;
let faces: { rest: Face; mcp: Face };
let file = '';
beforeAll(async () => {
  dashboard = await startDashboard();
  const { key } = await dashboard.service.app.core.accounts.createKey(dashboard.account_id, 'test');
  faces = { rest: openRest(dashboard.url, key), mcp: await openMcpHttp(dashboard.url, key) };
  await listTargets(dashboard.service);
  file = await upload(dashboard.service, 'pattern.pdf', 'digital');
});
afterAll(async () => {
  await faces.mcp.close();
  await dashboard.close();
});

const look = () => dashboard.service.control<State>('GET', '/state');
const replaceFile = (listing_id: number) =>
  dashboard.service.control('POST', `/listings/${listing_id}/edit`, { files: [{ name: 'second.pdf' }] });
const listFiles = async (results: unknown) => {
  const [{ listing_id } = {}] = results as { listing_id?: number }[];
  return (await look()).listings.find((listing) => listing.listing_id === listing_id)?.files;
};
/** Made on the marketplace, and the same in every shop. */
const makeTwin = async (shop_id: number, name: string) => {
  const { listing_ids } = await dashboard.service.control<{ listing_ids: number[] }>('POST', '/listings', {
    shop_id,
    is_plain: true,
    title: `Twin ${name}`,
    products: [{ sku_new: 'TWIN', price: 18 }],
  });
  return listing_ids;
};

describe.each(['rest', 'mcp'] as const)('over %s', (name) => {
  const ask = (id: string, input: Output) => faces[name].call(id, input);
  const call = async (id: string, input: Output) => {
    const answer = await ask(id, input);
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    return answer.output;
  };
  const refuse = async (id: string, input: Output) => {
    const answer = await ask(id, input);
    if (answer.ok) throw new Error(`not refused: ${JSON.stringify(answer.output)}`);
    return answer.error;
  };
  const make = async (title: string, shop_ids = [CLAY.shop_id]) => {
    const image = await upload(dashboard.service, 'photo-01.jpg');
    const { listing_pk, results } = await call('listing_create', {
      state: 'publish',
      shops: shop_ids.map((shop_id) => ({ shop_id })),
      listing: {
        title: `${title} ${name}`,
        description: 'A pattern.',
        listing_type: 'digital',
        taxonomy_id: MUGS,
        price: 6,
        quantity: 10,
      },
      images: [{ url: image }],
      digital_files: [{ url: file, name: 'pattern.pdf' }],
    });
    const [{ listing_id = 0 } = {}] = results as { listing_id?: number }[];
    return { listing_pk: Number(listing_pk), listing_id };
  };
  const shops = [{ shop_id: LINEN.shop_id, price: 6 }];

  it("a copy includes the shop's file, and does not warn that it is left out", async () => {
    const { listing_pk } = await make('Untouched');
    const { results, warnings } = await call('listing_copy', { listing_pk, shops, state: 'publish' });
    expect(results).toMatchObject([{ status: 'ok' }]);
    expect(await listFiles(results)).toMatchObject([{ name: 'pattern.pdf' }]);
    const own = (results as { warnings?: object[] }[]).flatMap((result) => result.warnings ?? []);
    expect(JSON.stringify([warnings, own])).not.toContain('digital_files');
  });

  it.each(['publish', 'active'])(
    'a copy leaves out a file that was replaced in the shop (%s)',
    async (state) => {
      const { listing_pk, listing_id } = await make(`Replaced for ${state}`);
      await replaceFile(listing_id);
      const before = (await look()).listings.length;
      for (const dry_run of [true, false]) {
        const { code, message } = await refuse('listing_copy', { listing_pk, shops, state, dry_run });
        expect(code).toBe('VALIDATION_FAILED');
        expect(message).toMatch(/^changes\.digital_files: .*"second\.pdf"/m);
      }
      expect((await look()).listings).toHaveLength(before);
      const changes = { digital_files: [{ url: file, name: 'third.pdf' }] };
      const { results } = await call('listing_copy', { listing_pk, shops, state: 'publish', changes });
      expect(await listFiles(results)).toMatchObject([{ name: 'third.pdf' }]);
    },
  );

  it('publishing a saved copy does not send a replaced file', async () => {
    const { listing_pk, listing_id } = await make('Saved');
    await call('listing_copy', { listing_pk, shops });
    await replaceFile(listing_id);
    const { message } = await refuse('listing_publish', { listing_pk, state: 'publish' });
    expect(message).toContain('second.pdf');
  });

  it('a shop whose creation got no response is finished, though the other shop has a new file', async () => {
    const rule = { operation: 'createDraftListing', shop_id: LINEN.shop_id, times: 9 };
    const action = { type: 'reset' };
    await dashboard.service.control('POST', '/faults', { rules: [{ ...rule, action }] });
    const { listing_pk, listing_id } = await make('Half made', [CLAY.shop_id, LINEN.shop_id]);
    await dashboard.service.control('DELETE', '/faults');
    await replaceFile(listing_id);
    const { results } = await call('listing_publish', { listing_pk, state: 'publish' });
    const own = (results as { shop_id: string }[]).filter(({ shop_id }) => shop_id === `${LINEN.shop_id}`);
    expect(own).toMatchObject([{ status: 'ok' }]);
    expect(await listFiles(own)).toMatchObject([{ name: 'pattern.pdf' }]);
  });

  it('a copy with its own files reads none from the first shop', async () => {
    const { listing_pk } = await make('Given');
    const changes = { digital_files: [{ url: file, name: 'third.pdf' }] };
    const before = (await look()).calls['getAllListingFiles'];
    await call('listing_copy', { listing_pk, shops, state: 'publish', changes, dry_run: true });
    expect((await look()).calls['getAllListingFiles']).toBe(before);
  });

  it('an import error names the way to join a listing that was already imported', async () => {
    const [mine, twin] = [await makeTwin(CLAY.shop_id, name), await makeTwin(LINEN.shop_id, name)];
    const take = async (shop_id: number, listing_ids: number[], join?: number) => {
      const { results } = await call('listing_import', { shop_id, listing_ids, ...(join && { join }) });
      return (results as { status: string; listing_pk: number; error?: string; code?: string }[])[0];
    };
    const { listing_pk = 0 } = (await take(CLAY.shop_id, mine)) ?? {};
    const own = (await take(LINEN.shop_id, twin))?.listing_pk ?? 0;
    const refused = await take(LINEN.shop_id, twin, listing_pk);
    expect(refused).toMatchObject({ status: 'error' });
    expect(refused?.error).toMatch(
      new RegExp(`listing ${own}\\b.*listing ${listing_pk}\\b.*listing_delete.*listing ${own}\\b.*join`),
    );
    // The way it names works.
    await call('listing_delete', { listing_pk: own });
    expect(await take(LINEN.shop_id, twin, listing_pk)).toMatchObject({ status: 'imported', listing_pk });
  });
});

it('a copy includes the last known file if the first shop has to be reconnected', async () => {
  const image = await upload(dashboard.service, 'photo-01.jpg');
  const { listing_pk } = await dashboard.service.call<{ listing_pk: number }>('listing_create', {
    state: 'publish',
    shops: [{ shop_id: CLAY.shop_id }],
    listing: {
      title: 'Unread',
      description: 'A pattern.',
      listing_type: 'digital',
      taxonomy_id: MUGS,
      price: 6,
      quantity: 10,
    },
    images: [{ url: image }],
    digital_files: [{ url: file, name: 'pattern.pdf' }],
  });
  const { account_id, service } = dashboard;
  await service.app.core.connecting.disconnect({ account_id, shop_id: CLAY.shop_id });
  const shops = [{ shop_id: LINEN.shop_id, price: 6 }];
  const copied = await faces.rest.call('listing_copy', { listing_pk, shops, state: 'publish' });
  expect(copied).toMatchObject({ ok: true, output: { results: [{ status: 'ok' }] } });
});
