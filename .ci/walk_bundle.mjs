// A seller's first steps with the bundle: tries it in the sandbox, connects a real shop in the browser, and
// publishes a listing there. The sandbox's own server, in another process, plays the marketplace.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { root } from './package.mjs';

const SHOP = { name: 'NordLinen', user_id: 806551203 };

/**
 * Returns the seconds it took, and throws at the first failure.
 * @param start how the bundle is started: command, args and env
 * @param chromium a browser of playwright-core
 * @param cli the program that plays the marketplace
 * @param way `returns`: the browser comes back to the callback address; `pasted`: another program has its
 * port
 */
export async function walkBundle({ start, chromium, cli, way }) {
  const home = mkdtempSync(join(tmpdir(), 'bundle-home-'));
  const ends = [() => rmSync(home, { recursive: true, force: true })];
  try {
    const market = await startMarketplace(start, cli, join(home, 'marketplace'), ends);
    const port = await takePort(way, ends);
    const began_at = performance.now();
    const shown = [];
    const client = await openClient(start, { home, market, port, shown }, ends);
    const call = async (name, args = {}) => {
      const { content, isError, structuredContent } = await client.callTool({ name, arguments: args });
      assert(!isError, JSON.stringify(content));
      return structuredContent;
    };

    const practice = await call('stores_list');
    assert.equal(practice.stores.length, 2, 'the sandbox has two shops');
    assert.match(practice.message, /practice shops/);
    const draft = await list(call, practice.stores[0], 'draft');
    assert(draft.listing_pk, JSON.stringify(draft));

    const window = await chromium.newContext();
    ends.push(() => window.close());
    const page = await window.newPage();
    await openByCode(page, draft.message, async () => {
      await call('stores_list');
      return shown.at(-1);
    });
    await connectShop(page, await readOpened(home), { ...market, port, way });

    const real = await call('stores_list');
    assert.deepEqual(
      real.stores.map(({ shop_name }) => shop_name),
      [SHOP.name],
    );
    assert.equal(real.message, undefined);
    const live = await list(call, real.stores[0], 'active');
    assert.equal(live.results[0].status, 'ok', JSON.stringify(live));
    await page.getByRole('link', { name: 'Listings', exact: true }).first().click();
    await page.getByText('Stoneware mug').first().waitFor();
    const seconds = Math.round((performance.now() - began_at) / 100) / 10;

    // After a restart it uses the real marketplace at once, and its page still lets the person in.
    await client.close();
    const restarted = await openClient(start, { home, market, port, shown }, ends);
    const listShops = () => restarted.callTool({ name: 'stores_list' });
    const { structuredContent } = await listShops();
    assert.deepEqual(
      structuredContent.stores.map(({ shop_name }) => shop_name),
      [SHOP.name],
    );
    if (way === 'pasted') return seconds;
    const other = await chromium.newContext();
    ends.push(() => other.close());
    await openByCode(await other.newPage(), `http://localhost:${port}/dashboard/listings/1`, async () => {
      await listShops();
      return shown.at(-1);
    });
    return seconds;
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}

async function startMarketplace({ command, env: own }, cli, data_dir, ends) {
  mkdirSync(data_dir);
  const env = { ...own, DATA_DIR: data_dir, SANDBOX_RATE: '1000' };
  const child = spawn(command, [cli, 'sandbox', '--port', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  ends.push(() => void child.kill());
  const found = {};
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /^Sandbox marketplace: (\S+)$/.exec(line) ?? [];
    const [, keystring, secret] = /^Application: (\w+):(\S+)$/.exec(line) ?? [];
    Object.assign(found, url && { url }, keystring && { keystring, secret });
    if (found.url && found.keystring) return found;
  }
  throw new Error('The marketplace did not start.');
}

/** A free port, or one that another program holds. */
async function takePort(way, ends) {
  const stranger = createServer((_request, response) => response.end('A program of its own.'));
  await new Promise((done) => stranger.listen(0, '127.0.0.1', done));
  const { port } = stranger.address();
  if (way === 'pasted') ends.push(() => void stranger.close());
  else await new Promise((done) => stranger.close(done));
  return port;
}

async function openClient(start, { home, market, port, shown }, ends) {
  const programs = join(home, 'bin');
  mkdirSync(programs, { recursive: true });
  writeFileSync(join(programs, 'xdg-open'), `#!/bin/sh\nprintf %s "$1" > "${home}/opened"\n`, {
    mode: 0o755,
  });
  const env = {
    ...start.env,
    PATH: [programs, start.env.PATH].join(delimiter),
    HOME: home,
    XDG_DATA_HOME: join(home, 'share'),
    PORT: String(port),
    ETSY_API_URL: market.url,
    ETSY_AUTH_URL: market.url,
  };
  const client = new Client({ name: 'walk', version: '1.0.0' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    shown.push(params.message);
    return { action: 'accept', content: { confirm: true } };
  });
  await client.connect(new StdioClientTransport({ ...start, env, stderr: 'inherit' }));
  ends.push(() => client.close());
  return client;
}

/** The address that the service opened in the browser. */
async function readOpened(home) {
  for (let tries = 0; tries < 600; tries++) {
    try {
      return readFileSync(join(home, 'opened'), 'utf8');
    } catch {
      await pause(100);
    }
  }
  throw new Error('No page was opened in the browser.');
}

/** The dashboard of the sandbox, which the answer names. The assistant shows the code only to the person. */
async function openByCode(page, said, ask) {
  const [address] = /http:\S+\/dashboard\/listings\/\d+/.exec(said) ?? [];
  await page.goto(address);
  const [code] = /\b\d{6}\b/.exec(await ask()) ?? [];
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button', { name: 'Open the dashboard' }).click();
  await page.getByRole('heading', { name: 'Stoneware mug' }).first().waitFor();
}

async function connectShop(page, link, { keystring, secret, port, way }) {
  await page.goto(link);
  await page.getByRole('button', { name: 'Open the dashboard' }).click();
  await page.getByText('No shop is connected').waitFor();
  await page.getByRole('button', { name: 'Connect a shop' }).click();
  const callback = `http://localhost:${port}/connect/callback`;
  await page.getByText(callback, { exact: true }).waitFor();
  await page.getByLabel('Keystring').fill(keystring);
  await page.getByLabel('Shared secret').fill(secret);
  await page.getByRole('button', { name: 'Go on to the marketplace' }).click();
  if (way === 'returns') {
    await agree(page);
  } else {
    const opening = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'Open the marketplace' }).click();
    const consent = await opening;
    await agree(consent);
    await consent.getByText('A program of its own.').waitFor();
    const landed = consent.url();
    assert(landed.startsWith(`${callback}?`), landed);
    await consent.close();
    await page.getByLabel('The address of that page').fill(landed);
    await page.getByRole('button', { name: 'Finish connecting' }).click();
  }
  await page.getByText(`${SHOP.name} (EUR) is connected.`).waitFor();
  await page.getByRole('link', { name: 'Back to where you came from' }).click();
  await page.getByRole('link', { name: SHOP.name }).waitFor();
}

async function agree(page) {
  await page.locator(`input[name="user_id"][value="${SHOP.user_id}"]`).check();
  await page.getByRole('button', { name: 'Allow' }).click();
}

async function list(call, { shop_id }, state) {
  const shop = { shop_id: Number(shop_id) };
  const { shipping_profiles, return_policies, processing_profiles } = await call('store_sync', shop);
  const { categories } = await call('categories_search', { keywords: 'mug' });
  const photo = readFileSync(join(root, 'test', 'fixtures', 'photo-05.jpg')).toString('base64');
  const { url } = await call('file_upload', { file: photo, filename: 'mug.jpg', type: 'image' });
  return call('listing_create', {
    shops: [
      {
        ...shop,
        shipping_profile_id: shipping_profiles[0].shipping_profile_id,
        return_policy_id: return_policies[0].return_policy_id,
        processing_profile_id: processing_profiles[0]?.processing_profile_id,
      },
    ],
    state,
    listing: {
      title: 'Stoneware mug',
      description: 'Thrown by hand.',
      listing_type: 'physical',
      taxonomy_id: categories[0].category_id,
      price: 24.5,
      quantity: 4,
    },
    images: [{ url }],
  });
}
