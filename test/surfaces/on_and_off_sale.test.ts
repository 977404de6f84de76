import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  buildEnvironment,
  openMcpHttp,
  openRest,
  startServe,
  type Environment,
  type Face,
  type Output,
  type Served,
} from './faces.js';

/* The state of a listing in its shops: deactivating and reactivating it, over REST and over MCP. */

const SHOP_ID = 48213377;
const SHOP = { shop_id: SHOP_ID, shipping_profile_id: 211740301, return_policy_id: 1142500101 };
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mM4oaEBAALUARk7rVwIAAAAAElFTkSuQmCC';

let data_dir: string;
let env: Environment;
let served: Served;

beforeAll(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'sale-'));
  env = buildEnvironment(data_dir, { CONFIRM_SPENDING: 'off' });
  served = await startServe(env);
});
afterAll(async () => {
  await served.stop();
  await rm(data_dir, { recursive: true });
});

const FACES: Record<string, () => Promise<Face>> = {
  REST: async () => openRest(served.url, served.key),
  'MCP over HTTP': () => openMcpHttp(served.url, served.key),
};

describe.each(Object.keys(FACES))('over %s', (name) => {
  let face: Face;
  beforeAll(async () => {
    face = await (FACES[name] as () => Promise<Face>)();
  });
  afterAll(() => face.close());

  async function ask(id: string, input: Output = {}): Promise<Output> {
    const answer = await face.call(id, input);
    if (!answer.ok) throw new Error(`${id}: ${answer.error.code} ${answer.error.message}`);
    return answer.output;
  }

  it('a listing is deactivated and reactivated for free, and shows its state in between', async () => {
    const { url } = await ask('file_upload', { file: PNG, filename: 'mug.png' });
    const { listing_pk } = await ask('listing_create', {
      state: 'active',
      shops: [SHOP],
      listing: {
        title: `Mug over ${name}`,
        description: 'Blue.',
        listing_type: 'physical',
        taxonomy_id: 1062,
        price: 20,
        quantity: 2,
      },
      images: [{ url }],
    });
    const getState = async () => (await ask('listing_get', { listing_pk }))['shops'];
    expect(await getState()).toMatchObject([{ shop_id: `${SHOP_ID}`, state: 'active' }]);
    const keywords = `over ${name}`;
    const listThere = async (state: string) =>
      (await ask('store_listings', { shop_id: SHOP_ID, state, keywords }))['listings'];
    expect(await listThere('active')).toMatchObject([{ listing_pk, title: `Mug over ${name}` }]);

    expect(await ask('listing_publish', { listing_pk, state: 'inactive' })).toMatchObject({
      status: 'completed',
    });
    expect(await getState()).toMatchObject([{ state: 'inactive' }]);
    expect(await listThere('inactive')).toMatchObject([{ listing_pk }]);
    const find = async (more: Output) => (await ask('listings_list', { keywords, ...more }))['listings'];
    expect(await find({ shop_state: 'inactive', shop_id: SHOP_ID, sort: 'title' })).toMatchObject([
      { listing_pk, shops: [{ price: 20, quantity: 2, currency_code: 'USD' }] },
    ]);
    expect(await find({ shop_state: 'active' })).toEqual([]);
    expect(await find({ shop_id: 7 })).toEqual([]);
    const back = { listing_pk, state: 'active', shops: [SHOP_ID] };
    expect(await ask('listing_publish', { ...back, dry_run: true })).toMatchObject({
      status: 'valid',
      cost_usd: 0,
      shops: [{ state: 'inactive', cost_usd: 0 }],
    });
    expect(await ask('listing_publish', back)).toMatchObject({ status: 'completed' });
    expect(await ask('listing_publish', back)).toMatchObject({ status: 'unchanged' });
    expect(await getState()).toMatchObject([{ state: 'active' }]);
    const refused = await face.call('listing_publish', { ...back, shops: [7] });
    expect(refused).toMatchObject({
      ok: false,
      error: {
        code: 'VALIDATION_FAILED',
        message: `shops[0]: this listing is not in shop 7; it is in ${SHOP_ID} ("ClayAndOak")`,
      },
    });
  });
});
