import type { Warning } from '../../answers.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpFace, type HttpFace } from '../../../src/transports/index.js';
import { buildMug, CLAY, startService, TARGETS, type TestService } from '../../service.js';
import { openMcpHttp, openRest, type Face } from '../faces.js';

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

describe.each(Object.keys(FACES))('a description, over %s,', (name) => {
  let face: Face;
  beforeAll(async () => {
    face = await (FACES[name] as (typeof FACES)[string])(`http://127.0.0.1:${http.port}`);
  });
  afterAll(() => face.close());

  const build = (description: string, state = 'draft') => {
    const { listing, ...rest } = buildMug([{ ...TARGETS.clay }], { state });
    return { ...rest, listing: { ...listing, description, title: `Mug over ${name}` } };
  };

  it('is sent without tags and with its character references decoded, and warnings report both', async () => {
    const description = `<p>Sizes: <S>, <M>, <L>&nbsp;(${name})</p><!-- ours -->`;
    const answer = await face.call('listing_create', build(description, 'publish'));
    if (!answer.ok) throw new Error(answer.error.message);
    const [{ listing_id, warnings }] = answer.output['results'] as [
      { listing_id: number; warnings: Warning[] },
    ];
    expect(warnings.filter(({ code }) => code.startsWith('html_'))).toEqual([
      {
        code: 'html_removed',
        level: 'warning',
        fields: ['listing.description'],
        reason:
          'The marketplace shows descriptions without HTML. These tags are removed, along with comments, scripts, or style sheets: "<p>", "</p>", "<!-- ours -->". To send a tag as text, write &lt; in place of <.',
      },
      {
        code: 'html_entity',
        level: 'note',
        fields: ['listing.description'],
        reason:
          'The text contains &nbsp;, which is an HTML entity; the character is sent instead. To send the entity as text, write &amp; in place of &.',
      },
    ]);
    const { listings } = await service.control<{
      listings: { listing_id: number; fields: { description: string } }[];
    }>('GET', `/state?shop_id=${CLAY.shop_id}`);
    const made = listings.find((one) => one.listing_id === listing_id);
    expect(made?.fields.description).toBe(`Sizes: <S>, <M>, <L>\u00a0(${name})`);
  });

  it('is refused if it is too long, before anything parses it', async () => {
    const hostile = `${'<'.repeat(12)}${'b>'.repeat(12)} ${'<'.repeat(300_000)} `;
    expect(await face.call('listing_create', build(hostile))).toMatchObject({
      ok: false,
      error: {
        code: 'VALIDATION_FAILED',
        message: 'listing.description: has 300038 characters; at most 250000 are allowed',
      },
    });
    expect(await face.call('listing_create', build('a'.repeat(102_401)))).toMatchObject({
      ok: false,
      error: { message: 'listing.description: has 102401 characters; at most 102400 are allowed' },
    });
  });
});
