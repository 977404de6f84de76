import { mkdir, readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { marked, type Tokens } from 'marked';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../src/config.js';
import { SETTINGS } from '../../src/config/settings.js';
import { createHttpFace } from '../../src/transports/index.js';
import { readBoard, readGuides } from '../../src/transports/pages/docs/guides.js';
import { operations } from '../../tools/index.js';
import { readSources } from '../architecture/sources.js';
import { startService } from '../service.js';
import { buildEnvironment } from '../surfaces/faces.js';
import { listBlocks } from './blocks.js';
import { openShell } from './shell.js';

type Compose = {
  services: Record<string, { image: string; environment?: Record<string, string>; volumes?: string[] }>;
  volumes: Record<string, unknown>;
};
type Rules = { groups: { rules: { alert: string; expr: string }[] }[] };

type Panel = {
  id: number;
  type: string;
  title: string;
  description: string;
  datasource: unknown;
  gridPos: { h: number; w: number; x: number; y: number };
  fieldConfig: { defaults: { unit: string } };
  targets: { refId: string; expr: string; datasource: unknown }[];
};
type Board = { panels: Panel[]; templating: { list: { name: string }[] } };

/** Without the rows they are in. */
function readPanels(): Panel[] {
  return (JSON.parse(readBoard()) as Board).panels.filter(({ type }) => type !== 'row');
}

function readGuide(): string {
  return readGuides().find(({ name }) => name === 'operators')?.markdown ?? '';
}

/** The YAML blocks of the operators' guide. */
function readYaml(): unknown[] {
  return marked
    .lexer(readGuide())
    .filter((token): token is Tokens.Code => token.type === 'code' && token.lang === 'yaml')
    .map(({ text }) => parse(text, { strict: true }) as unknown);
}

it('the compose file is valid, with existing settings and volumes', () => {
  const { services, volumes } = readYaml()[0] as Compose;
  const variables = new Set<string>(Object.values(SETTINGS).map(({ variable }) => variable));
  const set = Object.keys(services['listings']?.environment ?? {});
  expect(set).toContain('DATABASE_URL');
  expect(set.filter((name) => !variables.has(name))).toEqual([]);
  const used = Object.values(services).flatMap((service) => service.volumes ?? []);
  const names = new Set(used.map((volume) => volume.split(':')[0]));
  expect(names).toEqual(new Set(Object.keys(volumes)));
});

it("the compose file's instances start on the real marketplace, and their metrics can be scraped", () => {
  const { services } = readYaml()[0] as Compose;
  const given: Record<string, string> = { MASTER_KEY: Buffer.alloc(32, 1).toString('base64') };
  const fillIn = (text: string) =>
    text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => given[name] ?? `a-long-word-for-${name}`);
  const environment = Object.entries(services['listings']?.environment ?? {});
  const config = loadConfig({}, Object.fromEntries(environment.map(([name, text]) => [name, fillIn(text)])));
  expect(config).toMatchObject({
    marketplace: 'etsy',
    etsy_keystring: 'a-long-word-for-ETSY_KEYSTRING',
    etsy_shared_secret: 'a-long-word-for-ETSY_SHARED_SECRET',
    metrics_token: 'a-long-word-for-METRICS_TOKEN',
    blob_store: { kind: 's3' },
  });
  expect(config.database_url).toMatch(/^postgres:/);
});

/** The sections of a systemd unit, with the lines of each by key. */
function parseUnit(text: string): Record<string, Record<string, string>> {
  const unit: Record<string, Record<string, string>> = {};
  let section: Record<string, string> = {};
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, name] = /^\[(\w+)\]$/.exec(line) ?? [];
    if (name !== undefined) {
      section = unit[name] = {};
      continue;
    }
    const [, key = '', value = ''] = /^(\w+)=(.+)$/.exec(line) ?? [];
    expect(section).not.toHaveProperty(key);
    section[key] = value;
  }
  return unit;
}

