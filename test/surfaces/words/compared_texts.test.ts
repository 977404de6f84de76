import type { Warning } from '../../answers.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpFace, type HttpFace } from '../../../src/transports/index.js';
import { buildMug, startService, TARGETS, upload, type TestService } from '../../service.js';
import { openMcpHttp, openRest, type Face, type Output } from '../faces.js';

/* Text is compared ignoring case and Unicode normalization, and changes to a text are reported. */

let service: TestService;
let http: HttpFace;
let key: string;

beforeAll(async () => {
  service = await startService();
  const { account_id } = await service.app.core.accounts.getDefault();
  ({ key } = await service.app.core.accounts.createKey(account_id, 'test'));
  http = await createHttpFace(service.app.service, { host: '127.0.0.1', port: 0, trust_proxy: false });
});
afterAll(async () => {
  await http.close(1_000);
  await service.close();
});

const FACES: Record<string, (url: string) => Promise<Face>> = {
  REST: (url) => Promise.resolve(openRest(url, key)),
  'MCP over HTTP': (url) => openMcpHttp(url, key),
};

describe.each(Object.keys(FACES))('over %s,', (name) => {
  let face: Face;
  beforeAll(async () => {
    face = await (FACES[name] as (typeof FACES)[string])(`http://127.0.0.1:${http.port}`);
  });
  afterAll(() => face.close());

  const save = async (request: Output): Promise<Output> => {
    const answer = await face.call('listing_create', request);
    if (!answer.ok) throw new Error(answer.error.message);
    return answer.output;
  };
  const refuse = async (id: string, input: Output): Promise<string> => {
    const answer = await face.call(id, input);
    return answer.ok ? 'not refused' : answer.error.message;
  };
  const vary = (property: string, values: string[], offerings: object[], title = `Mug over ${name}`) => {
    const { listing, ...rest } = buildMug([{ ...TARGETS.clay }]);
    return {
      ...rest,
      listing: { ...listing, title },
      variations: { properties: [{ property_id: 513, name: property, values }], offerings },
    };
  };

  it.each([
    ['a decomposed value', 'Farbe', 'Grün', { farbe: 'Grün'.normalize('NFD'), price: 3 }],
    ['a decomposed name', 'Größe'.normalize('NFD'), 'S', { größe: 'S', price: 4 }],
    ['a decomposed key', 'Größe', 'S', { ['größe'.normalize('NFD')]: 'S', price: 5 }],
    ['a name in Turkish capitals', 'IŞIK', 'S', { ışık: 'S', price: 6 }],
    ['a name with a dotted capital i', 'İÇERİK', 'S', { içerik: 'S', price: 7 }],
    ['a name in German capitals', 'GRÖSSE', 'S', { größe: 'S', price: 8 }],
  ])('an offering matches despite %s', async (_what, property, value, offering) => {
    const { warnings = [] } = (await save(vary(property, [value], [offering]))) as { warnings?: Warning[] };
    expect(warnings.filter(({ code }) => code === 'unknown_field')).toEqual([]);
  });

  it('a search finds a listing by its words in any case', async () => {
    const { listing_pk } = await save(vary('Size', ['S'], [{ size: 'S' }], `Straße IŞIK ${name}`));
    const found = await face.call('listings_list', { keywords: `STRASSE ışık ${name}` });
    expect(found).toMatchObject({ ok: true, output: { listings: [{ listing_pk }] } });
  });

  it.each([
    ['listings_list', {}],
    ['store_listings', { shop_id: TARGETS.clay.shop_id }],
  ])('a search of %s for more than 8 different words is refused', async (id, input) => {
    const keywords = Array.from({ length: 9 }, (_, index) => `w${index}`).join(' ');
    expect(await refuse(id, { ...input, keywords })).toBe(
      'keywords: has 9 different words; at most 8 are allowed',
    );
    expect(await face.call(id, { ...input, keywords: 'mug '.repeat(30) })).toMatchObject({ ok: true });
  });

  it('SKUs that are truncated for the marketplace are reported', async () => {
    const sku = 'A-SKU-OF-FORTY-CHARACTERS-012345678901234';
    const { listing, ...rest } = buildMug([{ ...TARGETS.clay }]);
    const { warnings } = await save({ ...rest, listing: { ...listing, sku, title: `Cut over ${name}` } });
    const reason =
      'The marketplace accepts SKUs of at most 32 characters: listing.sku is sent as "A-SKU-OF-FORTY-CHARACTERS-012345".';
    expect(warnings).toContainEqual({ code: 'sku_cut', level: 'warning', fields: ['listing.sku'], reason });
  });

  it('digital files with duplicate names, or a wrong or missing extension, are refused', async () => {
    const pdf = await upload(service, 'pattern.pdf', 'digital');
    const { listing, ...rest } = buildMug([{ shop_id: TARGETS.clay.shop_id }]);
    const build = (...names: string[]) => ({
      ...rest,
      listing: { ...listing, listing_type: 'digital', title: `Pattern over ${name}` },
      digital_files: names.map((file) => ({ url: pdf, name: file })),
    });
    expect(
      (await refuse('listing_create', build('a.pdf', 'A.PDF', 'pattern.zip', 'pattern'))).split('\n'),
    ).toEqual(
      expect.arrayContaining([
        'digital_files[1].name: is also the name of digital_files[0]; give each file a different name',
        'digital_files[2].name: has the extension .zip, but the file is a .pdf file; change the extension to .pdf',
        'digital_files[3].name: has no extension; add .pdf',
      ]),
    );
  });
});
