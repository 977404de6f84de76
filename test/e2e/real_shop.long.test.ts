import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX_APP } from '../../src/sandbox/index.js';
import { startConnect } from '../cli/connecting.js';
import { follow, openConsentPage } from '../consent.js';
import { CLAY, NORD } from '../sandbox/harness.js';
import { buildMug, fixturePath } from '../service.js';
import {
  buildEnvironment,
  CLI,
  openRest,
  runCli,
  startServe,
  type Environment,
  type Face,
  type Output,
  type Served,
} from '../surfaces/faces.js';

/*
 * A seller's way with the real marketplace, as far as possible without one: the service talks to a separate
 * process that stands in for it, and knows only two addresses and the application's key.
 */

const TOKENS = 'requestToken';

let data_dir: string;
let sandbox_dir: string;
let marketplace: ChildProcess;
let marketplace_url: string;
let env: Environment;
let one: Served;
let two: Served;
let faces: Face[];

beforeAll(async () => {
  [data_dir, sandbox_dir] = (await Promise.all(
    ['real-shop-', 'marketplace-'].map((name) => mkdtemp(join(tmpdir(), name))),
  )) as [string, string];
  marketplace = spawn(process.execPath, [CLI, 'sandbox', '--port', '0', '--control'], {
    env: buildEnvironment(sandbox_dir),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  marketplace_url = await new Promise<string>((resolve, reject) => {
    let stdout = '';
    marketplace.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      const printed = /^Sandbox marketplace: (\S+)\n/m.exec(stdout)?.[1];
      if (printed !== undefined) resolve(printed);
    });
    marketplace.once('exit', () => reject(new Error('the marketplace did not start')));
  });
  env = buildEnvironment(data_dir, {
    MARKETPLACE: 'etsy',
    ETSY_API_URL: marketplace_url,
    ETSY_AUTH_URL: marketplace_url,
    ETSY_KEYSTRING: SANDBOX_APP.keystring,
    ETSY_SHARED_SECRET: SANDBOX_APP.shared_secret,
  });
  one = await startServe(env);
  two = await startServe(env);
  faces = [openRest(one.url, one.key), openRest(two.url, one.key)];
}, 120_000);

afterAll(async () => {
  await Promise.all([one.stop(), two.stop()]);
  marketplace.kill('SIGTERM');
  await Promise.all([data_dir, sandbox_dir].map((folder) => rm(folder, { recursive: true, force: true })));
}, 60_000);

