import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openAddon, SQLITE_PACKAGE } from '../../../src/sqlite.js';
import { SERVICE_SCHEMA } from '../../../src/store/migrations/sqlite/schema.js';
import { getKnownVersion } from '../../../src/store/engine/sqlite/migrate.js';
import { StoreError } from '../../../src/store/index.js';
import { damageIndex } from '../damage.js';
import { makeDirectory, openWorld } from '../world.js';

const KNOWN = getKnownVersion(SERVICE_SCHEMA);
const CHECKING = 'the last stop was not clean: checking the database';
const BROUGHT = ['bringing the database up to date', 'the database is up to date'];

/** A folder of version 22 whose processes have all ended in good order. */
function makeFolder(): { data_dir: string; file: string } {
  const data_dir = join(makeDirectory(), 'data');
  cpSync(join(import.meta.dirname, '..', 'frozen', 'version_22', 'data'), data_dir, { recursive: true });
  rmSync(join(data_dir, 'processes'), { recursive: true });
  const file = join(data_dir, 'service.db');
  change(file, 'DELETE FROM runs');
  return { data_dir, file };
}

function change(file: string, sql: string): void {
  const sqlite = openAddon(file);
  sqlite.exec(sql);
  sqlite.close();
}

function getVersion(file: string): unknown {
  const sqlite = openAddon(file, { fileMustExist: true });
  const version = sqlite.pragma('user_version', { simple: true });
  sqlite.close();
  return version;
}

/** Another process that has the file open as version 22 has it, with its row in `runs`. Answers what kills it. */
async function startOld(file: string): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', OLD, file], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(kill);
  await once(child.stdout, 'data');
  return kill;
}

const OLD = `
  import Sqlite from '${SQLITE_PACKAGE}';
  const [file] = process.argv.slice(1);
  const sqlite = new Sqlite(file);
  sqlite.prepare("INSERT INTO runs VALUES ('run_old', ?, '2026-11-23T05:46:24.829Z')").run(process.pid);
  process.stdout.write('running');
  setInterval(() => sqlite.prepare('SELECT 1 FROM runs').get(), 1000);
`;

it(
  'a folder of an earlier release is left as it is while a process of that has it open',
  { timeout: 30_000 },
  async () => {
    const { data_dir, file } = makeFolder();
    const kill = await startOld(file);
    await expect(openWorld({ data_dir })).rejects.toThrow(
      new StoreError(
        `${file} is of an earlier release, and another process has it open. Stop that process (the service, or an assistant that uses it), then start again.`,
      ),
    );
    expect(getVersion(file)).toBe(22);

    await kill();
    const { log, store } = await openWorld({ data_dir });
    expect(await store.listTroubles()).toEqual([]);
    // It was killed, and had said so nowhere but in its row.
    expect(log.lines.map(({ message }) => message)).toEqual([CHECKING, ...BROUGHT]);
    expect(getVersion(file)).toBe(KNOWN);
  },
);

it('a folder of an earlier release whose processes ended in good order is not checked', async () => {
  const { data_dir, file } = makeFolder();
  const { log } = await openWorld({ data_dir });

  expect(log.lines.map(({ message }) => message)).toEqual(BROUGHT);
  expect(getVersion(file)).toBe(KNOWN);
});

it('a folder that an earlier release left damaged is refused, and stays of that release', async () => {
  const { data_dir, file } = makeFolder();
  // A pid that this process has: of a process of before it means nothing.
  change(file, `INSERT INTO runs VALUES ('run_killed', ${process.pid}, '2026-11-23T05:46:24.829Z')`);
  damageIndex(file, 'jobs_by_listing');
  await expect(openWorld({ data_dir })).rejects.toThrow(/service\.db is damaged \(.+\)\. Move it away/);
  expect(getVersion(file)).toBe(22);
});

it('of several first starts on a folder of an earlier release one brings it up to date', async () => {
  const { data_dir, file } = makeFolder();
  const worlds = await Promise.all([1, 2, 3].map(() => openWorld({ data_dir })));

  expect(worlds.flatMap(({ log }) => log.lines.map(({ message }) => message))).toEqual(BROUGHT);
  expect(getVersion(file)).toBe(KNOWN);
});
