/*
 * The whole way an assistant goes: a real MCP client over stdio, real photos, the embedded sandbox. DATA_DIR
 * keeps the results; without it, a temporary folder is used and removed.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const MUGS = 1062;
const PHOTOS = ['mug-front.jpg', 'mug-side.jpg', 'mug-detail.png'];
const fixtures = join(import.meta.dirname, '..', 'fixtures');
const given_dir = process.env.DATA_DIR;
const data_dir = given_dir ?? (await mkdtemp(join(tmpdir(), 'listing-demo-')));

const client = new Client({ name: 'demo', version: '1.0.0' }, { capabilities: { elicitation: {} } });
client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
  say(`   The service asks: "${params.message}"  The seller says yes.`);
  return { action: 'accept', content: { confirm: true } };
});

try {
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(import.meta.dirname, '..', '..', 'dist', 'src', 'cli.js'), 'stdio'],
      env: {
        ...process.env,
        DATA_DIR: data_dir,
        UPLOAD_ROOTS: fixtures,
        LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
      },
      stderr: 'inherit',
    }),
  );
  await run();
} finally {
  await client.close();
  if (given_dir === undefined) await rm(data_dir, { recursive: true, force: true });
}

async function run() {
  const { stores } = await call('stores_list');
  say(
    `1. Connected shops: ${stores.map((store) => `${store.shop_name} (${store.currency_code})`).join(', ')}.`,
  );

  const schema = await call('listing_schema', { category_id: MUGS });
  const names = schema.variation_properties.map((property) => property.display_name);
  say(`2. Mugs may vary by ${names.slice(0, 4).join(', ')} and ${names.length - 4} other properties.`);

  const images = [];
  for (const photo of PHOTOS) {
    const { url, size } = await call('file_upload', { path: join(fixtures, photo) });
    images.push({ url });
    say(`3. Uploaded ${photo}, ${Math.round(size / 1024)} kB.`);
  }

  const shops = [];
  for (const store of stores) {
    const { shipping_profiles, return_policies, shop_sections } = await call('store_sync', {
      shop_id: Number(store.shop_id),
    });
    shops.push({
      shop_id: Number(store.shop_id),
      shipping_profile_id: shipping_profiles[0].shipping_profile_id,
      return_policy_id: return_policies[0].return_policy_id,
      shop_section_id: shop_sections[0].shop_section_id,
    });
  }

  const listing = buildListing(shops, images);
  const checked = await call('listing_create', { ...listing, dry_run: true });
  say(
    `4. Checked: right. It would take ${checked.marketplace_calls} calls and cost ${checked.cost_usd.toFixed(2)} USD.`,
  );

  say('5. Listing it in both shops, live:');
  const made = await call('listing_create', listing, (progress) =>
    say(`   ${String(progress.progress).padStart(2)} of ${progress.total}  ${progress.message}`),
  );
  const job = await call('listing_create_status', { job_id: made.job_id });
  say(`6. The job is ${job.status}.\n`);
  printResults(job.results);
  if (!job.results.every((result) => result.status === 'ok' && result.activated)) process.exitCode = 1;
}

function buildListing(shops, images) {
  const offerings = [
    { size: 'Espresso', glaze: 'Oat', price: 22, quantity: 6, sku: 'MUG-ESP-OAT' },
    { size: 'Espresso', glaze: 'Sea', price: 22, quantity: 4, sku: 'MUG-ESP-SEA' },
    { size: 'Breakfast', glaze: 'Oat', price: 29.5, quantity: 3, sku: 'MUG-BRK-OAT' },
  ];
  return {
    state: 'active',
    shops,
    listing: {
      title: 'Hand-thrown stoneware mug, two sizes & two glazes',
      description: 'Thrown, glazed and fired in a small workshop.\nSafe in the dishwasher.',
      listing_type: 'physical',
      taxonomy_id: MUGS,
      who_made: 'i_did',
      when_made: 'made_to_order',
      is_supply: false,
      price: 22,
      quantity: 6,
      tags: ['stoneware mug', 'handmade cup', 'coffee lover'],
      materials: ['stoneware', 'glaze'],
    },
    images,
    variations: {
      properties: [
        { property_id: 513, name: 'Size', values: ['Espresso', 'Breakfast'] },
        { property_id: 514, name: 'Glaze', values: ['Oat', 'Sea'] },
      ],
      offerings,
      variation_images: { property: 'Glaze', mapping: { Oat: 0, Sea: 1 } },
    },
  };
}

function printResults(results) {
  const rows = results.map((result) => [
    result.shop_name,
    result.status === 'ok' ? String(result.listing_id) : `failed: ${result.error}`,
    result.status === 'ok' ? `${result.price.toFixed(2)} ${result.currency_code}` : '-',
    `${(result.activation_cost_usd ?? 0).toFixed(2)} USD`,
  ]);
  const table = [['Shop', 'Listing', 'Price from', 'Cost'], ...rows];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  for (const row of table)
    say(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    );
}

/**
 * One tool call; waits if the service asks for a pause, and stops with the service's own words if it refuses.
 */
async function call(name, input = {}, onprogress) {
  for (;;) {
    const result = await client.callTool({ name, arguments: input }, undefined, {
      onprogress,
      timeout: 120_000,
    });
    if (!result.isError) return result.structuredContent;
    const { error } = JSON.parse(result.content[0].text);
    if (error.code !== 'RATE_LIMIT_SECOND') throw new Error(`${name}: ${error.message}\n${error.hint}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 1000);
    });
  }
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
