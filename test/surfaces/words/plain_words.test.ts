import type { Warning } from '../../answers.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpFace, type HttpFace } from '../../../src/transports/index.js';
import { buildMug, listTargets, MUGS, startService, upload, type TestService } from '../../service.js';
import { openMcpHttp, openRest, type Face, type Output } from '../faces.js';

/* Messages about a request are readable for whoever gets them, and say what will happen. */

let service: TestService;
let http: HttpFace;
let url: string;
let key: string;
let targets: object[];
let image: string;

beforeAll(async () => {
  service = await startService({ WEBHOOK_ALLOW_HTTP: 'on' });
  const { account_id } = await service.app.core.accounts.getDefault();
  ({ key } = await service.app.core.accounts.createKey(account_id, 'test'));
  http = await createHttpFace(service.app.service, { host: '127.0.0.1', port: 0, trust_proxy: false });
  url = `http://127.0.0.1:${http.port}`;
  targets = (await listTargets(service)).slice(0, 1);
  image = await upload(service, 'photo-01.jpg');
  await service.call('listing_schema', { category_id: MUGS });
});
afterAll(async () => {
  await http.close(1_000);
  await service.close();
});

const FACES: Record<string, () => Promise<Face>> = {
  REST: () => Promise.resolve(openRest(url, key)),
  'MCP over HTTP': () => openMcpHttp(url, key),
};

const vary = (values: unknown[], offering: object, more: object = {}) =>
  buildMug(targets, {
    variations: {
      properties: [{ property_id: 513, name: 'Glaze', values }],
      offerings: [offering],
      ...more,
    },
  });

