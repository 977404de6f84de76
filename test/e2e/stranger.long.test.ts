import type { ListingJobResult } from '../answers.js';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listClients } from '../../src/cli/setup/clients.js';
import { findUserFolders } from '../../src/config/user_folders.js';
import { startSandbox } from '../../src/sandbox/index.js';
import { fixturePath } from '../service.js';
import { invite, type Stranger } from './stranger.js';

/*
 * From a fresh copy of the repository to two active listings, following only the README. The assertions are
 * what the seller would see, and what the README's first conversation says about it.
 */

type Entry = { command: string; args: string[]; env: Record<string, string> };
type Output = Record<string, unknown>;

const PHOTOS = ['mug-front.jpg', 'mug-side.jpg', 'mug-detail.png'];

let stranger: Stranger;
beforeAll(async () => {
  stranger = await invite();
  process.stdout.write(`The walk is recorded in ${stranger.record_file}\n`);
});
afterAll(() => stranger.leave());

it('a stranger with the README gets to a draft, and to two active listings for one fee each', async () => {
  const { home, record } = stranger;

  // The first command is the clone, which the stranger has.
  const start = await stranger.readCommand('Try it', 1);
  expect(start).toBe('npm ci && npm start');
  const server = await stranger.start(start, /claude_desktop_config\.json[^]*\n}\n/);
  await record(start, server.printed);
  // A pipe reads along here, so the secrets are shown only on request.
  expect(server.printed).toMatch(/^A first API key, with the same settings: node \S+ keys create$/m);
  expect(server.printed).toContain('MARKETPLACE is sandbox: nothing reaches Etsy.');
  await server.stop();

  // Claude Desktop is installed once it has created its folder.
  const [desktop] = listClients(findUserFolders(process.platform, { HOME: home }, home));
  if (desktop?.id !== 'claude-desktop') throw new Error('the first client is another');
  for (const sign of desktop.signs) await mkdir(sign, { recursive: true });
  const setup = await stranger.readCommand('Claude');
  const output = await stranger.run(setup);
  await record(setup, output);
  expect(output).toBe(
    `Claude Desktop: ${desktop.file} was updated. Quit Claude Desktop completely, and start it again.\n`,
  );
  const again = `${setup} --client claude-desktop`;
  const untouched = await stranger.run(again);
  await record(again, untouched);
  expect(untouched).toBe(`Claude Desktop: ${desktop.file} is already up to date.\n`);

  const configuration = await readFile(desktop.file, 'utf8');
  await record(desktop.file, configuration);
  const { mcpServers } = JSON.parse(configuration) as { mcpServers: Record<string, Entry> };
  const entry = mcpServers['listing-service'];
  if (!entry) throw new Error('the configuration does not name the service');
  await mkdir(join(home, 'Downloads', 'mug'), { recursive: true });
  for (const name of PHOTOS) await copyFile(fixturePath(name), join(home, 'Downloads', 'mug', name));
  const claude = await openClaude(entry, home);
  try {
    await walk(claude, entry);
  } finally {
    await claude.client.close();
  }
}, 900_000);

/** A client that starts the service from its configuration, with a seller who says yes to its questions. */
async function openClaude({ command, args, env }: Entry, home: string) {
  const asked: string[] = [];
  const client = new Client({ name: 'claude', version: '1' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    asked.push(params.message);
    await stranger.record('The service asks, and the seller says yes', params.message);
    return { action: 'accept' as const, content: { confirm: true } };
  });
  await client.connect(
    new StdioClientTransport({ command, args, env: { HOME: home, ...env }, cwd: home, stderr: 'ignore' }),
  );

  async function send(name: string, input: Output) {
    const result = await client.callTool({ name, arguments: input }, undefined, { timeout: 120_000 });
    const [content] = result.content as { text: string }[];
    await stranger.record(`${name} ${JSON.stringify(input)}`, JSON.parse(content?.text ?? '{}'));
    return result;
  }
  return {
    client,
    asked,
    async call<Answer = Output>(name: string, input: Output = {}): Promise<Answer> {
      const { isError, structuredContent, content } = await send(name, input);
      if (isError) throw new Error(JSON.stringify(content));
      return structuredContent as Answer;
    },
    async refuse(name: string, input: Output): Promise<{ message: string }> {
      const { isError, content } = await send(name, input);
      expect(isError).toBe(true);
      const [{ text } = { text: '{}' }] = content as { text: string }[];
      return (JSON.parse(text) as { error: { message: string } }).error;
    },
  };
}

