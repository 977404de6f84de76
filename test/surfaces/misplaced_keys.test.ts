import type { Warning } from '../answers.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpFace, type HttpFace } from '../../src/transports/index.js';
import { buildMug, MUGS, startService, TARGETS, upload, type TestService } from '../service.js';
import { openMcpHttp, openRest, type Face, type Output } from './faces.js';

/*
 * Keys that callers take from other services or from the marketplace, in the wrong place: reported for a
 * draft, and never paid for.
 */

/** By the path of the key: the place or key that the warning suggests. */
const MISPLACED: readonly (readonly [path: string, meant: string])[] = [
  ['price', 'listing.price'],
  ['quantity', 'listing.quantity'],
  ['title', 'listing.title'],
  ['tags', 'listing.tags'],
  ['sku', 'listing.sku'],
  ['category_id', 'listing.taxonomy_id'],
  ['variants', '"variations"'],
  ['options', '"variations"'],
  ['photos', '"images"'],
  ['status', '"state"'],
  ['listing.variations', 'next to "listing", as "variations"'],
  ['listing.personalization', 'next to "listing", as "personalization"'],
  ['listing.images', 'next to "listing", as "images"'],
  ['shops[0].readiness_state_id', '"processing_profile_id"'],
  ['shops[0].qty', 'listing.quantity'],
  ['shops[0].stock', 'listing.quantity'],
  ['variations.offerings[0].readiness_state_id', '"processing_profile_id"'],
  ['variations.offerings[0].qty', '"quantity"'],
  ['variations.offerings[0].stock', '"quantity"'],
  ['images[0].is_primary', '"rank"'],
  ['personalization.questions', '"instructions"'],
];

let service: TestService;
let http: HttpFace;
let key: string;
let image: string;

beforeAll(async () => {
  service = await startService();
  const { account_id } = await service.app.core.accounts.getDefault();
  ({ key } = await service.app.core.accounts.createKey(account_id, 'test'));
  http = await createHttpFace(service.app.service, { host: '127.0.0.1', port: 0, trust_proxy: false });
  image = await upload(service, 'photo-01.jpg');
  await service.call('listing_schema', { category_id: MUGS });
});
afterAll(async () => {
  await http.close(1_000);
  await service.close();
});

/** A valid request with one extra key. */
function buildWith(path: string, state: string): Output {
  const request = buildMug([{ ...TARGETS.clay }], {
    state,
    images: [{ url: image }],
    personalization: { enabled: true, instructions: 'Name' },
    variations: {
      properties: [{ property_id: 513, name: 'Glaze', values: ['Oat'] }],
      offerings: [{ glaze: 'Oat', price: 30, quantity: 2 }],
    },
  });
  const parts = path.split(/[.[\]]+/);
  const last = parts.pop() ?? '';
  const at = parts.reduce((child, part) => child[part] as Output, request as Output);
  at[last] = [2];
  return request;
}

const FACES: Record<string, (url: string) => Promise<Face>> = {
  REST: (url) => Promise.resolve(openRest(url, key)),
  'MCP over HTTP': (url) => openMcpHttp(url, key),
};

describe.each(Object.keys(FACES))('over %s', (name) => {
  let face: Face;
  beforeAll(async () => {
    face = await (FACES[name] as (typeof FACES)[string])(`http://127.0.0.1:${http.port}`);
  });
  afterAll(() => face.close());

  it.each(MISPLACED)(
    'the misplaced key %s is reported, and refused if the request would cost money',
    async (path, meant) => {
      const draft = await face.call('listing_create', buildWith(path, 'draft'));
      const { warnings = [] } = (draft.ok ? draft.output : {}) as { warnings?: Warning[] };
      const answered = warnings.filter(({ code }) => code === 'unknown_field');
      expect(answered.map(({ fields, level }) => [fields, level])).toEqual([[[path], 'warning']]);
      expect(answered[0]?.reason).toContain(meant);

      const { fees } = await service.control<{ fees: unknown[] }>('GET', '/state');
      const refused = await face.call('listing_create', buildWith(path, 'active'));
      const { code, message } = (refused.ok ? {} : refused.error) as { code?: string; message?: string };
      expect(code).toBe('VALIDATION_FAILED');
      expect(message?.startsWith(`${path}: is unknown; `)).toBe(true);
      expect(message).toContain(meant);
      expect((await service.control<{ fees: unknown[] }>('GET', '/state')).fees).toEqual(fees);
    },
  );

  it('a misplaced currency is reported, and is no reason to refuse', async () => {
    const checked = await face.call('listing_create', {
      ...buildWith('listing.currency', 'active'),
      dry_run: true,
    });
    expect(checked).toMatchObject({ ok: true, output: { status: 'valid' } });
    const { warnings = [] } = (checked.ok ? checked.output : {}) as { warnings?: Warning[] };
    expect(warnings.filter(({ code }) => code === 'unknown_field').map(({ fields }) => fields)).toEqual([
      ['listing.currency'],
    ]);
  });
});