async function control<Answer>(path: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(`${marketplace_url}/_sandbox${path}`, {
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

async function countCalls(operation: string): Promise<number> {
  const { calls } = await control<{ calls: Record<string, number> }>('/state');
  return calls[operation] ?? 0;
}

async function call(id: string, input: Output = {}): Promise<Output> {
  const answer = await faces[0]?.call(id, input);
  if (!answer?.ok) throw new Error(JSON.stringify(answer?.error));
  return answer.output;
}

/** Goes through the consent page as the shop's owner, while `connect` waits in a terminal. */
async function connect(user_id: number, port: string, args: string[] = []): Promise<string> {
  const connecting = await startConnect({ ...env, PORT: port }, args);
  const callback = await (await openConsentPage(connecting.consent_url)).submit({ user_id });
  const answered = await follow(callback);
  expect(answered.status).toBe(200);
  const { code, stdout } = await connecting.end;
  expect(code).toBe(0);
  return stdout.trimEnd().split('\n').at(-1) ?? '';
}

const getPort = ({ url }: Served): string => new URL(url).port;

/** Makes this many calls at once that need the shop's token, alternating between both servers. */
async function readAtOnce(count: number): Promise<boolean[]> {
  const answers = await Promise.all(
    Array.from({ length: count }, async (_, index) =>
      faces[index % 2]?.call('store_shipping_profiles_live', { shop_id: CLAY.shop_id }),
    ),
  );
  return answers.map((answer) => answer?.ok === true);
}

const TEN = Array.from({ length: 10 }, () => true);

describe('a seller with two shops', { timeout: 180_000 }, () => {
  it('connects both: one through a running server, one without', async () => {
    expect(await call('stores_list')).toEqual({ stores: [] });
    expect(await connect(CLAY.user_id, getPort(one))).toBe(`ClayAndOak (${CLAY.shop_id}, USD) is connected.`);
    // A port on which nothing listens: the command itself receives the response.
    expect(await connect(NORD.user_id, '0')).toBe(`NordLinen (${NORD.shop_id}, EUR) is connected.`);
    expect(await call('stores_list')).toMatchObject({
      stores: [{ shop_name: 'ClayAndOak' }, { shop_name: 'NordLinen' }],
    });
  });

  it("reads the shops' settings, and lists a mug live in both", async () => {
    const shops = [];
    for (const { shop_id } of [CLAY, NORD]) {
      const synced = (await call('store_sync', { shop_id })) as {
        shipping_profiles: { shipping_profile_id: number }[];
        return_policies: { return_policy_id: number }[];
      };
      shops.push({
        shop_id,
        shipping_profile_id: synced.shipping_profiles[0]?.shipping_profile_id,
        return_policy_id: synced.return_policies[0]?.return_policy_id,
      });
    }
    const photo = (await readFile(fixturePath('mug-front.jpg'))).toString('base64');
    const { url } = await call('file_upload', { file: photo, filename: 'mug.jpg', type: 'image' });
    const job = await call('listing_create', buildMug(shops, { state: 'active', images: [{ url }] }));
    expect(job).toMatchObject({
      status: 'completed',
      results: [
        { shop_id: String(CLAY.shop_id), status: 'ok', activated: true, currency_code: 'USD' },
        { shop_id: String(NORD.shop_id), status: 'ok', activated: true, currency_code: 'EUR' },
      ],
    });
    const { listings } = await control<{ listings: { state: string; shop_id: number }[] }>('/state');
    expect(listings.map(({ state, shop_id }) => [state, shop_id])).toEqual([
      ['active', CLAY.shop_id],
      ['active', NORD.shop_id],
    ]);
  });

  it("gets the marketplace's search results unchanged", async () => {
    const query = 'keywords=mug&limit=7&offset=3';
    const raw = await fetch(`${marketplace_url}/v3/application/listings/active?${query}`, {
      headers: { 'x-api-key': `${SANDBOX_APP.keystring}:${SANDBOX_APP.shared_secret}` },
    });
    const { count, results } = (await raw.json()) as { count: number; results: unknown[] };
    expect(results).toHaveLength(7);
    const found = await call('listings_search', { keywords: 'mug', limit: 7, offset: 3 });
    expect(found).toEqual({ count, results, limit: 7, offset: 3 });
  });

  it("has a category's fields read once for both servers, and callers may cache them", async () => {
    const before = await countCalls('getPropertiesByTaxonomyId');
    const ask = (url: string, headers: Record<string, string> = {}) =>
      fetch(`${url}/api/v1/categories/482/listing-schema`, {
        headers: { 'x-service-api-key': one.key, ...headers },
      });
    const first = await ask(one.url);
    const etag = first.headers.get('etag') ?? '';
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'private, max-age=86400']);
    expect((await ask(two.url, { 'if-none-match': etag })).status).toBe(304);
    expect((await countCalls('getPropertiesByTaxonomyId')) - before).toBe(1);
  });

  it('needs one refresh for ten calls at once in two processes after the token is refused', async () => {
    const before = await countCalls(TOKENS);
    await control('/tokens/expire', { user_id: CLAY.user_id });
    expect(await readAtOnce(10)).toEqual(TEN);
    expect((await countCalls(TOKENS)) - before).toBe(1);
  });

  it('needs one refresh for ten calls at once after the token has expired', async () => {
    // A token is not used in its last minute, so this one has two seconds.
    await control('/settings', { access_token_ttl_s: 62 });
    await control('/tokens/expire', { user_id: CLAY.user_id });
    await readAtOnce(1);
    await control('/settings', { access_token_ttl_s: 3600 });
    await new Promise((done) => setTimeout(done, 2_500));
    const before = await countCalls(TOKENS);
    expect(await readAtOnce(10)).toEqual(TEN);
    expect((await countCalls(TOKENS)) - before).toBe(1);
  });

  it('gets a clear error from both servers after the grant was revoked, and nothing loops', async () => {
    await control('/tokens/revoke', { user_id: CLAY.user_id });
    const before = await countCalls(TOKENS);
    const first = await faces[0]?.call('store_sync', { shop_id: CLAY.shop_id });
    expect(first).toMatchObject({ ok: false, error: { code: 'STORE_RECONNECT_REQUIRED', status: 400 } });
    const asked = (await countCalls(TOKENS)) - before;
    expect(asked).toBe(1);
    for (const face of faces) {
      const again = await face.call('store_sync', { shop_id: CLAY.shop_id });
      expect(again).toMatchObject({
        ok: false,
        error: {
          code: 'STORE_RECONNECT_REQUIRED',
          message: `The marketplace no longer lets this service access shop ${CLAY.shop_id} ("ClayAndOak").`,
          hint: `Its owner has to connect the shop again: listing-service connect ${CLAY.shop_id}. Then repeat the request.`,
        },
      });
    }
    expect((await countCalls(TOKENS)) - before).toBe(1);
    expect((await runCli(['shops'], env)).stdout).toContain(
      `ClayAndOak  USD  must be reconnected: listing-service connect ${CLAY.shop_id}`,
    );
    // The other shop still works.
    expect(await call('store_sync', { shop_id: NORD.shop_id })).toMatchObject({ shop_name: 'NordLinen' });
  });

  it('connects again and continues in both processes', async () => {
    expect(await connect(CLAY.user_id, getPort(two), [String(CLAY.shop_id)])).toBe(
      `ClayAndOak (${CLAY.shop_id}, USD) is connected again.`,
    );
    expect(await readAtOnce(10)).toEqual(TEN);
  });
});
