import type BetterSqlite3 from 'better-sqlite3';
import type { Log } from '../core/ports/index.js';
import { openConnection, openReader } from './engine/sqlite/connection.js';
import type { Connections } from './engine/sqlite/engine.js';
import { closeDirectory, listStoreFiles } from './engine/sqlite/files.js';
import { isDamage, listDamage } from './engine/sqlite/integrity.js';
import { runExclusive } from './engine/sqlite/locking.js';
import { openSecrets } from './master_key.js';
import { checkVersion, migrate } from './engine/sqlite/migrate.js';
import { MIGRATIONS } from './migrations/index.js';
import { openRates } from './limits/rates_file.js';
import { isAnyPresent } from './engine/sqlite/presence.js';
import { findMark, takeRestore } from './restores.js';
import { listCrashedRuns, startRun } from './engine/sqlite/runs.js';
import type { Secrets } from './secrets.js';
import { StoreError } from './store_error.js';

/** Both files, open and up to date, and the key that fits. */
export type Service = {
  sqlite: BetterSqlite3.Database;
  connections: Connections;
  rates: Connections;
  secrets: Secrets;
};

type ServiceOptions = {
  data_dir: string;
  master_key: string | undefined;
  run: { run_id: string; started_at: string };
  log: Log;
};

/** Opens the data directory. Several processes may do so at once: what must happen once happens in one write transaction. */
export async function openService(options: ServiceOptions): Promise<Service> {
  closeDirectory(options.data_dir);
  const files = listStoreFiles(options.data_dir);
  const sqlite = await openDatabaseFile(files.service);
  let rates: Connections | undefined;
  try {
    checkVersion(sqlite, files.service, MIGRATIONS);
    const crashed = listCrashedRuns(sqlite);
    if (crashed.length > 0) checkIntegrity(sqlite, files.service, options.log);
    const opened = await runExclusive(sqlite, async () => {
      migrate(sqlite, files.service, MIGRATIONS);
      const secrets = openSecrets(sqlite, { master_key: options.master_key, file: files.master_key });
      // Whoever is alive here before the first start on a backup works on the database that it has replaced, and on the same jobs.
      if (findMark(sqlite) && isAnyPresent(files.presence)) throw buildInUseError(files.service);
      const restore = takeRestore(sqlite, options.run.started_at);
      if (restore) options.log.warn('the database was restored from a backup', restore);
      startRun(sqlite, options.run, crashed);
      rates = await openRates(files.rates, options.log);
      return { sqlite, rates, secrets };
    });
    const writer = await openConnection(files.service, 'FULL');
    return { ...opened, connections: { writer, reader: openReader(files.service) } };
  } catch (error) {
    rates?.reader.close();
    rates?.writer.close();
    sqlite.close();
    throw isDamage(error) ? buildDamageError(files.service, error.message) : error;
  }
}

async function openDatabaseFile(file: string): Promise<BetterSqlite3.Database> {
  try {
    return await openConnection(file, 'FULL');
  } catch (error) {
    throw isDamage(error) ? buildDamageError(file, error.message) : error;
  }
}

function checkIntegrity(sqlite: BetterSqlite3.Database, file: string, log: Log): void {
  log.warn('the last stop was not clean: checking the database');
  const damage = listDamage(sqlite);
  if (damage.length > 0) throw buildDamageError(file, damage.join('; '));
}

function buildInUseError(file: string): StoreError {
  return new StoreError(
    `${file} is a backup that was put in place while another process still runs on the database that was there. Stop that process, then start again.`,
  );
}

function buildDamageError(file: string, reason: string): StoreError {
  return new StoreError(`${file} is damaged (${reason}). Move it away and restore a backup.`);
}
