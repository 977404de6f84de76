import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listSettings } from '../../src/config.js';
import { operations } from '../../tools/index.js';
import { readSources, ROOT } from '../architecture/sources.js';
import { buildTable } from '../table.js';

const GUIDES = join(ROOT, 'src', 'docs');

it('warnings.md explains every code that a listing can come with, and no other', async () => {
  const text = await readFile(join(GUIDES, 'warnings.md'), 'utf8');
  const explained = [...text.matchAll(/^\| `(\w+)`/gm)].map(([, code = '']) => code);
  const given = readSources()
    .filter(({ file }) =>
      /^src\/core\/(listings\/|operations\/unknown_keys\/|uploads\/photos\.ts)/.test(file),
    )
    .flatMap((source) => [...source.text.matchAll(/\bcode: '([a-z_]+)'/g)].map(([, code = '']) => code));
  expect(explained.toSorted()).toEqual([...new Set(given)].sort());
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
  // Of a folder that differs from one computer to the next, only that there is one.
  const rows = listSettings().map(({ variable, default: fallback, description }) => [
    `\`${variable}\``,
    description,
    fallback.includes(homedir()) ? 'in your home folder' : fallback,
  ]);
  const table = buildTable(['Variable', 'What it is', 'Default'], rows);
  await expect(`${before}\n\n${table}\n\n${after}`).toMatchFileSnapshot(file);
});

it('scale.md holds what follows from the measured costs; npm run readme writes it', async () => {
  const file = join(GUIDES, 'scale.md');
  const text = await readFile(file, 'utf8');
  const costs = readCosts(text);
  const cost = (what: string, column: string) => {
    const found = costs.find((row) => row['For each'] === what)?.[column];
    if (found === undefined) throw new Error(`${what} has no ${column}`);
    return Number(found);
  };
  const machines = [
    { name: '1 processor, 20 GB', engine: 'SQLite', processors: 1, disk_gb: 20 },
    // One process, which uses little more than one of them.
    { name: '2 processors, 100 GB', engine: 'SQLite', processors: 1, disk_gb: 100 },
    { name: '8 processors, 1,000 GB', engine: 'PostgreSQL', processors: 8, disk_gb: 1_000 },
  ].map(({ name, engine, processors, disk_gb }) => {
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
  const applications = [5_000, 10_000, 100_000].map((a_day) => [
    format(a_day),
    format((a_day * 0.5) / cost(LISTING, 'Calls of Etsy')),
    format((a_day * 0.25) / LOOKS_A_DAY),
    format(((a_day * 0.25) / READS_A_DAY) * 100),
  ]);
  const application_head = [
    'Calls a day',
    'New listings of ten photos a day',
    'Shops, looked at every 15 minutes at least',
    'Listings that stand, read every five and a half hours',
  ];
  const fill = (page: string, name: string, table: string) =>
    page.replace(
      new RegExp(`(?<=<!-- ${name}: made by npm run readme -->)[^]*?(?=<!-- /${name} -->)`),
      () => `\n\n${table}\n\n`,
    );
  const filled = fill(
    fill(text, 'machines', buildTable(machine_head, machines)),
    'applications',
    buildTable(application_head, applications),
  );
  await expect(filled).toMatchFileSnapshot(file);
});

const LISTING = 'listing of ten photos, published in a shop';
const ORDER = 'order that was paid, told to a webhook';
const PAGE = 'page of 24 listings on the dashboard';
/** Of a machine, so that there is room for a bad day. */
const SHARE = 0.5;
const DAY_S = 24 * 60 * 60;
const PHOTOS_KB = 10_000;
/** Of a quiet shop's orders, and of up to a hundred listings: see core/orders/pace.ts and core/listings/observed/pace.ts. */
const LOOKS_A_DAY = 24 * 4;
const READS_A_DAY = 24 / 5.5;

/** Two digits tell as much as is known. */
function format(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en', { maximumFractionDigits: 0 });
}

/** The table of measured costs, a row each by its heads. */
function readCosts(page: string): Record<string, string>[] {
  const table = /<!-- costs: [^>]*-->([^]*?)<!-- \/costs -->/.exec(page)?.[1] ?? '';
  const [head = [], , ...rows] = table
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  return rows.map((row) => Object.fromEntries(head.map((name, column) => [name, row[column] ?? ''])));
}