it('the systemd units back up the data folder, and remove old backups', { timeout: 60_000 }, async () => {
  const units = listBlocks(readGuide()).filter(({ lang }) => lang === 'ini');
  const [service = {}, timer] = units.map(({ text }) => parseUnit(text));
  expect(timer).toEqual({
    Timer: { OnCalendar: '04:00', Persistent: 'true' },
    Install: { WantedBy: 'timers.target' },
  });
  const {
    Type,
    User,
    Environment: environment,
    ExecStart = '',
    ExecStartPost = '',
  } = service['Service'] ?? {};
  expect({ Type, User, environment }).toEqual({
    Type: 'oneshot',
    User: 'listings',
    environment: 'DATA_DIR=/var/lib/listing-service',
  });
  const used = await startService({ DATABASE_URL: '' });
  onTestFinished(() => used.close());
  const shell = await openShell(buildEnvironment(used.data_dir));
  onTestFinished(() => shell.close());
  const backups = join(shell.folder, 'backups');
  const days = [40, 3].map((ago) => ({ name: toDay(ago), time: new Date(Date.now() - ago * DAY_MS) }));
  for (const { name, time } of days) {
    await mkdir(join(backups, name, 'blobs'), { recursive: true });
    await utimes(join(backups, name), time, time);
  }
  for (const command of [ExecStart, ExecStartPost]) {
    expect(command).toContain('/var/backups/listings');
    await shell.run(command.replaceAll('%%', '%').replaceAll('/var/backups/listings', backups));
  }
  const [today = '', recent] = (await readdir(backups)).toSorted().toReversed();
  expect([today, recent]).toEqual([toDay(0), toDay(3)]);
  expect(await readdir(backups)).toHaveLength(2);
  expect(await readdir(join(backups, today))).toContain('service.db');
});

const DAY_MS = 24 * 60 * 60_000;

