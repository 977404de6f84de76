import type { ListingJobResult, Warning } from '../../answers.js';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpFace } from '../../../src/transports/index.js';
import {
  buildMug,
  fixturePath,
  MUGS,
  startService,
  TARGETS,
  upload,
  type TestService,
} from '../../service.js';
import { openMcpHttp, openRest, type Face } from '../faces.js';

/*
 * Anything that a request leaves open, or that the marketplace would refuse, is reported before anything is
 * sent. A request that is called valid is then accepted, over REST and over MCP alike.
 */

const SHIRTS = 482;
const RINGS = 1238;
const SHOES = 1429;
const NOWHERE = 88_888_888;

type State = {
  listings: {
    fields: { title: string };
    state: string;
    inventory: { sent: { products: { property_values: { scale_id: number; value_ids: number[] }[] }[] } };
  }[];
  fees: unknown[];
};

/** The warnings beyond harmless defaults. */
const listOwn = (warnings: readonly Warning[] | undefined) =>
  (warnings ?? []).filter(({ level }) => level !== 'note');

const mismatch = (reason: string) => ({
  code: 'processing_profile_mismatch',
  level: 'warning',
  fields: ['shops[0].processing_profile_id', 'listing.processing_min', 'listing.processing_max'],
  reason,
});

const FACES: Record<string, (url: string, key: string) => Promise<Face>> = {
  REST: async (url, key) => openRest(url, key),
  'MCP over HTTP': openMcpHttp,
};

