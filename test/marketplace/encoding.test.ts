import { afterEach, describe, expect, it } from 'vitest';
import { buildFile } from './files.js';
import { buildRig, SHOP, type Rig } from './rig.js';
import { buildQuestion, buildWireInventory, buildWireListing, DRAFT, INVENTORY } from './samples.js';
import { startScriptedServer, type ScriptedAnswer, type ScriptedServer } from './scripted_server.js';

let server: ScriptedServer;
let rig: Rig;

afterEach(async () => {
  await rig.client.close();
  await server.close();
});

async function open(...script: ScriptedAnswer[]) {
  server = await startScriptedServer(script);
  rig = buildRig(server.url, { call_timeout_ms: 2_000, upload_timeout_ms: 2_000 });
  return rig.client;
}

function getSeen() {
  const [seen] = server.seen;
  if (!seen) throw new Error('nothing was sent');
  return seen;
}

const getForm = () => Object.fromEntries(new URLSearchParams(getSeen().body.toString()));

describe('every request', () => {
  it("is signed with the key, the secret and the shop's token, and names this service", async () => {
    const client = await open({ status: 200, json: buildWireListing() });
    await client.getListing(SHOP, 7);
    expect(getSeen()).toMatchObject({ method: 'GET', path: '/v3/application/listings/7', query: {} });
    expect(getSeen().headers).toMatchObject({
      'x-api-key': 'key:shh',
      authorization: 'Bearer 77.first-access',
      'user-agent': 'test-agent/1',
      accept: 'application/json',
    });
  });

  it('goes without a token if the key is enough', async () => {
    const client = await open({ status: 200, json: { count: 0, results: [] } });
    await client.listReturnPolicies(SHOP);
    expect(getSeen().path).toBe('/v3/application/shops/501/policies/return');
    expect(getSeen().headers['x-api-key']).toBe('key:shh');
    expect(getSeen().headers.authorization).toBeUndefined();
  });
});

