import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createHttpFace, type HttpFace } from '../../src/transports/index.js';
import { readListings, makeListing, type Made } from '../core/listings/update/rig.js';
import { CLAY, TARGETS, buildMug, startService, upload, type TestService } from '../service.js';
import { openMcpHttp, openRest, type Face, type Output } from './faces.js';

/*
 * Listings that the marketplace would refuse are refused here first, on creation and on update, with the fix.
 */

const RINGS = 1238;
const RING_MATERIAL = '366';
/** A listing in the first shop. */
const SAWMILL = 4_410_221;

let service: TestService;
let http: HttpFace;
let key: string;
let image: string;
let made: Made;

beforeAll(async () => {
  service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
  const { account_id } = await service.app.core.accounts.getDefault();
  ({ key } = await service.app.core.accounts.createKey(account_id, 'test'));
  http = await createHttpFace(service.app.service, { host: '127.0.0.1', port: 0, trust_proxy: false });
  image = await upload(service, 'photo-01.jpg');
  made = await makeListing(service);
});
afterAll(async () => {
  await http.close(1_000);
  await service.close();
});
afterEach(() => service.control('POST', '/settings', { vacation_shop_ids: [] }));

const change = (changes: Output, more: Output = {}): Output => ({
  listing_pk: made.listing_pk,
  changes,
  ...more,
});

const FACES: Record<string, (url: string) => Promise<Face>> = {
  REST: (url) => Promise.resolve(openRest(url, key)),
  'MCP over HTTP': (url) => openMcpHttp(url, key),
};

