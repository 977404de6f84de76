import { existsSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import type { Log } from '../../../core/ports/index.js';
import { openRates } from '../../limits/rates_file.js';
import { hasKilledRuns } from '../../migrations/sqlite/from_22.js';
import { SERVICE_SCHEMA } from '../../migrations/sqlite/schema.js';
import { openSecrets } from '../../secrets/master_key.js';
import type { Secrets } from '../../secrets/secrets.js';
import { StoreError } from '../../store_error.js';
import { openAlone, whenAlone } from './alone.js';
import { openConnection, openReader } from './connection.js';
import type { Connections } from './engine.js';
import { closeDatabaseFile, closeDirectory, listStoreFiles } from './files.js';
import { isDamage, listDamage } from './integrity.js';
import { rollback, runExclusive, runLocked } from './locking.js';
import { checkVersion, isNew, isUpToDate, migrate } from './migrate.js';
import { forgetOwners, listOwners } from './presence.js';
import { findMark, takeRestore } from './restores.js';
import { openSqlite } from './sqlite.js';

/** Both files, open and up to date, and the key that fits. */
export type DataFolder = { service: Connections; rates: Connections; secrets: Secrets };

type DataFolderOptions = { data_dir: string; master_key: string | undefined; now: Date; log: Log };

/** Opens the data directory. Several processes may do so at once: what must happen once happens in one write transaction. */
export async function openDataFolder(options: DataFolderOptions): Promise<DataFolder> {
  const { log } = options;
  closeDirectory(options.data_dir);
  const files = listStoreFiles(options.data_dir);
  const opened: BetterSqlite3.Database[] = [];
  try {
    await bringUpToDate(files, log);
    const writer = await openConnection(files.service, 'FULL');
    opened.push(writer);
    checkAfterKill(writer, files, log);
    const secrets = await runExclusive(writer, () => {
      migrate(writer, files.service, SERVICE_SCHEMA);
      const key_source = { master_key: options.master_key, file: files.master_key };
      const opened_secrets = openSecrets(writer, key_source);
      takeRestoreAlone(writer, files, options);
      return opened_secrets;
    });
    const rates = await runLocked(files.rates_lock, () => openRates(files.rates, log));
    opened.push(rates.reader, rates.writer);
    return { service: { writer, reader: openReader(files.service) }, rates, secrets };
  } catch (error) {
    for (const sqlite of opened) sqlite.close();
    throw isDamage(error) ? buildDamageError(files.service, error.message) : error;
  }
}

type Files = ReturnType<typeof listStoreFiles>;

/**
 * Takes the steps to this release's schema where there is a file of an earlier one. A process of that release would go on writing as
 * its own schema wants it, so none may have the file open: StoreError when one does.
 */
async function bringUpToDate(files: Files, log: Log): Promise<void> {
  const { service } = files;
  if (!existsSync(service)) return;
  closeDatabaseFile(service);
  const refusal = `${service} is of an earlier release, and another process has it open. Stop that process (the service, or an assistant that uses it), then start again.`;
  await whenAlone(refusal, () => {
    if (!isOutdated(service)) return;
    const sqlite = openAlone(service);
    try {
      checkAfterKill(sqlite, files, log);
      migrate(sqlite, service, SERVICE_SCHEMA);
      sqlite.exec('COMMIT');
    } finally {
      rollback(sqlite);
      sqlite.close();
    }
  });
}

/** Throws StoreError for a file that this release cannot bring up to date. */
function isOutdated(file: string): boolean {
  const sqlite = openSqlite(file, { fileMustExist: true, timeout: 0 });
  try {
    checkVersion(sqlite, file, SERVICE_SCHEMA);
    return !isNew(sqlite) && !isUpToDate(sqlite, SERVICE_SCHEMA);
  } finally {
    sqlite.close();
  }
}

/** Throws StoreError when a process was killed and the database did not survive it. */
function checkAfterKill(sqlite: BetterSqlite3.Database, { service, presence }: Files, log: Log): void {
  const { gone } = listOwners(presence);
  if (gone.length === 0 && !hasKilledRuns(sqlite)) return;
  log.warn('the last stop was not clean: checking the database');
  const damage = listDamage(sqlite);
  if (damage.length > 0) throw buildDamageError(service, damage.join('; '));
  forgetOwners(presence, gone);
}

/** A process that is there before the first start on a backup works on the database that it has replaced, and on the same jobs. */
function takeRestoreAlone(
  sqlite: BetterSqlite3.Database,
  { service, presence }: Files,
  { now, log }: Pick<DataFolderOptions, 'now' | 'log'>,
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