describe('a form', () => {
  it("of a draft has comma-separated lists and the wire's names, and omits undefined values and empty lists", async () => {
    const client = await open({ status: 201, json: buildWireListing() });
    await client.createDraftListing(SHOP, DRAFT);
    expect(getSeen()).toMatchObject({ method: 'POST', path: '/v3/application/shops/501/listings' });
    expect(getSeen().headers['content-type']).toBe('application/x-www-form-urlencoded; charset=utf-8');
    expect(getSeen().headers['content-length']).toBe(String(getSeen().body.length));
    expect(getForm()).toEqual({
      title: 'Speckled Mug & Saucer = 100%',
      description: 'Line one\nline two – ünïcode ☕',
      type: 'physical',
      taxonomy_id: '1062',
      price: '34.5',
      quantity: '5',
      who_made: 'i_did',
      when_made: 'made_to_order',
      is_supply: 'false',
      shipping_profile_id: '11',
      readiness_state_id: '1386200000101',
      production_partner_ids: '3,4',
      tags: 'mug,hand made',
      styles: 'Rustic,Boho',
      should_auto_renew: 'true',
      item_weight: '0.35',
      item_weight_unit: 'kg',
    });
  });

  it('of a change always has the type, and clears with an empty list', async () => {
    const client = await open({ status: 200, json: buildWireListing() });
    await client.updateListing(SHOP, 7, 'digital', { tags: [], shop_section_id: 3, materials: undefined });
    expect(getSeen()).toMatchObject({ method: 'PATCH', path: '/v3/application/shops/501/listings/7' });
    expect(getForm()).toEqual({ tags: '', shop_section_id: '3', type: 'download' });
  });

  it('of a change sends null as empty, and photos in order', async () => {
    const client = await open({ status: 200, json: buildWireListing() });
    const nothing = { shop_section_id: null, return_policy_id: null, item_weight: null, featured_rank: null };
    await client.updateListing(SHOP, 7, 'physical', {
      ...nothing,
      item_weight_unit: null,
      image_ids: [5, 3],
    });
    expect(getForm()).toEqual({
      shop_section_id: '',
      return_policy_id: '',
      item_weight: '',
      featured_rank: '',
      item_weight_unit: '',
      image_ids: '5,3',
      type: 'physical',
    });
  });

  it('of a deactivation has state and type', async () => {
    const client = await open({ status: 200, json: buildWireListing({ state: 'edit' }) });
    const listing = await client.takeOffSale(SHOP, 7, 'digital');
    expect(getSeen()).toMatchObject({ method: 'PATCH', path: '/v3/application/shops/501/listings/7' });
    expect(getForm()).toEqual({ state: 'inactive', type: 'download' });
    expect(listing.state).toBe('inactive');
  });

  it.each([
    { exists: false, method: 'POST' },
    { exists: true, method: 'PUT' },
  ])('of a translation is sent with $method if exists is $exists', async ({ exists, method }) => {
    const client = await open({ status: 200, json: {} });
    const words = { title: 'Tasse & Teller', description: 'Aus Ton', tags: ['tasse', 'ton'] };
    await client.writeTranslation(SHOP, 7, { language: 'de', ...words }, { exists });
    const path = '/v3/application/shops/501/listings/7/translations/de';
    expect(getSeen()).toMatchObject({ method, path });
    expect(getForm()).toEqual({ ...words, tags: 'tasse,ton' });
  });

  it('of an activation has state and type', async () => {
    const client = await open({ status: 200, json: buildWireListing({ state: 'active' }) });
    const listing = await client.activateListing(SHOP, 7, 'physical');
    expect(getSeen()).toMatchObject({ method: 'PATCH', path: '/v3/application/shops/501/listings/7' });
    expect(getForm()).toEqual({ state: 'active', type: 'physical' });
    expect(listing.state).toBe('active');
  });

  it('of an attribute has its values', async () => {
    const client = await open({ status: 200, json: {} });
    const attribute = { property_id: 200, value_ids: [1, 2], values: ['Red', 'Blue'], scale_id: 19 };
    await client.updateAttribute(SHOP, 7, attribute);
    expect(getSeen()).toMatchObject({
      method: 'PUT',
      path: '/v3/application/shops/501/listings/7/properties/200',
    });
    expect(getForm()).toEqual({ value_ids: '1,2', values: 'Red,Blue', scale_id: '19' });
  });
});