describe.each(Object.keys(FACES))('over %s,', (name) => {
  let face: Face;
  let titles = 0;
  beforeAll(async () => {
    face = await (FACES[name] as (typeof FACES)[string])(`http://127.0.0.1:${http.port}`);
  });
  afterAll(() => face.close());

  const build = (listing: Output, target: Output = {}, more: Output = {}): Output => {
    const { listing: mug, ...rest } = buildMug([{ ...TARGETS.clay, ...target }], { state: 'publish' });
    titles += 1;
    return { ...rest, ...more, listing: { ...mug, title: `Rule ${titles} over ${name}`, ...listing } };
  };
  const call = async (id: string, input: Output): Promise<Output> => {
    const answer = await face.call(id, input);
    if (!answer.ok) throw new Error(answer.error.message);
    return answer.output;
  };
  const refuse = async (id: string, input: Output): Promise<string[]> => {
    const answer = await face.call(id, input);
    return answer.ok ? ['not refused'] : answer.error.message.split('\n');
  };

  describe('a product that someone else makes now', () => {
    const by_others = { who_made: 'someone_else', when_made: 'made_to_order', is_supply: false };
    const missing =
      'shops[0].production_partner_ids: is required for a product that someone else makes: the marketplace refuses the listing without a production partner; add the partner, or correct listing.who_made; "ClayAndOak" has 4410221 ("Blue Ridge Sawmill")';

    it('is refused without a production partner, and accepted with one', async () => {
      expect(await refuse('listing_create', build(by_others))).toEqual([missing]);
      expect(await refuse('listing_create', build(by_others, {}, { state: 'draft' }))).toEqual([missing]);
      const named = build(by_others, { production_partner_ids: [SAWMILL] });
      expect(await call('listing_create', named)).toMatchObject({ results: [{ status: 'ok' }] });
    });

    it.each([
      ['it is a supply', { is_supply: true }],
      ['it is vintage', { when_made: '1990s' }],
    ])('needs no partner if %s', async (_why, more) => {
      const answer = await call('listing_create', build({ ...by_others, ...more }));
      expect(answer).toMatchObject({ results: [{ status: 'ok' }] });
    });

    it('is refused in an update too, and the partner is sent with the change', async () => {
      const shop = { shop_id: CLAY.shop_id };
      const other = await makeListing(service);
      const one = { shops: [CLAY.shop_id], listing_pk: other.listing_pk };
      const [line, ...others] = await refuse('listing_update', change({ listing: by_others }, one));
      expect([line, others]).toEqual([expect.stringContaining('production_partner_ids: is required'), []]);
      const with_partner = { ...by_others, when_made: name === 'REST' ? 'made_to_order' : '2010_2019' };
      const answer = await call(
        'listing_update',
        change({ listing: with_partner, shops: [{ ...shop, production_partner_ids: [SAWMILL] }] }, one),
      );
      expect(answer).toMatchObject({ results: [{ status: 'ok' }] });
      expect((await readListings(service, other))[0]?.fields).toMatchObject(with_partner);
    });
  });

  describe('a price above 50,000 USD', () => {
    const most = 'the marketplace allows at most 50000 USD';

    it.each([
      ['listing_create', 'listing.price', () => build({ price: 50_000.01 })],
      ['listing_create', 'shops[0].price', () => build({}, { price: 50_000.01 })],
      ['listing_update', 'changes.listing.price', () => change({ listing: { price: 50_000.01 } })],
      ['listing_update', 'changes.offerings[0].price', () => change({ offerings: [{ price: 50_000.01 }] })],
      [
        'listing_update',
        'changes.shops[0].price',
        () => change({ shops: [{ shop_id: CLAY.shop_id, price: 50_000.01 }] }),
      ],
    ])('is refused by %s in %s', async (id, path, toInput) => {
      expect(await refuse(id, toInput())).toEqual([`${path}: is 50000.01; ${most}`]);
    });

    it('is refused for a combination that only one shop has', async () => {
      const properties = [{ property_id: 513, name: 'Glaze', values: ['Oat', 'Moss'] }];
      const { listing_pk } = await call('listing_create', build({}, {}, { variations: { properties } }));
      const offerings = [{ glaze: 'Moss', price: 50_000.01 }];
      expect(await refuse('listing_update', { listing_pk, changes: { offerings } })).toEqual([
        `changes.offerings[0].price: is 50000.01; ${most}`,
      ]);
    });
  });

  it('no listing is activated in a shop on vacation', async () => {
    await service.control('POST', '/settings', { vacation_shop_ids: [CLAY.shop_id] });
    await call('store_sync', { shop_id: CLAY.shop_id });
    expect(
      await refuse('listing_create', build({}, {}, { state: 'active', images: [{ url: image }] })),
    ).toEqual([
      'shops[0].shop_id: "ClayAndOak" is on vacation, so its listings cannot be activated; turn off vacation mode in Shop Manager, then call store_sync',
    ]);
    await service.control('POST', '/settings', { vacation_shop_ids: [] });
    await call('store_sync', { shop_id: CLAY.shop_id });
  });

  describe('an update of an active listing', () => {
    it('is refused if the new category requires an attribute that it lacks', async () => {
      const lines = await refuse('listing_update', change({ listing: { taxonomy_id: RINGS } }));
      expect(lines).toEqual([
        expect.stringMatching(
          /^changes\.category_attributes\.366: is required for state active \("Ring material"\)/,
        ),
      ]);
    });

    it('is written if it brings the attribute that the new category requires', async () => {
      const rings = {
        listing: { taxonomy_id: RINGS },
        category_attributes: { [RING_MATERIAL]: { values: ['Brass'] } },
      };
      const { results } = await call('listing_update', change(rings));
      expect(results).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
      for (const there of await readListings(service, made)) {
        expect(there).toMatchObject({ state: 'active', fields: { taxonomy_id: RINGS } });
      }
      const undone = await call('listing_undo', { listing_pk: made.listing_pk });
      expect(undone['results']).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
    });

    it('sends who_made, when_made and is_supply together', async () => {
      const { results } = await call(
        'listing_update',
        change({ listing: { when_made: name === 'REST' ? '2010_2019' : '1990s' } }),
      );
      expect(results).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
    });

    it('reports a new SKU that is truncated for the marketplace', async () => {
      const sku_new = `A-SKU-OF-FORTY-CHARACTERS-${name.length}123456789012`;
      const answer = await call('listing_update', change({ offerings: [{ sku_new }] }, { dry_run: true }));
      const reason = `The marketplace accepts SKUs of at most 32 characters: changes.offerings[0].sku_new is sent as "${sku_new.slice(0, 32)}".`;
      const warning = { code: 'sku_cut', level: 'warning', fields: ['changes.offerings[0].sku_new'], reason };
      expect(JSON.stringify(answer)).toContain(JSON.stringify(reason).slice(1, -1));
      expect(answer['warnings']).toContainEqual(warning);
    });
  });

  it('says that no combination can be named because a variation is called SKU', async () => {
    const { listing_ids } = await service.control<{ listing_ids: number[] }>('POST', '/listings', {
      shop_id: CLAY.shop_id,
      variations: [{ property_id: 513, name: 'SKU', values: ['A', 'B'] }],
    });
    const imported = await call('listing_import', { shop_id: CLAY.shop_id, listing_ids });
    const [{ listing_pk }] = imported['results'] as [{ listing_pk: number }];
    const changes = { offerings: [{ sku: 'B', price: 33 }] };
    expect(await refuse('listing_update', { listing_pk, changes })).toEqual([
      'changes.offerings[0]: cannot select a combination: the listing varies by "SKU", which is also a field of offerings; rename that property on the marketplace, then import the listing again',
    ]);
  });
});
