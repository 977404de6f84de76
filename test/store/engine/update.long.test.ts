import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openAddon, SQLITE_PACKAGE } from '../../../src/sqlite.js';
import { SERVICE_SCHEMA } from '../../../src/store/migrations/sqlite/schema.js';
import { getKnownVersion } from '../../../src/store/engine/sqlite/migrate.js';
import { StoreError } from '../../../src/store/index.js';
import { damageIndex } from '../damage.js';
import { copyFrozen } from '../frozen_folder.js';
import { makeDirectory, openWorld } from '../world.js';

const KNOWN = getKnownVersion(SERVICE_SCHEMA);
const CHECKING = 'the last stop was not clean: checking the database';
const BROUGHT = ['bringing the database up to date', 'the database is up to date'];

/** A folder of version 41 whose process was killed. Without its lock file, its processes stopped cleanly. */
async function makeFolder({ isClean = true } = {}): Promise<{ data_dir: string; file: string }> {
  const data_dir = join(makeDirectory(), 'data');
  await copyFrozen('version_41/data', data_dir);
  if (isClean) rmSync(join(data_dir, 'processes'), { recursive: true });
  return { data_dir, file: join(data_dir, 'service.db') };
}

function getVersion(file: string): unknown {
  const sqlite = openAddon(file, { fileMustExist: true });
  const version = sqlite.pragma('user_version', { simple: true });
  sqlite.close();
  return version;
}

/** Starts another process that has the file open. Returns a function that kills it. */
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
  sqlite.prepare('SELECT 1 FROM accounts').get();
  process.stdout.write('running');
  setInterval(() => sqlite.prepare('SELECT 1 FROM accounts').get(), 1000);
`;

it(
  'leaves a folder of an earlier release unchanged while a process of that release has it open',
  { timeout: 30_000 },
  async () => {
    const { data_dir, file } = await makeFolder({ isClean: false });
    const kill = await startOld(file);
    await expect(openWorld({ data_dir })).rejects.toThrow(
      new StoreError(
        `${file} is of an earlier release, and another process has it open. Stop that process (the service, or an assistant that uses it), then start again.`,
      ),
    );
    expect(getVersion(file)).toBe(41);

    await kill();
    const { log, store } = await openWorld({ data_dir });
    expect(await store.listTroubles()).toEqual([]);
    expect(log.lines.map(({ message }) => message)).toEqual([CHECKING, ...BROUGHT]);
    expect(getVersion(file)).toBe(KNOWN);
  },
);

it('does not check a folder of an earlier release whose processes stopped cleanly', async () => {
  const { data_dir, file } = await makeFolder();
  const { log } = await openWorld({ data_dir });

  expect(log.lines.map(({ message }) => message)).toEqual(BROUGHT);
  expect(getVersion(file)).toBe(KNOWN);
});

it('refuses a damaged folder of an earlier release, and does not migrate it', async () => {
  const { data_dir, file } = await makeFolder({ isClean: false });
  damageIndex(file, 'jobs_by_listing');
  await expect(openWorld({ data_dir })).rejects.toThrow(/service\.db is damaged \(.+\)\. Move it away/);
  expect(getVersion(file)).toBe(41);
});

it('refuses a folder older than the first migration step, and leaves it unchanged', async () => {
  const { data_dir, file } = await makeFolder();
  const sqlite = openAddon(file);
  sqlite.pragma('user_version = 40');
  sqlite.close();
  await expect(openWorld({ data_dir })).rejects.toThrow(
    new StoreError(
      `${file} has schema version 40, and this release upgrades only version 41 or later. Start a release from in between once, then this one.`,
    ),
  );
  expect(getVersion(file)).toBe(40);
});

it('lets one of several concurrent first starts migrate a folder of an earlier release', async () => {
  const { data_dir, file } = await makeFolder();
  const worlds = await Promise.all([1, 2, 3].map(() => openWorld({ data_dir })));

  expect(worlds.flatMap(({ log }) => log.lines.map(({ message }) => message))).toEqual(BROUGHT);
  expect(getVersion(file)).toBe(KNOWN);
});
