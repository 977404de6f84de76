import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { WARNING_CODES } from '../../schemas/issues/warning_codes.js';
import { LIMITS } from '../../src/compose/core_settings.js';
import { listSettings } from '../../src/config.js';
import { operations } from '../../tools/index.js';
import { ROOT } from '../architecture/sources.js';
import { buildTable } from '../table.js';

const GUIDES = join(ROOT, 'src', 'docs');

it('warnings.md explains every warning code that a listing can have, and no other', async () => {
  const text = await readFile(join(GUIDES, 'warnings.md'), 'utf8');
  const explained = [...text.matchAll(/^\| `(\w+)`/gm)].map(([, code = '']) => code);
  expect(explained.toSorted()).toEqual([...WARNING_CODES].sort());
});

it('developers.md lists every operation; npm run readme writes it', async () => {
  const file = join(GUIDES, 'developers.md');
  const [before = '', after = ''] = (await readFile(file, 'utf8')).split(
    /(?<=operations: made by npm run readme -->)[^]*?(?=<!-- \/operations)/,
  );
  const rows = operations.map(({ id, title, route }) => [
    `\`${id}\``,
    title,
    `\`${route.method} ${route.path}\``,
  ]);
  const table = buildTable(['Operation', 'What it does', 'Route'], rows);
  await expect(`${before}\n\n${table}\n\n${after}`).toMatchFileSnapshot(file);
});

it('operators.md lists every setting; npm run readme writes it', async () => {
  const file = join(GUIDES, 'operators.md');
  const [before = '', after = ''] = (await readFile(file, 'utf8')).split(
    /(?<=made by npm run readme -->)[^]*?(?=<!-- \/settings)/,
  );
  // For a folder that differs between computers, only its presence is compared.
  const rows = listSettings().map(({ variable, default: fallback, description }) => [
    `\`${variable}\``,
    description,
    fallback.includes(homedir()) || variable === 'UPLOAD_ROOTS' ? 'in your home folder' : fallback,
  ]);
  const table = buildTable(['Variable', 'What it is', 'Default'], rows);
  await expect(`${before}\n\n${table}\n\n${after}`).toMatchFileSnapshot(file);
});

it('scale.md contains the figures derived from the measured costs; npm run readme writes it', async () => {
  const file = join(GUIDES, 'scale.md');
  const text = await readFile(file, 'utf8');
  const costs = readCosts(text);
  const cost = (what: string, column: string) => {
    const found = costs.find((row) => row['For each'] === what)?.[column];
    if (found === undefined) throw new Error(`${what} has no ${column}`);
    return Number(found);
  };
  const machines = [
    {
      name: '1 processor, 2 GB of memory, 20 GB',
      engine: 'SQLite',
      processors: 1,
      memory_gb: 2,
      disk_gb: 20,
    },
    // One process, which uses little more than one core.
    {
      name: '2 processors, 4 GB of memory, 100 GB',
      engine: 'SQLite',
      processors: 1,
      memory_gb: 4,
      disk_gb: 100,
    },
    {
      name: '8 processors, 32 GB of memory, 1,000 GB',
      engine: 'PostgreSQL',
      processors: 8,
      memory_gb: 32,
      disk_gb: 1_000,
    },
  ];
  const held = machines.map(({ name, engine, processors, disk_gb }) => {
    const inTime = (what: string, seconds: number) =>
      format((processors * SHARE * seconds * 1_000) / cost(what, `ms of a processor, ${engine}`));
    const kept_kb = cost(LISTING, `kB, ${engine}`);
    const onDisk = (kb: number) => format((disk_gb * SHARE * 1_000_000) / kb);
    return [
      `${name}, ${engine}`,
      inTime(LISTING, DAY_S),
      inTime(ORDER, DAY_S),
      inTime(PAGE, 1),
      onDisk(kept_kb + PHOTOS_KB),
      onDisk(kept_kb),
    ];
  });
  const machine_head = [
    'Machine',
    'Listings published a day',
    'Orders a day',
    'Pages a second',
    'Listings kept, with ten photos of 1 MB',
    'Listings kept, files in a bucket',
  ];
  const accounts = machines.flatMap(({ name, engine, processors, memory_gb, disk_gb }) => {
    const ms = (what: string) => cost(what, `ms of a processor, ${engine}`);
    const kb = (what: string) => cost(what, `kB, ${engine}`);
    const ms_a_day =
      ACCOUNT.shops * LOOKS_A_DAY * ms(LOOK) +
      ACCOUNT.orders_a_day * ms(ORDER) +
      ACCOUNT.new_listings_a_day * ms(LISTING) +
      ACCOUNT.pages_a_day * ms(PAGE);
    const rows_kb = ACCOUNT.listings * kb(LISTING) + ACCOUNT.orders_a_day * LIMITS.orders_days * kb(ORDER);
    const in_time = (processors * SHARE * DAY_S * 1_000) / ms_a_day;
    const in_memory = (memory_gb * SHARE * 1_000_000) / rows_kb;
    return [0, PHOTOS_KB].map((photos_kb) => {
      const on_disk = (disk_gb * SHARE * 1_000_000) / (rows_kb + ACCOUNT.listings * photos_kb);
      const most = Math.min(in_time, on_disk);
      return [
        `${name}, ${engine}`,
        photos_kb === 0 ? 'in a bucket' : 'on its disk',
        ...[1, ACCOUNT.shops, ACCOUNT.listings, ACCOUNT.orders_a_day].map((each) => format(most * each)),
        most === in_time ? 'its processors' : 'its disk',
        format(Math.min(most, in_memory)),
      ];
    });
  });
  const account_head = [
    'Machine',
    'Photos',
    'Accounts',
    'Their shops',
    'Their listings',
    'Their orders a day',
    'First limit',
    'Accounts whose rows fit into half of the memory',
  ];
  const bench = await readFile(join(ROOT, 'test', 'bench', 'README.md'), 'utf8');
  const rates = [
    ['webhooks sent, events a second', 'webhooks, 1,000 due: rate \\*'],
    ['the same with a slow receiver', 'webhooks, 1,000 due, beside a slow receiver: rate \\*'],
    ['memory of a process after 50,000 calls, MiB', 'resident memory after 50,000 calls'],
  ].map(([name = '', row = '']) => [name, ...readMeasured(bench, row)]);
  const rate_head = ['What', 'SQLite', 'PostgreSQL', 'Target on SQLite'];
  const applications = [5_000, 10_000, 100_000].map((a_day) => [
    format(a_day),
    format((a_day * 0.5) / cost(LISTING, 'Calls of Etsy')),
    format((a_day * 0.25) / LOOKS_A_DAY),
    format(((a_day * 0.25) / READS_A_DAY) * 100),
  ]);
  const application_head = [
    'Calls a day',
    'New listings of ten photos a day',
    'Shops, polled at least every 15 minutes',
    'Existing listings, read every five and a half hours',
  ];
  const filled = fill(
    fill(
      fill(
        fill(text, 'machines', buildTable(machine_head, held)),
        'accounts',
        `${ACCOUNT_WORDS}\n\n${buildTable(account_head, accounts)}`,
      ),
      'rates',
      buildTable(rate_head, rates),
    ),
    'applications',
    buildTable(application_head, applications),
  );
  await expect(filled).toMatchFileSnapshot(file);
});

