import type { Clock, Log } from '../../core/ports/index.js';
import { listStoreFiles } from './sqlite/files.js';
import { openSqliteEngines } from './sqlite/open.js';

/** Migrates as a start does, without starting. Returns which database it is; throws StoreError as a start does. */
export async function migrateDatabase(options: {
  data_dir: string;
  database_url: string | undefined;
  instance: string;
  clock: Clock;
  log: Log;
}): Promise<string> {
  const { data_dir, database_url: url, ...common } = options;
  if (url === undefined) {
    const { service, rates } = await openSqliteEngines({ data_dir, ...common });
    await service.close();
    await rates.close();
    return listStoreFiles(data_dir).service;
  }
  const { openPostgresEngines } = await import('./postgres/open.js');
  const { describeTarget } = await import('./postgres/refusals.js');
  const { service, rates } = await openPostgresEngines({ url, max_connections: 2, ...common });
  await service.close();
  await rates.close();
  return describeTarget(url);
}
