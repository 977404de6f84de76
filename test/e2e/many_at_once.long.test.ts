import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BatchAnswer, BatchesPage, BatchItem, SheetResult } from '../../schemas/batch.js';
import { createSandboxHandler } from '../../src/sandbox/index.js';
import { systemPorts } from '../../src/sandbox/ports.js';
import { UP } from '../core/batches/rig.js';
import { readRows, writeRows } from '../core/batches/sheet_world.js';
import { makeListing } from '../core/listings/update/rig.js';
import { CLAY, startService } from '../service.js';
import { buildEnvironment, openMcpStdio } from '../surfaces/faces.js';

/*
 * A seller changes 40 listings in two shops through an assistant: the SDK's client and the built program over
 * stdio, which is killed.
 */

const LISTINGS = 40;
const ITEMS = 2 * LISTINGS;
const PAGE = 25;
/** The part of an answer that an assistant uses. */
const MOST_CHARS = 25_000;
const TIMEOUT_MS = 120_000;

let folder: string;
let data_dir: string;
let shop: ReturnType<typeof openShops>;
let assistant: Awaited<ReturnType<typeof openAssistant>>;
let listing_pks: number[];
let before: Record<string, number>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'many-at-once-'));
  const service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
  ({ data_dir } = service);
  listing_pks = [];
  for (let index = 0; index < LISTINGS; index += 1) {
    const price = Math.round(800 + index * 137) / 100;
    const made = await makeListing(service, { photos: 1, listing: { title: `Mug ${index}`, price } });
    listing_pks.push(made.listing_pk);
  }
  await service.close({ keep: true });
  shop = openShops();
  before = await shop.readPrices();
  assistant = await openAssistant();
}, TIMEOUT_MS);
afterAll(async () => {
  await assistant.close();
  await shop.close();
  await Promise.all([folder, data_dir].map((path) => rm(path, { recursive: true, force: true })));
});

/** The embedded marketplace's view of its shops. Prices are cents by listing. */
function openShops() {
  const database_file = join(data_dir, 'sandbox.db');
  const sandbox = createSandboxHandler(
    { database_file, origin: 'http://sandbox.test', control: true },
    systemPorts,
  );
  async function read() {
    const answer = await sandbox.handle({
      method: 'GET',
      url: '/_sandbox/state',
      headers: {},
      body: undefined,
    });
    if (typeof answer === 'string') throw new Error(answer);
    return JSON.parse(String(answer.body)) as {
      listings: {
        listing_id: number;
        inventory: { products: { offering: { price_amount: number; currency_code?: string } }[] };
      }[];
      calls: Record<string, number>;
    };
  }
  const readCalls = async () => (await read()).calls;
  return {
    async readPrices(): Promise<Record<string, number>> {
      const { listings } = await read();
      return Object.fromEntries(
        listings.map(({ listing_id, inventory }) => [
          listing_id,
          inventory.products[0]?.offering.price_amount ?? 0,
        ]),
      );
    },
    /** Calls about listings while `work` runs; background reads do not count. */
    async countCalls(work: () => Promise<void>) {
      const earlier = await readCalls();
      await work();
      const made = Object.entries(await readCalls()).map(
        ([name, calls]) => [name, calls - (earlier[name] ?? 0)] as const,
      );
      const sum = (isCounted: (name: string) => boolean) =>
        made.reduce((all, [name, calls]) => (isCounted(name) ? all + calls : all), 0);
      return {
        all: sum((name) => name.includes('Listing') && !/ByListingIds|ByShop|Batch/.test(name)),
        writes: sum((name) => name === 'updateListingInventory'),
      };
    },
    close: () => sandbox.close(),
  };
}

async function openAssistant() {
  const env = buildEnvironment(data_dir, {
    MAX_ACTIVATIONS_PER_DAY: 'unlimited',
    UPLOAD_ROOTS: folder,
    ORDER_POLL_SECONDS: 'off',
  });
  const { client } = await openMcpStdio(env);
  async function call<Answer>(name: string, input: object): Promise<Answer> {
    const options = { timeout: TIMEOUT_MS };
    const result = (await client.callTool(
      { name, arguments: { ...input } },
      undefined,
      options,
    )) as CallToolResult;
    const [first] = result.content;
    const text = first?.type === 'text' ? first.text : '';
    if (result.isError) throw new Error(text);
    expect(text.length).toBeLessThan(MOST_CHARS);
    return result.structuredContent as Answer;
  }
  async function show(batch_id: string): Promise<BatchAnswer> {
    const { batches } = await call<BatchesPage>('batches_list', { batch_id, limit: PAGE });
    return batches[0] as BatchAnswer;
  }
  return {
    call,
    show,
    async listItems(batch_id: string): Promise<BatchItem[]> {
      const items: BatchItem[] = [];
      for (let offset = 0, total = 1; offset < total; offset += PAGE) {
        const page = await call<BatchesPage>('batches_list', { batch_id, limit: PAGE, offset });
        ({ total = 0 } = page);
        items.push(...(page.items ?? []));
      }
      return items;
    },
    async follow(batch_id: string, status: string): Promise<BatchAnswer> {
      await expect
        .poll(async () => (await show(batch_id)).status, { timeout: TIMEOUT_MS, interval: 200 })
        .toBe(status);
      return show(batch_id);
    },
    /** As in a power cut. */
    kill() {
      const { pid } = client.transport as StdioClientTransport;
      if (pid === null) throw new Error('the assistant has no process');
      process.kill(pid, 'SIGKILL');
    },
    close: () => client.close(),
  };
}