describe.each(Object.keys(FACES))('over %s', (name) => {
  let service: TestService;
  let http: Awaited<ReturnType<typeof createHttpFace>>;
  let face: Face;
  let origin: string;
  let key: string;
  let photos: Server;
  let photo_url: string;
  let count = 0;

  beforeAll(async () => {
    service = await startService();
    http = await createHttpFace(service.app.service, { host: '127.0.0.1', port: 0, trust_proxy: false });
    const { account_id } = await service.app.core.accounts.getDefault();
    ({ key } = await service.app.core.accounts.createKey(account_id, name));
    origin = `http://127.0.0.1:${http.port}`;
    face = await (FACES[name] as (typeof FACES)[string])(origin, key);
    const photo = await readFile(fixturePath('photo-01.jpg'));
    photos = createServer((_request, response) => response.end(photo));
    await new Promise<void>((done) => photos.listen(0, '127.0.0.1', done));
    photo_url = `http://127.0.0.1:${(photos.address() as AddressInfo).port}/mug.jpg`;
  });
  afterAll(async () => {
    await face.close();
    await http.close(1_000);
    await service.close();
    photos.closeAllConnections();
    await new Promise((done) => photos.close(done));
  });

  /** A valid request with a unique title and its own category. */
  function build(more: Record<string, unknown> = {}, listing: object = {}, target: object = {}) {
    const mug = buildMug([{ ...TARGETS.clay, ...target }], more);
    count += 1;
    return { ...mug, listing: { ...mug.listing, title: `Number ${count}`, ...listing } };
  }

  async function create(body: object): Promise<ListingJobResult> {
    const answer = await face.call('listing_create', body as Record<string, unknown>);
    if (!answer.ok) throw new Error(answer.error.message);
    return answer.output as ListingJobResult;
  }

  async function refuse(body: object): Promise<string[]> {
    const answer = await face.call('listing_create', body as Record<string, unknown>);
    if (answer.ok) throw new Error(`not refused: ${JSON.stringify(answer.output)}`);
    expect(answer.error.code).toBe('VALIDATION_FAILED');
    return answer.error.message.split('\n');
  }

  const look = () => service.control<State>('GET', '/state');

  describe('a category that has not been read', () => {
    it('is not called right, and a draft names the fields that were not checked', async () => {
      const more = { category_attributes: { 185: { value_ids: [1] } } };
      const body = build(more, { taxonomy_id: NOWHERE });
      const checked = await create({ ...body, dry_run: true });
      const not_checked = {
        code: 'not_checked',
        level: 'warning',
        fields: ['listing.taxonomy_id', 'category_attributes.185'],
        reason:
          'Category 88888888 has not been read yet, and saving a draft makes no calls to the marketplace; these fields are checked when the listing is published. To read the category now, call listing_schema.',
      };
      expect(checked).toMatchObject({
        status: 'valid',
        message:
          'No problems in the parts that were checked; the warnings not_checked name the parts that were not. Nothing was saved or sent.',
      });
      expect(listOwn(checked.warnings)).toEqual([not_checked]);
      const draft = await create(body);
      expect([draft.status, listOwn(draft.warnings)]).toEqual(['draft', [not_checked]]);
      const again = await create(body);
      expect(again.listing_pk).toBe(draft.listing_pk);
      expect(listOwn(again.warnings).map(({ code }) => code)).toEqual(['not_checked', 'replayed']);
    });

    it('has only its fields left unchecked if the category tree is known', async () => {
      await face.call('categories_search', { keywords: 'mug' });
      expect(await refuse(build({}, { taxonomy_id: NOWHERE }))).toEqual([
        'listing.taxonomy_id: is 88888888, which is not a marketplace category; categories_search finds categories by keyword',
      ]);
      expect(listOwn((await create(build())).warnings)).toEqual([]);
      const variations = { properties: [{ property_id: 513, name: 'Glaze', values: ['Oat'] }] };
      const [warning] = listOwn((await create(build({ variations }))).warnings);
      expect(warning).toMatchObject({ code: 'not_checked', fields: ['variations.properties'] });
    });

    it('is fully checked once it has been read', async () => {
      await face.call('listing_schema', { category_id: MUGS });
      const checked = await create({ ...build(), dry_run: true });
      expect(checked.message).toBe('No problems found. Nothing was saved or sent.');
    });
  });

  it('a draft names files that it does not download, and not those checked on upload', async () => {
    const image = await upload(service, 'photo-02.jpg');
    const file = await upload(service, 'photo-03.jpg', 'digital');
    const draft = await create(build({ images: [{ url: image }, { url: photo_url }, { url: file }] }));
    expect(listOwn(draft.warnings)).toEqual([
      {
        code: 'not_checked',
        level: 'warning',
        fields: ['images[1].url', 'images[2].url'],
        reason: 'The files of a draft are not downloaded; they are checked when the listing is published.',
      },
    ]);
    const images = [{ url: photo_url }];
    expect((await create(build({ state: 'publish', images, dry_run: true }))).message).toBe(
      'No problems found. Nothing was saved or sent.',
    );
  });

  it('an idempotency key that came with another body is refused by a dry run too', async () => {
    const idempotency_key = `one-key-${name.length}`;
    await create(build({ idempotency_key }));
    for (const dry_run of [true, false]) {
      expect(await face.call('listing_create', build({ idempotency_key, dry_run }))).toMatchObject({
        ok: false,
        error: { code: 'IDEMPOTENCY_KEY_REUSED' },
      });
    }
  });

  describe('the scale of values', () => {
    it.each([
      ['sizes', SHIRTS, { property_id: 100, name: 'Size', values: ['S', 'm'] }, 25, [[1102], [1103]]],
      ['ring sizes', RINGS, { property_id: 101, name: 'Ring size', values: ['6', '6.5'] }, 45, [[1202], []]],
      [
        'capacities',
        MUGS,
        { property_id: 185, name: 'Capacity', values: ['300', '350'] },
        332,
        [[5212], [5213]],
      ],
    ])(
      'is inferred for %s, and the request that is called valid is accepted',
      async (_what, taxonomy_id, property, scale_id, ids) => {
        const body = build({ state: 'publish', variations: { properties: [property] } }, { taxonomy_id });
        expect((await create({ ...body, dry_run: true })).message).toMatch(/^No problems found/);
        const { results } = await create(body);
        expect(
          results?.map(({ status, error, warnings }) => ({ status, error, own: listOwn(warnings) })),
        ).toEqual([{ status: 'ok', own: [] }]);
        const sent = (await look()).listings.find(({ fields }) => fields.title === body.listing.title);
        expect(
          sent?.inventory.sent.products.map(({ property_values: [value] }) => [
            value?.scale_id,
            value?.value_ids,
          ]),
        ).toEqual(ids.map((value_ids) => [scale_id, value_ids]));
      },
    );

    it.each([
      ['an id', { value_ids: [5203] }],
      ['a name', { values: ['350'] }],
    ])('is inferred for an attribute given by %s', async (_what, capacity) => {
      const body = build({ state: 'publish', category_attributes: { 185: capacity } });
      const { results } = await create(body);
      expect(results?.map(({ status, warnings }) => [status, listOwn(warnings)])).toEqual([['ok', []]]);
    });

    it.each([
      [
        'sizes that two countries have',
        SHOES,
        { variations: { properties: [{ property_id: 368, name: 'Size', values: ['6', '7'] }] } },
        'variations.properties[0].scale_id: is missing: the values of "Shoe size" match several scales; use one of 18 ("UK"), 19 ("US/Canada")',
      ],
      [
        'sizes of different countries',
        SHOES,
        { variations: { properties: [{ property_id: 368, name: 'Size', values: ['5', '38'] }] } },
        'variations.properties[0].scale_id: cannot be chosen: the values of "Shoe size" belong to different scales, 18 ("UK"), 20 ("EU"); use values of only one scale',
      ],
      [
        'a measure without its unit',
        MUGS,
        { variations: { properties: [{ property_id: 505, name: 'Height', values: ['10', '12'] }] } },
        'variations.properties[0].scale_id: is missing: the values of "Height" match several scales; use one of 5 ("Inches"), 6 ("Centimeters")',
      ],
      [
        'an attribute by a name of two countries',
        SHOES,
        { category_attributes: { 368: { values: ['8'] } } },
        'category_attributes.368.scale_id: is missing: the values of "Shoe size" match several scales; use one of 18 ("UK"), 19 ("US/Canada")',
      ],
    ])('must be given if several fit: %s', async (_what, taxonomy_id, more, line) => {
      for (const dry_run of [true, false]) {
        expect(await refuse(build({ state: 'publish', ...more, dry_run }, { taxonomy_id }))).toEqual([line]);
      }
    });
  });

  describe('processing days', () => {
    const days = { processing_min: 21, processing_max: 28 };
    const none = mismatch(
      'No processing profile fits the requested processing time, 21 to 28 days; 1386200000101 ("1 - 2 days") is used instead. To use another one, set processing_profile_id to one of the profiles of "ClayAndOak": 1386200000101 ("1 - 2 days"), 1386200000102 ("3 - 5 days"), 1386200000103 ("5 - 10 days").',
    );

    it('that fit no profile are reported, for a draft and before it is published', async () => {
      expect((await create(build({}, days))).warnings).toEqual([none]);
      const checked = await create(build({ state: 'publish', dry_run: true }, days));
      expect(checked.shops?.map(({ warnings }) => warnings)).toEqual([[none]]);
      expect(checked.message).toBe(
        'It would be accepted; the warnings say what will differ from the request. Nothing was saved or sent.',
      );
    });
    it('that the named profile does not cover are reported', async () => {
      const target = { processing_profile_id: 1386200000102 };
      expect((await create(build({}, days, target))).warnings).toEqual([
        mismatch(
          'The chosen processing profile, 1386200000102 ("3 - 5 days"), does not fit the requested processing time, 21 to 28 days, but is used anyway.',
        ),
      ]);
    });
    it('that fit a profile select it, which is reported as a note', async () => {
      expect((await create(build({}, { processing_min: 3, processing_max: 5 }))).warnings).toEqual([
        {
          code: 'processing_profile_defaulted',
          level: 'note',
          fields: ['shops[0].processing_profile_id'],
          reason: 'No processing profile was sent; 1386200000102 ("3 - 5 days") is used.',
        },
      ]);
    });
    it('do not matter if every offering names its own profile', async () => {
      const properties = [{ property_id: 513, name: 'Glaze', values: ['Oat', 'Sea'] }];
      const offerings = [
        { glaze: 'Oat', processing_profile_id: 1386200000101 },
        { glaze: 'Sea', processing_profile_id: 1386200000103 },
      ];
      const variations = { properties, offerings };
      expect((await create(build({ variations }, days))).warnings).toBeUndefined();
      const [, sea] = offerings;
      const some = { properties, offerings: [{ glaze: 'Oat' }, sea] };
      expect((await create(build({ variations: some }, days))).warnings).toEqual([none]);
    });
  });

  describe('instructions for personalization', () => {
    it.each([
      [
        'more than 120 characters',
        `Name ${'x'.repeat(120)}`,
        'has 125 characters; the marketplace allows 120',
      ],
      ['a quotation mark first', '"Name" on the mug', 'starts with "; it must start with a letter or number'],
      [
        'three words in capitals',
        'Please WRITE THE NAME here',
        'has 3 words in a row in capital letters ("WRITE THE NAME"), which the marketplace does not allow; use lowercase',
      ],
    ])(
      'with %s cause a warning for draft and publish, and stop active before the fee',
      async (_what, instructions, problem) => {
        const more = {
          personalization: { enabled: true, is_required: true, instructions },
          images: [{ url: await upload(service, 'photo-01.jpg') }],
        };
        const warning = {
          code: 'marketplace_limit',
          level: 'warning',
          fields: ['personalization.instructions'],
          reason: `personalization.instructions ${problem}. It is sent unchanged, and the marketplace may refuse it; a call with state active fails before any fee is charged.`,
        };
        const draft = await create(build(more));
        expect(listOwn(draft.warnings)).toEqual([warning]);
        const checked = await create(build({ ...more, state: 'publish', dry_run: true }));
        expect(listOwn(checked.warnings)).toEqual([warning]);
        const { fees } = await look();
        const line = `personalization.instructions: ${problem}; correct it before the listing is activated`;
        for (const dry_run of [true, false]) {
          expect(await refuse(build({ ...more, state: 'active', dry_run }))).toEqual([line]);
        }
        const put_live = await face.call('listing_publish', {
          listing_pk: draft.listing_pk,
          state: 'active',
        });
        expect(put_live).toMatchObject({ ok: false, error: { message: line } });
        expect((await look()).fees).toEqual(fees);
        // The marketplace really refuses them.
        const published = await face.call('listing_publish', {
          listing_pk: draft.listing_pk,
          state: 'publish',
        });
        const [shop] = (published.ok ? published.output : {})['results'] as { warnings: Warning[] }[];
        expect(listOwn(shop?.warnings).map(({ code }) => code)).toEqual([
          'marketplace_limit',
          'personalization_failed',
        ]);
      },
    );

    it.each(['Name, up to 12 letters', '12 letters', 'ABC or a NAME', 'A B C', 'SIZE 7'])(
      'such as %j are accepted, also by the marketplace',
      async (instructions) => {
        const images = [{ url: await upload(service, 'photo-01.jpg') }];
        const personalization = { enabled: true, is_required: true, instructions };
        const { results } = await create(build({ state: 'active', images, personalization }));
        expect(results?.map(({ activated, warnings }) => [activated, listOwn(warnings)])).toEqual([
          [true, []],
        ]);
      },
    );
  });

  it('a digital file above 20 MB causes a warning for draft and publish, and stops active before the fee', async () => {
    const large = Buffer.concat([await readFile(fixturePath('pattern.pdf')), Buffer.alloc(20 * 1024 * 1024)]);
    const form = new FormData();
    form.set('type', 'digital');
    form.set('file', new Blob([large]), 'large.pdf');
    const headers = { 'x-service-api-key': key };
    const uploaded = await fetch(`${origin}/api/v1/uploads`, { method: 'POST', headers, body: form });
    const { url } = (await uploaded.json()) as { url: string };
    const more = { digital_files: [{ url }], images: [{ url: await upload(service, 'photo-01.jpg') }] };
    const digital = { listing_type: 'digital', when_made: '2020_2026', taxonomy_id: MUGS };
    const target = { shipping_profile_id: undefined, return_policy_id: undefined };
    const problem =
      'is "large.pdf", which is larger than the marketplace\'s limit of 20 MB; use a smaller file';
    const warning = {
      code: 'marketplace_limit',
      level: 'warning',
      fields: ['digital_files[0].url'],
      reason: `digital_files[0].url ${problem}. It is sent unchanged, and the marketplace may refuse it; a call with state active fails before any fee is charged.`,
    };
    expect((await create(build(more, digital, target))).warnings).toEqual([warning]);
    const checked = await create(build({ ...more, state: 'publish', dry_run: true }, digital, target));
    expect(checked.warnings).toEqual([warning]);
    expect(await refuse(build({ ...more, state: 'active' }, digital, target))).toEqual([
      `digital_files[0].url: ${problem}; correct it before the listing is activated`,
    ]);
  });

  describe('a name in place of an id', () => {
    it.each([
      [
        'a section',
        { shop_section_id: 'Mugs' },
        'shops[0].shop_section_id',
        '"ClayAndOak" has 40118201 ("Mugs"), ',
      ],
      [
        'a shipping profile',
        { shipping_profile_id: 'Small' },
        'shops[0].shipping_profile_id',
        '"ClayAndOak" has 211740301 ("Small parcel"), ',
      ],
      [
        'a return policy',
        { return_policy_id: '30 days' },
        'shops[0].return_policy_id',
        '"ClayAndOak" has 1142500101 ("returns and exchanges within 30 days"), ',
      ],
      [
        'a processing profile',
        { processing_profile_id: '1-2 days' },
        'shops[0].processing_profile_id',
        '"ClayAndOak" has 1386200000101 ("1 - 2 days"), ',
      ],
      [
        'a partner',
        { production_partner_ids: ['Sawmill'] },
        'shops[0].production_partner_ids[0]',
        '"ClayAndOak" has 4410221 ("Blue Ridge Sawmill")',
      ],
      [
        'partners',
        { production_partner_ids: 'Sawmill' },
        'shops[0].production_partner_ids',
        '"ClayAndOak" has 4410221 ("Blue Ridge Sawmill")',
      ],
    ])('is answered with the choices of the shop: %s', async (_what, target, path, choices) => {
      const [line = '', ...others] = await refuse(build({}, {}, target));
      expect(others).toEqual([]);
      expect(line).toMatch(new RegExp(`^${path.replaceAll(/[[\]]/g, '\\$&')}: must be an? `));
      expect(line).toContain(`; ${choices}`);
    });

    it('is answered with the profiles of every shop for an offering', async () => {
      const properties = [{ property_id: 513, name: 'Glaze', values: ['Oat'] }];
      const offerings = [{ glaze: 'Oat', processing_profile_id: 'quick' }];
      expect(await refuse(build({ variations: { properties, offerings } }))).toEqual([
        'variations.offerings[0].processing_profile_id: must be a number, not a string; "ClayAndOak" has 1386200000101 ("1 - 2 days"), 1386200000102 ("3 - 5 days"), 1386200000103 ("5 - 10 days")',
      ]);
    });

    it('is answered with the categories of that name, or of the title', async () => {
      const choices =
        'possible matches: 1062 ("Home & Living > Kitchen & Dining > Drink & Barware > Drinkware > Mugs"); categories_search finds categories by keyword';
      expect(await refuse(build({}, { taxonomy_id: 'Mugs' }))).toEqual([
        `listing.taxonomy_id: must be a number, not a string; ${choices}`,
      ]);
      expect(await refuse(build({}, { taxonomy_id: undefined, title: 'A mug' }))).toEqual([
        `listing.taxonomy_id: is required; ${choices}`,
      ]);
    });

    it.each([
      ['missing', { name: 'Ring size', values: ['6'] }, 'is required'],
      [
        'that name',
        { property_id: 'Ring size', name: 'Size', values: ['6'] },
        'must be a number, not a string',
      ],
      ['missing, its name shorter', { name: 'Sizes', values: ['6'] }, 'is required'],
    ])('is answered with the property of that name first: %s', async (_what, property, problem) => {
      await face.call('listing_schema', { category_id: RINGS });
      const [line = ''] = await refuse(
        build({ variations: { properties: [property] } }, { taxonomy_id: RINGS }),
      );
      expect(
        line.startsWith(
          `variations.properties[0].property_id: ${problem}; category 1238 has 101 ("Ring size"), 513 `,
        ),
      ).toBe(true);
    });

    it('is answered with the values and scales', async () => {
      const category_attributes = { 185: { value_ids: ['12 oz'], scale_id: 'oz' } };
      expect(await refuse(build({ category_attributes }))).toEqual([
        expect.stringMatching(
          /^category_attributes\.185\.value_ids\[0\]: must be .*; use one of 5201 \("8"\), 5202 \("10"\), /,
        ),
        'category_attributes.185.scale_id: must be a number, not a string; use one of 331 ("Fluid ounces"), 332 ("Milliliters")',
      ]);
      const properties = [{ property_id: 505, name: 'Height', values: ['10'], scale_id: 'inches' }];
      expect(await refuse(build({ variations: { properties } }))).toContain(
        'variations.properties[0].scale_id: must be a number, not a string; use one of 5 ("Inches"), 6 ("Centimeters")',
      );
    });
  });

  it('a photo given as a file path or inline is answered with a pointer to file_upload', async () => {
    const images = ['/home/me/mug.jpg', 'file:///home/me/mug.jpg', 'data:image/png;base64,AAAA'].map(
      (url) => ({ url }),
    );
    const problem =
      'is a file path, not a URL; upload the file with file_upload and use the url that it returns';
    expect(await refuse(build({ images }))).toEqual(
      [0, 1, 2].map((index) => `images[${index}].url: ${problem}`),
    );
  });

  it('a variation image given as a URL is answered with the photo index to use', async () => {
    const images = [{ url: 'https://shop.example/a.jpg' }, { url: 'https://shop.example/b.jpg' }];
    const variations = {
      properties: [{ property_id: 513, name: 'Glaze', values: ['Oat', 'Sea 2.0'] }],
      variation_images: {
        property: 'Glaze',
        mapping: { Oat: 'https://shop.example/x.jpg', 'Sea 2.0': images[1]?.url },
      },
    };
    const message = 'must be a number, not a string; it is the 0-based index of a photo in images[]';
    expect(await refuse(build({ images, variations }))).toEqual([
      `variations.variation_images.mapping.Oat: ${message}`,
      `variations.variation_images.mapping.Sea 2.0: ${message}; use 1 for that photo`,
    ]);
  });
});
