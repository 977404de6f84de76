import { existsSync, rmSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import type { Clock, Log } from '../../../core/ports/index.js';
import type { RateTables } from '../../limits/schema.js';
import { SERVICE_SCHEMA } from '../../migrations/sqlite/schema.js';
import type { Tables } from '../../schema.js';
import { checkHold } from '../holds.js';
import { StoreError } from '../../store_error.js';
import type { Engines } from '../engine.js';
import { openExclusively, retryUntilExclusive } from './exclusive.js';
import { openConnection, openReader } from './connection.js';
import { createSqliteEngine, type Connections } from './engine.js';
import { closeDatabaseFile, closeDirectory, listStoreFiles } from './files.js';
import { findHold } from './holds.js';
import { isDamage, listDamage } from './integrity.js';
import { runExclusive, runLocked, type Pause } from './locking.js';
import { checkVersion, getKnownVersion, isNew, isUpToDate, migrate } from './migrate.js';
import { createPresence, forgetOwners, listOwners } from './presence.js';
import { findMark, takeRestore } from './restores.js';
import { openSqlite } from './sqlite.js';
import { RATES_SCHEMA } from '../../migrations/sqlite/rates_schema.js';

type SqliteEnginesOptions = {
  /** The data directory: created if it is missing, and closed to other users of the computer. */
  data_dir: string;
  /** The name of this process. */
  instance: string;
  clock: Clock;
  log: Log;
  /** Sleeps between two attempts to get the write lock; default: in real time. */
  pause?: Pause | undefined;
};

/**
 * Opens the files of the data directory and brings them up to date. Several processes may do so at once. The two engines
 * share one presence, so close both. Throws StoreError if the directory must not be used in its current state.
 */
export async function openSqliteEngines(options: SqliteEnginesOptions): Promise<Engines> {
  const { data_dir, instance, clock, log, pause } = options;
  closeDirectory(data_dir);
  const files = listStoreFiles(data_dir);
  const opened: BetterSqlite3.Database[] = [];
  try {
    await bringUpToDate(files, log);
    const writer = await openConnection(files.service, 'FULL');
    opened.push(writer);
    checkAfterKill(writer, files, log);
    await runExclusive(writer, () => {
      checkHold(findHold(writer), files.service);
      migrate(writer, files.service, SERVICE_SCHEMA);
      takeRestoreAlone(writer, files, { log, now: clock.now() });
    });
    const rates = await runLocked(files.rates_lock, () => openRates(files.rates, log));
    opened.push(rates.reader, rates.writer);
    const common = { instance, clock, pause, presence: createPresence(files.presence) };
    const service = createSqliteEngine<Tables>({ ...common, writer, reader: openReader(files.service) });
    return {
      service,
      rates: createSqliteEngine<RateTables>({ ...common, ...rates }),
      async listTroubles() {
        // Only checks that it answers: a file with another schema is migrated or refused before it is opened.
        await service.read((trx) => trx.selectFrom('accounts').select('account_id').limit(1).execute());
        return [];
      },
      // The database is in the folder itself, which has a mark of its marketplace.
      keepBlobFolder: (folder_id) => Promise.resolve(folder_id),
      keepMarketplace: (marketplace) => Promise.resolve(marketplace),
    };
  } catch (error) {
    for (const sqlite of opened) sqlite.close();
    throw isDamage(error) ? buildDamageError(files.service, error.message) : error;
  }
}

type Files = ReturnType<typeof listStoreFiles>;

/**
 * Migrates a file of an earlier release to this release's schema. A process of that release would continue to write with its
 * own schema, so none may have the file open; throws StoreError if one has.
 */
async function bringUpToDate(files: Files, log: Log): Promise<void> {
  const { service } = files;
  if (!existsSync(service)) return;
  closeDatabaseFile(service);
  const refusal = `${service} is of an earlier release, and another process has it open. Stop that process (the service, or an assistant that uses it), then start again.`;
  await retryUntilExclusive(refusal, async () => {
    if (!isOutdated(service)) return;
    const sqlite = openExclusively(service);
    try {
      checkAfterKill(sqlite, files, log);
      const to_version = getKnownVersion(SERVICE_SCHEMA);
      log.info('bringing the database up to date', { to_version });
      await runExclusive(sqlite, () => {
        migrate(sqlite, service, SERVICE_SCHEMA);
      });
      log.info('the database is up to date', { version: to_version });
    } finally {
      sqlite.close();
    }
  });
}

/**
 * Whether the file has an earlier schema. Throws StoreError for a file that the service must not start on, or that this
 * release cannot bring up to date.
 */
function isOutdated(file: string): boolean {
  const sqlite = openSqlite(file, { fileMustExist: true, timeout: 0 });
  try {
    checkHold(findHold(sqlite), file);
    checkVersion(sqlite, file, SERVICE_SCHEMA);
    return !isNew(sqlite) && !isUpToDate(sqlite, SERVICE_SCHEMA);
  } finally {
    sqlite.close();
  }
}

/** Checks the database if a process was killed. Throws StoreError if it is damaged. */
function checkAfterKill(sqlite: BetterSqlite3.Database, { service, presence }: Files, log: Log): void {
  const { gone } = listOwners(presence);
  if (gone.length === 0) return;
  log.warn('the last stop was not clean: checking the database');
  const damage = listDamage(sqlite);
  if (damage.length > 0) throw buildDamageError(service, damage.join('; '));
  forgetOwners(presence, gone);
}

/**
 * Turns a backup that was put in place into the database, on the first start on it. No other process may run: it would still
 * work on the replaced database, and on the same jobs.
 */
function takeRestoreAlone(
  sqlite: BetterSqlite3.Database,
  { service, presence }: Files,
  { now, log }: { now: Date; log: Log },
): void {
  if (findMark(sqlite) && listOwners(presence).present.length > 0) throw buildInUseError(service);
  const restore = takeRestore(sqlite, now.toISOString());
  if (restore) log.warn('the database was restored from a backup', restore);
}

function buildInUseError(file: string): StoreError {
  return new StoreError(
    `${file} is a backup that was put in place while another process still runs on the database that was there. Stop that process, then start again.`,
  );
}

function buildDamageError(file: string, reason: string): StoreError {
  return new StoreError(`${file} is damaged (${reason}). Move it away and restore a backup.`);
}

/**
 * The counters' own file. It does not wait for the disk, so a power loss may lose the last calls or even damage it; a damaged
 * one is created again. Call it under a lock over all processes.
 */
async function openRates(file: string, log: Log): Promise<Connections> {
  const writer = (await openSound(file)) ?? (await recreate(file, log));
  try {
    // It usually is, and then the start does not wait for processes that count.
    if (!isUpToDate(writer, RATES_SCHEMA)) {
      await runExclusive(writer, async () => migrate(writer, file, RATES_SCHEMA));
    }
    return { writer, reader: openReader(file) };
  } catch (error) {
    writer.close();
    throw error;
  }
}

async function recreate(file: string, log: Log): Promise<BetterSqlite3.Database> {
  log.warn('the rate counters were damaged and begin anew');
  for (const path of [file, `${file}-wal`, `${file}-shm`]) rmSync(path, { force: true });
  return openConnection(file, 'OFF');
}

/** Undefined if the file is damaged. */
async function openSound(file: string): Promise<BetterSqlite3.Database | undefined> {
  try {
    const sqlite = await openConnection(file, 'OFF');
    if (listDamage(sqlite, 'quick_check').length === 0) return sqlite;
    sqlite.close();
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  return undefined;
}