const toCents = (price: unknown) => Math.round(Number(price) * 100);
/** Ten percent more, rounded to x.90, half up. */
const raise = (cents: number) => Math.floor((cents * 1.1 - 90 + 50) / 100) * 100 + 90;

it(
  'prices in two shops are raised through a real client that is killed midway, then resumed and undone',
  { timeout: 3 * TIMEOUT_MS },
  async () => {
    expect(Object.keys(before)).toHaveLength(ITEMS);
    let batch_id = '';
    let foreseen = 0;
    const reads = await shop.countCalls(async () => {
      const asked = await assistant.call<BatchAnswer>('batch_create', { select: { listing_pks }, edits: UP });
      ({ batch_id } = asked);
      const { counts, marketplace_calls } = await assistant.follow(batch_id, 'planned');
      expect(counts).toMatchObject({ items: ITEMS, changed: ITEMS, refused: 0 });
      foreseen = marketplace_calls;
    });
    expect(reads.all).toBeLessThanOrEqual(Math.ceil(ITEMS / 100) + ITEMS);
    expect(reads.writes).toBe(0);
    const items = await assistant.listItems(batch_id);
    expect(new Set(items.map(({ listing_pk, shop_id }) => `${listing_pk} ${shop_id}`)).size).toBe(ITEMS);
    expect(items.map(({ diff }) => diff)).toEqual(
      items.map(({ diff: [row] }) => [
        { field: 'listing.price', before: row?.before, after: raise(toCents(row?.before)) / 100 },
      ]),
    );
    expect(await shop.readPrices()).toEqual(before);

    const made = await shop.countCalls(async () => {
      const running = assistant.call('batch_start', { batch_id }).catch(() => undefined);
      await expect
        .poll(async () => (await assistant.show(batch_id)).counts.ok, { interval: 5 })
        .toBeGreaterThan(ITEMS / 8);
      assistant.kill();
      // It is answered, with an error, once the process is gone.
      await running;
      const half = Object.entries(await shop.readPrices()).filter(([id, cents]) => cents !== before[id]);
      expect(half.length).toBeLessThan(ITEMS);
      assistant = await openAssistant();
      const { counts } = await assistant.follow(batch_id, 'completed');
      expect(counts).toMatchObject({ ok: ITEMS, error: 0, canceled: 0 });
    });
    const raised = Object.fromEntries(Object.entries(before).map(([id, cents]) => [id, raise(cents)]));
    expect(await shop.readPrices()).toEqual(raised);
    expect(made.writes).toBe(ITEMS);
    // The listing that was being changed is re-read in its two shops.
    expect(made.all).toBeGreaterThanOrEqual(foreseen);
    expect(made.all).toBeLessThanOrEqual(foreseen + 4);

    const undone = await shop.countCalls(async () => {
      const { batch_id: undo_id } = await assistant.call<BatchAnswer>('batch_undo', { batch_id });
      const { counts } = await assistant.follow(undo_id, 'completed');
      expect(counts).toMatchObject({ ok: ITEMS, error: 0 });
    });
    expect(await shop.readPrices()).toEqual(before);
    expect(undone.writes).toBe(ITEMS);
  },
);

it(
  'a sheet written into the upload folder and read back plans only the edited cells',
  { timeout: TIMEOUT_MS },
  async () => {
    const sheet = await assistant.call<SheetResult>('batch_sheet', {
      select: { listing_pks },
      format: 'csv',
    });
    expect([sheet.rows, sheet.path?.startsWith(folder)]).toEqual([ITEMS, true]);
    const rows = await readRows(await readFile(sheet.path ?? ''));
    const upload = async (name: string, edited: typeof rows) => {
      const path = join(folder, name);
      await writeFile(path, await writeRows(edited));
      return (await assistant.call<{ url: string }>('file_upload', { path, type: 'sheet' })).url;
    };
    const unchanged = await upload('unchanged.csv', rows);
    const nothing = await assistant.call<BatchAnswer>('batch_create', { sheet: unchanged });
    expect((await assistant.follow(nothing.batch_id, 'planned')).counts).toMatchObject({
      items: ITEMS,
      unchanged: ITEMS,
      changed: 0,
      refused: 0,
    });

    const isEdited = (row: (typeof rows)[number]) =>
      row['shop_id'] === String(CLAY.shop_id) && Number(row['listing_pk']) <= (listing_pks[2] ?? 0);
    const edited = await upload(
      'edited.csv',
      rows.map((row) => (isEdited(row) ? { ...row, price: '99.90', tags: 'oat, gift' } : row)),
    );
    const planned = await assistant.call<BatchAnswer>('batch_create', { sheet: edited });
    const { counts } = await assistant.follow(planned.batch_id, 'planned');
    expect(counts).toMatchObject({ items: ITEMS, changed: 3, unchanged: ITEMS - 3, refused: 0 });
    await assistant.call('batch_start', { batch_id: planned.batch_id });
    expect((await assistant.follow(planned.batch_id, 'completed')).counts).toMatchObject({ ok: 3, error: 0 });
    const listing_ids = new Set(rows.filter(isEdited).map((row) => row['listing_id']));
    const expected = Object.entries(before).map(([id, cents]) => [id, listing_ids.has(id) ? 9_990 : cents]);
    expect(await shop.readPrices()).toEqual(Object.fromEntries(expected));
    const undo = await assistant.call<BatchAnswer>('batch_undo', { batch_id: planned.batch_id });
    expect((await assistant.follow(undo.batch_id, 'completed')).counts).toMatchObject({ ok: 3, error: 0 });
    expect(await shop.readPrices()).toEqual(before);
  },
);