async function walk({ call, refuse, asked }: Awaited<ReturnType<typeof openClaude>>, { env }: Entry) {
  // "Which shops am I connected to?"
  const { stores } = await call<{ stores: { shop_id: string; shop_name: string; currency_code: string }[] }>(
    'stores_list',
  );
  expect(stores.map(({ shop_name, currency_code }) => `${shop_name} (${currency_code})`)).toEqual([
    'ClayAndOak (USD)',
    'NordLinen (EUR)',
  ]);

  // "List the mug in Downloads/mug in both: small at 22, large at 29.50, glazes oat and sea, three of each. …; 30 days to return it."
  const { message } = await refuse('file_upload', { path: '~/Downloads/mug' });
  for (const name of PHOTOS) expect(message).toContain(name);
  const images = [];
  for (const name of PHOTOS) {
    const { url } = await call<{ url: string }>('file_upload', { path: `~/Downloads/mug/${name}` });
    images.push({ url });
  }
  const shops = [];
  for (const { shop_id } of stores) {
    const kept = await call<{
      shipping_profiles: { shipping_profile_id: number }[];
      return_policies: { return_policy_id: number; return_deadline: number | null }[];
    }>('store_sync', { shop_id: Number(shop_id) });
    shops.push({
      shop_id: Number(shop_id),
      shipping_profile_id: kept.shipping_profiles[0]?.shipping_profile_id,
      return_policy_id: kept.return_policies.find((policy) => policy.return_deadline === 30)
        ?.return_policy_id,
    });
  }
  const { categories } = await call<{ categories: { category_id: number; full_path: string }[] }>(
    'categories_search',
    { keywords: 'mug' },
  );
  const taxonomy_id = categories[0]?.category_id;
  await call('listing_schema', { category_id: taxonomy_id });
  const sizes = { Small: 22, Large: 29.5 };
  const request = {
    shops,
    listing: {
      title: 'Stoneware mug in two sizes',
      description: 'Thrown by hand.',
      listing_type: 'physical',
      taxonomy_id,
      quantity: 4,
    },
    images,
    variations: {
      properties: [
        { property_id: 513, name: 'Size', values: Object.keys(sizes) },
        { property_id: 514, name: 'Glaze', values: ['Oat', 'Sea'] },
      ],
      offerings: Object.entries(sizes).flatMap(([size, price]) =>
        ['Oat', 'Sea'].map((glaze) => ({ size, glaze, price })),
      ),
    },
  };

  // The first draft.
  const draft = await call<ListingJobResult>('listing_create', request);
  expect(draft).toMatchObject({
    status: 'draft',
    shops_count: 2,
    names: {
      'shops[0].shop_id': 'ClayAndOak',
      'shops[1].shop_id': 'NordLinen',
      'shops[0].return_policy_id': 'returns and exchanges within 30 days',
      'listing.taxonomy_id': categories[0]?.full_path,
    },
  });

  // "What would it cost?"
  const checked = await call<ListingJobResult>('listing_create', {
    ...request,
    state: 'active',
    dry_run: true,
  });
  expect(checked).toMatchObject({ status: 'valid', cost_usd: 0.4 });
  expect(checked.shops?.map(({ price, currency_code }) => `${price} ${currency_code}`)).toEqual([
    '22 USD',
    '22 EUR',
  ]);
  expect(checked.shops?.[0]?.warnings.map(({ reason }) => reason).join()).toContain('1 - 2 days');
  expect(asked).toEqual([]);

  // "Yes."
  const live = await call<ListingJobResult>('listing_publish', {
    listing_pk: draft.listing_pk,
    state: 'active',
  });
  expect(asked).toEqual([
    'Activate this listing in "ClayAndOak", "NordLinen"? The marketplace charges 0.40 USD (0.20 USD per shop).',
  ]);
  expect(
    live.results?.map(({ shop_name, status, activated, images: photos }) => [
      shop_name,
      status,
      activated,
      photos?.length,
    ]),
  ).toEqual([
    ['ClayAndOak', 'ok', true, 3],
    ['NordLinen', 'ok', true, 3],
  ]);
  for (const { listing_url = '' } of live.results ?? []) {
    const page = await fetch(listing_url);
    await stranger.record(`GET ${listing_url}`, String(page.status));
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining('Stoneware mug in two sizes'),
    ]);
  }

  const { listings, fees } = await readMarketplace(env['DATA_DIR'] ?? '');
  await stranger.record('What the marketplace has', { listings: listings.length, fees });
  expect(listings.map(({ state, inventory }) => [state, inventory.products.length])).toEqual([
    ['active', 4],
    ['active', 4],
  ]);
  expect(fees.map(({ amount }) => amount)).toEqual([20, 20]);
  expect(new Set(fees.map(({ listing_id }) => listing_id))).toEqual(
    new Set(listings.map(({ listing_id }) => listing_id)),
  );
}

type Marketplace = {
  listings: { listing_id: number; state: string; inventory: { products: unknown[] } }[];
  fees: { listing_id: number; amount: number }[];
};

async function readMarketplace(data_dir: string): Promise<Marketplace> {
  const sandbox = await startSandbox({ database_file: join(data_dir, 'sandbox.db'), control: true });
  try {
    const answer = await fetch(`${sandbox.url}/_sandbox/state`);
    return (await answer.json()) as Marketplace;
  } finally {
    await sandbox.close();
  }
}