describe.each(Object.keys(FACES))('over %s', (name) => {
  let face: Face;
  beforeAll(async () => {
    face = await (FACES[name] as () => Promise<Face>)();
  });
  afterAll(() => face.close());

  async function ask(id: string, input: Output): Promise<Output & { warnings?: Warning[] }> {
    const answer = await face.call(id, input);
    if (!answer.ok) throw new Error(`${id}: ${answer.error.code} ${answer.error.message}`);
    return answer.output;
  }

  async function refuse(id: string, input: Output): Promise<string[]> {
    const answer = await face.call(id, input);
    if (answer.ok) throw new Error(`${id} is not refused: ${JSON.stringify(answer.output)}`);
    return answer.error.message.split('\n');
  }

  it.each([
    [
      'values with spaces and commas',
      () => vary(['Sea green', 'Red, matt'], { glaze: 'Green' }),
      ['variations.offerings[0].glaze: is "Green"; must be one of "Sea green", "Red, matt"'],
    ],
    [
      'values that do not exist yet',
      () => vary([], { glaze: 'Green' }),
      [
        'variations.properties[0].values: is empty; send 1 to 70 values',
        'variations.offerings[0].glaze: is "Green"; property "Glaze" has no values yet',
      ],
    ],
    [
      'values of the wrong type',
      () => vary([1, 2, 3], { glaze: 'Green' }),
      [
        'variations.properties[0].values[0]: must be a string, not number',
        'variations.properties[0].values[1]: must be a string, not number',
        'variations.properties[0].values[2]: must be a string, not number',
        'variations.offerings[0].glaze: is "Green"; property "Glaze" has no values yet',
      ],
    ],
    [
      'photos of unknown values',
      () =>
        vary(['Sea green'], { glaze: 'Sea green' }, { variation_images: { property: 'Color', mapping: {} } }),
      ['variations.variation_images.property: is not one of the variation properties ("Glaze")'],
    ],
    [
      'text in place of a list',
      () => ({ ...buildMug(targets), images: 'photo.jpg' }),
      ['images: must be an array, not a string'],
    ],
    [
      'broken JSON in place of a list',
      () => ({ ...buildMug(targets), images: '[{"url":' }),
      ['images: must be an array, not a string; the JSON in the string is invalid or is not an array'],
    ],
    [
      'an HTML entity in a tag',
      () => {
        const { listing, ...rest } = buildMug(targets);
        return { ...rest, listing: { ...listing, tags: ['tea &amp; mug'] } };
      },
      [
        "listing.tags[0]: has characters that are not allowed: & (U+0026), ; (U+003B); use only letters, numbers, spaces, and - ' ™ © ®; &amp; is an HTML entity: write the character itself",
      ],
    ],
  ])('the refusal of %s is readable', async (_what, build, lines) => {
    expect(await refuse('listing_create', build())).toEqual(lines);
  });

  async function checkOwnValues(values: string[]): Promise<string[]> {
    const request = vary(values, { glaze: 'A', quantity: 1 }, {});
    const { warnings = [] } = await ask('listing_create', {
      ...request,
      state: 'publish',
      dry_run: true,
      images: [{ url: image }],
    });
    return warnings.filter(({ code }) => code === 'offerings_completed').map(({ reason }) => reason);
  }

  it('lengths are counted in characters as people see them', async () => {
    expect(await refuse('categories_search', { keywords: '' })).toEqual([
      'keywords: must have at least 1 character',
    ]);
    expect(await checkOwnValues(['A', 'B'])).toEqual([
      '1 combination is not in offerings; it is created hidden, with quantity 0.',
    ]);
    expect(await checkOwnValues(['A', 'B', 'C'])).toEqual([
      '2 combinations are not in offerings; they are created hidden, with quantity 0.',
    ]);
  });

  it('the error says why a photo cannot be downloaded', async () => {
    const request = buildMug(targets, {
      state: 'publish',
      images: [{ url: 'https://photos.shop.invalid/1.jpg' }],
    });
    expect(await refuse('listing_create', request)).toEqual([
      "images[0].url: could not be fetched: its server's name could not be resolved; check that the address opens in a browser without signing in, or upload the file",
    ]);
  });

  it('a webhook test says why the event did not arrive', async () => {
    await ask('webhook_endpoint_set', { url: 'http://hooks.shop.invalid:9999/orders' });
    const failed = { error: 'dns', reason: 'The receiver’s name could not be found.' };
    const sent = await ask('webhook_test', {});
    expect(sent).toMatchObject({ success: false, ...failed });
    const { delivery_id: id } = sent;
    expect(await ask('webhook_delivery_retry', { delivery_id: id })).toMatchObject(failed);
    expect(await ask('webhooks_deliveries', { id })).toMatchObject({ deliveries: [failed] });
  });

  it('HTML in a title or a value is reported, because the marketplace would show it literally', async () => {
    const { listing, ...rest } = vary(['Salt &amp; sand', 'Ash'], { glaze: 'Ash' });
    const titled = { ...rest, listing: { ...listing, title: 'Mug &amp; saucer' } };
    for (const request of [titled, { ...titled, dry_run: true }]) {
      const { warnings = [] } = await ask('listing_create', request);
      const reason =
        'The text contains &amp;, which is an HTML entity; buyers see the entity, not the character. Write the character itself.';
      expect(warnings.filter(({ code }) => code === 'html_entity')).toEqual([
        { code: 'html_entity', level: 'warning', fields: ['listing.title'], reason },
        { code: 'html_entity', level: 'warning', fields: ['variations.properties[0].values[0]'], reason },
      ]);
    }
  });

  it('duplicates in a list are reported, and sent once', async () => {
    const { listing, ...rest } = buildMug(targets, { state: 'publish', images: [{ url: image }] });
    const title = `Twice said mug over ${name}`;
    const words = { tags: ['mug', 'tea', ' Mug '], materials: ['clay', 'Clay'] };
    const { results } = await ask('listing_create', { ...rest, listing: { ...listing, title, ...words } });
    const [result] = results as { status: string; listing_id: number; warnings: Warning[] }[];
    expect(result?.status).toBe('ok');
    expect(result?.warnings.filter(({ code }) => code === 'ignored_field')).toEqual([
      {
        code: 'ignored_field',
        level: 'warning',
        fields: ['listing.tags[2]'],
        reason: 'This is the same as listing.tags[0], and is sent only once.',
      },
      {
        code: 'ignored_field',
        level: 'warning',
        fields: ['listing.materials[1]'],
        reason: 'This is the same as listing.materials[0], and is sent only once.',
      },
    ]);
    const { listings } = await service.control<{
      listings: { listing_id: number; fields: { tags: string[]; materials: string[] } }[];
    }>('GET', '/state');
    const made = listings.find(({ listing_id }) => listing_id === result?.listing_id);
    expect([made?.fields.tags, made?.fields.materials]).toEqual([['mug', 'tea'], ['clay']]);
  });
});

it('the error names the ways to provide a file', async () => {
  const { message } = await service.refuse('file_upload', { type: 'image' }, { face: 'mcp_stdio' });
  expect(message).toBe(
    "file: is required unless path is sent; send path for a file on this computer, or file with the file's content in base64",
  );
  const both = { path: 'a.jpg', file: 'QQ==', filename: 'a.jpg' };
  expect((await service.refuse('file_upload', both, { face: 'mcp_stdio' })).message).toBe(
    'file: cannot be sent together with path; send only one of them',
  );
});