describe('a JSON body', () => {
  it('of an inventory is converted both ways: the shop’s own value ids, prices as numbers, nothing deleted', async () => {
    const client = await open({ status: 200, json: buildWireInventory() });
    const stored = await client.updateInventory(SHOP, 7, INVENTORY);
    expect(getSeen()).toMatchObject({ method: 'PUT', path: '/v3/application/listings/7/inventory' });
    const [small, large] = INVENTORY.products;
    const toOffering = ({ price, quantity, is_enabled, readiness_state_id }: typeof small & {}) => ({
      price,
      quantity,
      is_enabled,
      readiness_state_id,
    });
    if (!small || !large) throw new Error('the sample has two products');
    expect(getJson()).toEqual({
      products: [
        { sku: 'MUG-S', property_values: small.property_values, offerings: [toOffering(small)] },
        { sku: 'MUG-L', property_values: large.property_values, offerings: [toOffering(large)] },
      ],
      price_on_property: [513],
      quantity_on_property: [513],
      sku_on_property: [513],
      readiness_state_on_property: [],
    });
    const withId = (product: typeof small, id: number) => ({
      ...product,
      property_values: product.property_values.map((value) => ({ ...value, value_ids: [id] })),
    });
    expect(stored).toEqual({ ...INVENTORY, products: [withId(small, 9001), withId(large, 9002)] });
  });

  it('of variation images maps values to images', async () => {
    const client = await open({ status: 200, json: { count: 0, results: [] } });
    const images = [{ property_id: 513, value_id: 9001, image_id: 5 }];
    await client.updateVariationImages(SHOP, 7, images);
    expect(getSeen()).toMatchObject({
      method: 'POST',
      path: '/v3/application/shops/501/listings/7/variation-images',
    });
    expect(getJson()).toEqual({ variation_images: images });
  });

  it('of an inventory with a third variation declares that it knows the third', async () => {
    const client = await open({ status: 200, json: buildWireInventory() });
    const [product] = INVENTORY.products;
    const [value] = product?.property_values ?? [];
    if (!product || !value) throw new Error('the sample has a variation');
    const products = [{ ...product, property_values: [value, value, value] }];
    await client.updateInventory(SHOP, 7, { ...INVENTORY, products });
    expect(getSeen().query).toEqual({ max_variations_supported: '3' });
  });

  it('of questions omits what a type does not use, and keeps the ids of existing ones', async () => {
    const client = await open({ status: 201, json: { personalization_questions: [] } });
    await client.updateQuestions(SHOP, 7, [
      buildQuestion({ required: true }),
      buildQuestion({
        question_id: 5,
        question_type: 'dropdown',
        max_allowed_characters: null,
        options: [
          { option_id: 6, label: 'Red' },
          { option_id: null, label: 'Blue' },
        ],
      }),
    ]);
    expect(getSeen()).toMatchObject({
      method: 'POST',
      path: '/v3/application/shops/501/listings/7/personalization',
      query: { supports_multiple_personalization_questions: 'true' },
    });
    expect(getJson()).toEqual({
      personalization_questions: [
        {
          question_text: 'Personalization',
          question_type: 'text_input',
          instructions: null,
          required: true,
          max_allowed_characters: 30,
        },
        {
          question_id: 5,
          question_text: 'Personalization',
          question_type: 'dropdown',
          instructions: null,
          required: false,
          options: [{ option_id: 6, label: 'Red' }, { label: 'Blue' }],
        },
      ],
    });
  });
});

describe('NUL and unpaired surrogates', () => {
  const BROKEN = 'Mug\0 \ud83d🍵\udc00';
  const whole = 'Mug 🍵';

  it('never get into a form', async () => {
    const client = await open({ status: 201, json: buildWireListing() });
    await client.createDraftListing(SHOP, { ...DRAFT, title: BROKEN, tags: [BROKEN, 'mug'] });
    expect(getForm()).toMatchObject({ title: whole, tags: `${whole},mug` });
  });

  it('never get into JSON', async () => {
    const client = await open({ status: 201, json: { personalization_questions: [] } });
    await client.updateQuestions(SHOP, 7, [buildQuestion({ instructions: BROKEN })]);
    expect(getJson()).toMatchObject({ personalization_questions: [{ instructions: whole }] });
  });

  it('never get into a file name', async () => {
    const stored = { listing_file_id: 3, filename: 'a.pdf', rank: 1, size_bytes: 4, filesize: '4 B' };
    const client = await open({ status: 201, json: stored });
    await client.uploadFile(SHOP, 7, buildFile(Buffer.from('%PDF'), { filename: BROKEN }), 1);
    expect(await parseParts()).toMatchObject({ name: whole, file: { filename: whole } });
  });
});

