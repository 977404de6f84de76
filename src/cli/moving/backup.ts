import { resolve } from 'node:path';
import { backUpAll } from '../../compose/backup/back_up_all.js';
import { withBlobs } from '../../compose/backup/with_blobs.js';
import { ConfigError, loadConfig, type Config } from '../../config.js';
import { backupDatabase } from '../../store/index.js';
import { createProgressBar, print, say } from '../output.js';
import { describeLost } from './lost.js';

export async function backup(to: string, flags: { all?: true; withKey?: true }): Promise<void> {
  if (flags.all === true) await backupAll(to, flags.withKey === true);
  else await backupFile(to);
}

async function backupFile(file: string): Promise<void> {
  const { data_dir } = loadOnFolder();
  const made = await backupDatabase({ data_dir, file: resolve(file), now: new Date() });
  print(`${made.file}, ${made.size_bytes} bytes, checked.`);
}

async function backupAll(to: string, with_key: boolean): Promise<void> {
  const config = loadOnFolder();
  const bar = createProgressBar();
  const made = await withBlobs(config, (blobs) =>
    backUpAll({ config, blobs, folder: to, with_key, now: new Date(), tell: bar.show }),
  ).finally(bar.end);
  const { folder, size_bytes, blobs } = made;
  print(
    `${folder}: the database (${size_bytes} bytes, checked) and ${blobs.files} files (${blobs.size_bytes} bytes).`,
  );
  print(
    made.has_key
      ? 'The key is in it: the folder is all that is needed to use the shops, so keep it as safe as the service itself.'
      : `The key is not in it. To restore, ${made.is_key_given ? 'MASTER_KEY' : 'the file master.key of the data folder, or MASTER_KEY with what it holds,'} is needed too: keep it elsewhere, or make the backup with --with-key.`,
  );
  print(`To restore it: DATA_DIR=<an empty folder> listing-service restore ${folder}`);
  if (blobs.lost.length === 0) return;
  say(describeLost(blobs.lost, 'the backup'));
  process.exitCode = 1;
}

/** Settings of an installation whose database is in its data folder. */
export function loadOnFolder(): Config {
  const config = loadConfig();
  if (config.database_url === undefined) return config;
  throw new ConfigError(
    'DATABASE_URL is set: a database on PostgreSQL is copied with pg_dump and restored with pg_restore, as the guide for operators says under "several machines".',
  );
}