const LISTING = 'listing of ten photos, published in a shop';
const ORDER = 'order that was paid, told to a webhook';
const PAGE = 'page of 24 listings on the dashboard';
const LOOK = 'look at the orders of a shop';
/** The assumed size and activity of an account. */
const ACCOUNT = { shops: 2, listings: 500, orders_a_day: 20, new_listings_a_day: 5, pages_a_day: 100 };
const ACCOUNT_WORDS = `An account here has ${ACCOUNT.shops} shops and ${ACCOUNT.listings} listings of ten photos of 1 MB; each day it has ${ACCOUNT.orders_a_day} orders, ${ACCOUNT.new_listings_a_day} new listings and ${ACCOUNT.pages_a_day} page views. All of that together uses half of the processor and half of the disk.`;
/** The share of a machine to use, so there is room for a bad day. */
const SHARE = 0.5;
const DAY_S = 24 * 60 * 60;
const PHOTOS_KB = 10_000;
/**
 * The polls for a quiet shop's orders and for up to a hundred listings: see core/orders/pace.ts and
 * core/listings/observed/pace.ts.
 */
const LOOKS_A_DAY = 24 * 4;
const READS_A_DAY = 24 / 5.5;

/** Replaces a table in the page. */
function fill(page: string, name: string, table: string): string {
  const place = new RegExp(`(?<=<!-- ${name}: made by npm run readme -->)[^]*?(?=<!-- /${name} -->)`);
  return page.replace(place, () => `\n\n${table}\n\n`);
}

/** Two digits are all the precision the measurements have. */
function format(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en', { maximumFractionDigits: 0 });
}

/** The table of measured costs: a row for each, by its row header. */
function readCosts(page: string): Record<string, string>[] {
  const table = /<!-- costs: [^>]*-->([^]*?)<!-- \/costs -->/.exec(page)?.[1] ?? '';
  const [head = [], , ...rows] = table
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  return rows.map((row) => Object.fromEntries(head.map((name, column) => [name, row[column] ?? ''])));
}

/** From a row of the bench's table: the figures on SQLite and on PostgreSQL, and the target. */
function readMeasured(bench: string, name: string): string[] {
  const cells = bench
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .find(([, what]) => what === name);
  if (cells === undefined) throw new Error(`test/bench/README.md has no row ${name}`);
  const [, , ours = '', against = '', , , , other = ''] = cells;
  const promised = /what is promised: ([\d,]+)/.exec(against)?.[1] ?? '–';
  return [toFigure(ours), toFigure(other), promised];
}

function toFigure(cell: string): string {
  return /^[\d,.]+/.exec(cell)?.[0] ?? '–';
}