describe('a file', () => {
  const IMAGE = { listing_image_id: 5, url_fullxfull: 'https://i.etsystatic.com/5.jpg', rank: 2, red: null };

  it('that is an image is sent byte for byte, with its rank as a plain field', async () => {
    const bytes = Buffer.from([...Array(256).keys(), 13, 10, 45, 45, 13, 10]);
    const client = await open({ status: 201, json: IMAGE });
    const image = await client.uploadImage(SHOP, 7, buildFile(bytes), { rank: 2 });
    expect(getSeen()).toMatchObject({
      method: 'POST',
      path: '/v3/application/shops/501/listings/7/images',
    });
    expect(await parseParts()).toEqual({
      rank: '2',
      image: { filename: 'mug.png', type: 'image/png', bytes: bytes.toString('hex') },
    });
    expect(image).toMatchObject({
      listing_image_id: 5,
      url_fullxfull: 'https://i.etsystatic.com/5.jpg',
      rank: 2,
    });
  });

  it('that is a video or a digital file is sent with its name', async () => {
    const bytes = Buffer.from('film');
    const video = buildFile(bytes, { filename: 'clip.mp4', content_type: 'video/mp4' });
    let client = await open({ status: 201, json: { video_id: 9, video_url: null, height: 1 } });
    expect(await client.uploadVideo(SHOP, 7, video)).toEqual({ video_id: 9, video_url: null });
    expect(getSeen().path).toBe('/v3/application/shops/501/listings/7/videos');
    expect(await parseParts()).toEqual({
      name: 'clip.mp4',
      video: { filename: 'clip.mp4', type: 'video/mp4', bytes: bytes.toString('hex') },
    });
    await rig.client.close();
    await server.close();

    const stored = { listing_file_id: 3, filename: 'a.pdf', rank: 1, size_bytes: 4, filesize: '4 B' };
    client = await open({ status: 201, json: stored });
    const file = { ...video, filename: 'a.pdf', content_type: 'application/pdf' };
    expect(await client.uploadFile(SHOP, 7, file, 1)).toEqual({
      listing_file_id: 3,
      filename: 'a.pdf',
      rank: 1,
      size_bytes: 4,
    });
    expect(getSeen().path).toBe('/v3/application/shops/501/listings/7/files');
    expect(await parseParts()).toEqual({
      name: 'a.pdf',
      rank: '1',
      file: { filename: 'a.pdf', type: 'application/pdf', bytes: bytes.toString('hex') },
    });
  });

  it('that is an image is sent with its alternative text', async () => {
    const client = await open({ status: 201, json: { ...IMAGE, alt_text: 'Salt &amp; pepper' } });
    const file = buildFile(Buffer.from('x'));
    const image = await client.uploadImage(SHOP, 7, file, { rank: 1, alt_text: 'Salt & pepper' });
    expect(await parseParts()).toMatchObject({ rank: '1', alt_text: 'Salt & pepper' });
    expect(image.alt_text).toBe('Salt & pepper');
  });

  const FILE = { listing_file_id: 3, filename: 'a.pdf', rank: 2, size_bytes: 4 };

  it.each([
    {
      name: 'an image',
      kind: 'images',
      attach: (client: Rig['client']) =>
        client.updateImage(SHOP, 7, { listing_image_id: 5, rank: 2, alt_text: '' }),
      json: IMAGE,
      fields: { listing_image_id: '5', rank: '2', alt_text: '' },
    },
    {
      name: 'a video',
      kind: 'videos',
      attach: (client: Rig['client']) => client.attachVideo(SHOP, 7, 9),
      json: { video_id: 9, video_url: null },
      fields: { video_id: '9' },
    },
    {
      name: 'a digital file',
      kind: 'files',
      attach: (client: Rig['client']) => client.attachFile(SHOP, 7, 3, 2),
      json: FILE,
      fields: { listing_file_id: '3', rank: '2' },
    },
  ])(
    '($name) that the marketplace has is attached by its id only',
    async ({ kind, attach, json, fields }) => {
      const client = await open({ status: 201, json });
      expect(await attach(client)).toMatchObject(kind === 'images' ? { listing_image_id: 5, rank: 2 } : json);
      const path = `/v3/application/shops/501/listings/7/${kind}`;
      expect(getSeen()).toMatchObject({ method: 'POST', path });
      expect(await parseParts()).toEqual(fields);
    },
  );

  it('cannot end its header line with its name', async () => {
    const client = await open({ status: 201, json: IMAGE });
    const file = buildFile(Buffer.from('x'), { filename: 'a"; name="rank"\r\n\r\nb☕.png' });
    await client.uploadImage(SHOP, 7, file, { rank: 1 });
    const parts = await parseParts();
    expect(Object.keys(parts)).toEqual(['rank', 'image']);
    expect(getSeen().body.toString()).toContain('filename="a%22; name=%22rank%22%0D%0A%0D%0Ab☕.png"');
  });

  it('may be empty or several megabytes long', async () => {
    const bytes = Buffer.alloc(3_000_000, 7);
    const client = await open({ status: 201, json: IMAGE }, { status: 201, json: IMAGE });
    await client.uploadImage(SHOP, 7, buildFile(bytes), { rank: 1 });
    await client.uploadImage(SHOP, 7, buildFile(Buffer.alloc(0)), { rank: 1 });
    const [large, empty] = server.seen.map(({ body }) => body.length);
    expect((large ?? 0) - (empty ?? 0)).toBe(bytes.length);
    expect(getSeen().body.includes(bytes)).toBe(true);
  });

  it('is read again each time it is sent', async () => {
    const client = await open(
      { status: 429, json: { error: 'slow down' }, headers: { 'retry-after': '1' } },
      { status: 201, json: IMAGE },
    );
    await client.uploadImage(SHOP, 7, buildFile(Buffer.from('again')), { rank: 1 });
    const [first, second] = server.seen;
    expect(second?.body.toString()).toBe(first?.body.toString());
    expect(second?.body.toString()).toContain('again');
  });

  it.each([
    { name: 'gone', change: { open: async () => undefined }, message: 'is not there' },
    { name: 'of another size', change: { size_bytes: 9 }, message: 'has 1 bytes instead of 9' },
  ])('($name) is certainly not sent, and nothing arrives', async ({ change, message }) => {
    const client = await open({ status: 201, json: IMAGE });
    const file = buildFile(Buffer.from('x'), change);
    await expect(client.uploadImage(SHOP, 7, file, { rank: 1 })).rejects.toMatchObject({
      failure: 'unavailable',
      status: null,
      message: `the stored file of mug.png ${message}`,
    });
    expect(server.seen).toEqual([]);
  });
});