/** The date that many days ago, in the form of `date +%F`. */
function toDay(ago: number): string {
  const time = new Date(Date.now() - ago * DAY_MS);
  const parts = [time.getFullYear(), time.getMonth() + 1, time.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}

/** The URL of a running service. */
async function serve(): Promise<string> {
  const service = await startService();
  onTestFinished(() => service.close());
  const face = await createHttpFace(service.app.service, { host: '127.0.0.1', port: 0, trust_proxy: false });
  onTestFinished(() => face.close(0));
  return `http://127.0.0.1:${face.port}`;
}

/** Metric names in a Prometheus expression that are missing from `text`. */
function listMissing(expr: string, text: string): string[] {
  const named = [...expr.matchAll(/\b(?:listing_service|process|nodejs)_\w+/g)].map(([name]) => name);
  expect(named).not.toEqual([]);
  const isThere = (name: string) =>
    text.includes(`# TYPE ${name} `) ||
    text.includes(`# TYPE ${name.replace(/_(?:count|bucket)$/, '')} histogram\n`);
  return named.filter((name) => !isThere(name));
}

it('the alerts and the dashboard query only metrics that /metrics has', async () => {
  const text = await (await fetch(`${await serve()}/metrics`)).text();
  const { groups } = readYaml()[1] as Rules;
  const rules = groups.flatMap((group) => group.rules);
  expect(rules.length).toBeGreaterThan(3);
  const asked = [
    ...rules.map(({ expr }) => expr),
    ...readPanels().flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
  expect(asked.flatMap((expr) => listMissing(expr, text))).toEqual([]);
});

it('every log line quoted in the guide is really logged that way', () => {
  const rows = marked
    .lexer(readGuide())
    .filter((token): token is Tokens.Table => token.type === 'table' && token.header[0]?.text === 'Message')
    .flatMap((table) => table.rows.map((cells) => cells.map(({ text }) => text)));
  expect(rows.length).toBeGreaterThan(20);
  const logged = readSources().flatMap(({ text }) =>
    [...text.matchAll(/\blog\.(debug|info|warn|error)\(\s*(?:'([^']*)'|"([^"]*)"|`([^`]*)`)/g)].map(
      ([, level, single, double, template]) => ({
        level,
        pattern: toPattern(single ?? double ?? template ?? ''),
      }),
    ),
  );
  const missing = rows.filter(([message = '', level]) => {
    const words = message.replaceAll('`', '');
    return !logged.some((line) => line.level === level && line.pattern.test(words));
  });
  expect(missing).toEqual([]);
  expect(rows.filter(([, , meaning, remedy]) => !meaning || !remedy)).toEqual([]);
});

/** A pattern for the texts that a template in the source can produce. */
function toPattern(template: string): RegExp {
  const parts = template
    .split(/\$\{[^}]*\}/)
    .map((part) => part.replaceAll(/[.*+?^$()[\]{}|\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.+')}$`);
}

describe('the Grafana dashboard', () => {
  it("can be imported: it has a schema, an id, and the reader's data source", () => {
    const board = JSON.parse(readBoard()) as Board;
    expect(board).toMatchObject({ uid: 'listing-service', schemaVersion: 39, title: 'Listing service' });
    expect(board).not.toHaveProperty('id');
    const { list } = board.templating;
    expect(list).toContainEqual(
      expect.objectContaining({ name: 'datasource', type: 'datasource', query: 'prometheus' }),
    );
    const source = { type: 'prometheus', uid: '${datasource}' };
    for (const { datasource, targets } of readPanels()) {
      expect([datasource, ...targets.map((target) => target.datasource)]).toEqual(
        Array.from({ length: targets.length + 1 }, () => source),
      );
    }
    const used = new Set([...readBoard().matchAll(/\$\{?(\w+)/g)].map(([, name]) => name));
    used.delete('__rate_interval');
    used.delete('__all');
    expect(used).toEqual(new Set(list.map(({ name }) => name)));
  });

  it('has panels that each have a place, a title, a unit and advice', () => {
    const { panels } = JSON.parse(readBoard()) as Board;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { h, w, x, y } }) => {
      expect(x + w).toBeLessThanOrEqual(24);
      return Array.from({ length: h * w }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`);
    });
    expect(new Set(cells).size).toBe(cells.length);
    const shown = readPanels();
    expect(shown.length).toBeGreaterThan(20);
    expect(new Set(shown.map(({ title }) => title)).size).toBe(shown.length);
    for (const { title, description, fieldConfig, targets } of shown) {
      expect(title).not.toBe('');
      expect(fieldConfig.defaults.unit).toMatch(/^(reqps|s|short|decbytes|percentunit)$/);
      expect(`${title}: ${description}`).toMatch(/\. .+\.$|: When .+\.$/);
      expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
    }
    // The operations and settings named in a panel's advice exist.
    const said = shown.map(({ description }) => description).join(' ');
    const variables = new Set<string>(Object.values(SETTINGS).map(({ variable }) => variable));
    const names = [...said.matchAll(/\b[A-Z]+(?:_[A-Z]+)+\b/g)].map(([name]) => name);
    expect(names.filter((name) => !variables.has(name))).toEqual(['MARKETPLACE_UNAVAILABLE']);
    const calls = [...readBoard().matchAll(/operation=~?\\"([^\\]+)\\"/g)].flatMap(([, all = '']) =>
      all.split('|'),
    );
    const known = new Set<string>(operations.map(({ id }) => id));
    expect(new Set(calls.filter((id) => !known.has(id)))).toEqual(new Set(['getShopReceipts?']));
  });

  it('is served with the documentation that links to it', async () => {
    const guide = `${await serve()}/docs/operators`;
    const [, href = ''] =
      /<a href="([^"]+)">The Grafana dashboard</.exec(await (await fetch(guide)).text()) ?? [];
    const answer = await fetch(new URL(href, guide));
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await answer.text()).toBe(readBoard());
  });
});