describe('a deletion', () => {
  it.each([
    { path: 'images/5', remove: (client: Rig['client']) => client.deleteImage(SHOP, 7, 5) },
    { path: 'videos/6', remove: (client: Rig['client']) => client.deleteVideo(SHOP, 7, 6) },
    { path: 'files/3', remove: (client: Rig['client']) => client.deleteFile(SHOP, 7, 3) },
    { path: 'properties/200', remove: (client: Rig['client']) => client.deleteAttribute(SHOP, 7, 200) },
    { path: 'personalization', remove: (client: Rig['client']) => client.deletePersonalization(SHOP, 7) },
  ])('is sent as DELETE $path', async ({ path, remove }) => {
    const client = await open({ status: 204 });
    await expect(remove(client)).resolves.toBeUndefined();
    expect(getSeen()).toMatchObject({
      method: 'DELETE',
      path: `/v3/application/shops/501/listings/7/${path}`,
      query: {},
    });
    expect(getSeen().body).toHaveLength(0);
  });

  it('is sent once: without an answer, its outcome is unknown', async () => {
    const client = await open({ status: 502, text: '<html>' });
    await expect(client.deleteImage(SHOP, 7, 5)).rejects.toMatchObject({ failure: 'unknown', status: 502 });
    expect(server.seen).toHaveLength(1);
  });
});

function getJson(): unknown {
  expect(getSeen().headers['content-type']).toBe('application/json; charset=utf-8');
  return JSON.parse(getSeen().body.toString());
}

/** Read by the platform's own parser, so the bytes are compared with an independent implementation. */
async function parseParts(): Promise<Record<string, unknown>> {
  const { headers, body } = getSeen();
  expect(headers['transfer-encoding']).toBeUndefined();
  expect(headers['content-length']).toBe(String(body.length));
  const type = String(headers['content-type']);
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  const parts: Record<string, unknown> = {};
  for (const [name, value] of form)
    parts[name] = typeof value === 'string' ? value : await describeFile(value);
  return parts;
}

async function describeFile(file: File) {
  const bytes = Buffer.from(await file.arrayBuffer()).toString('hex');
  return { filename: file.name, type: file.type, bytes };
}
