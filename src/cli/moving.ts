import { resolve } from 'node:path';
import { backUpAll } from '../compose/backup/back_up_all.js';
import { withBlobs } from '../compose/backup/with_blobs.js';
import { ConfigError, loadConfig, checkFlag, type Config } from '../config.js';
import { backupDatabase } from '../store/index.js';
import { restoreAll } from '../compose/backup/restore_all.js';
import { markRestored, liftMark, moveAll, type MovedAll } from '../compose/move.js';
import { migrateStore } from '../compose/migrate.js';
import { createProgressBar, print, say } from './output.js';

export async function backup(to: string, flags: { all?: true; withKey?: true }): Promise<void> {
  if (flags.all === true) await backupAll(to, flags.withKey === true);
  else await backupFile(to);
}

async function backupFile(file: string): Promise<void> {
  const { data_dir } = loadOnFolder();
  const made = await backupDatabase({ data_dir, file: resolve(file), now: new Date() });
  print(`${made.file}, ${made.size_bytes} bytes, checked.`);
}

async function backupAll(to: string, hasKey: boolean): Promise<void> {
  const config = loadOnFolder();
  const bar = createProgressBar();
  const made = await withBlobs(config, (blobs) =>
    backUpAll({ config, blobs, folder: to, with_key: hasKey, now: new Date(), report: bar.show }),
  ).finally(bar.end);
  const { folder, size_bytes, blobs } = made;
  print(
    `${folder}: the database (${size_bytes} bytes, checked) and ${blobs.files} files (${blobs.size_bytes} bytes).`,
  );
  print(
    made.has_key
      ? 'It includes the key, so the folder is enough to use the shops: keep it as safe as the service itself.'
      : `It does not include the key. A restore also needs ${made.is_key_given ? 'MASTER_KEY' : 'the file master.key of the data folder, or MASTER_KEY with its content'}: store it elsewhere, or make the backup with --with-key.`,
  );
  print(`To restore it: DATA_DIR=<an empty folder> listing-service restore ${folder}`);
  if (blobs.lost.length === 0) return;
  say(describeLost(blobs.lost, 'the backup'));
  process.exitCode = 1;
}

/** Settings of an installation whose database is in its data folder. */
function loadOnFolder(): Config {
  const config = loadConfig();
  if (config.database_url === undefined) return config;
  throw new ConfigError(
    'DATABASE_URL is set: copy a PostgreSQL database with pg_dump and restore it with pg_restore, as the guide for operators says under "several machines".',
  );
}

export async function restore(folder: string | undefined, flags: { dumpedAt?: string }): Promise<void> {
  if (flags.dumpedAt === undefined && folder === undefined) {
    throw new ConfigError(
      'Name the folder of the backup: listing-service restore <folder>. For a PostgreSQL dump, pass the time when it was started with --dumped-at.',
    );
  }
  if (flags.dumpedAt !== undefined && folder !== undefined) {
    throw new ConfigError(
      `--dumped-at is for a dump of PostgreSQL, and a backup in a folder knows when it was made. Leave out one of --dumped-at and ${folder}.`,
    );
  }
  if (flags.dumpedAt !== undefined) await markAsRestored(flags.dumpedAt);
  else if (folder !== undefined) await restoreFolder(folder);
}

async function markAsRestored(text: string): Promise<void> {
  const dumped_at = new Date(WITH_ZONE.test(text) ? text : NaN);
  if (Number.isNaN(dumped_at.getTime()) || dumped_at > new Date()) {
    throw new ConfigError(
      `--dumped-at must be a time that has passed, with its zone, such as 2026-11-23T04:00:00Z, not "${text}".`,
    );
  }
  const { listings } = await markRestored(loadConfig(), dumped_at);
  print(
    `The database is marked as restored: its ${listings} listings are checked on the marketplace before anything is created or paid.`,
  );
}

/**
 * A date in another order, or a time in another zone, would be read as a time at which the dump was not made.
 */
const WITH_ZONE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

async function restoreFolder(from: string): Promise<void> {
  const config = loadOnFolder();
  const bar = createProgressBar();
  const restored = await restoreAll({
    config,
    withBlobs: (work) => withBlobs(config, work),
    folder: resolve(from),
    now: new Date(),
    report: bar.show,
  }).finally(bar.end);
  const { backed_up_at, blobs, has_key } = restored;
  print(`${config.data_dir}: restored from a backup of ${backed_up_at}, with ${blobs.files} files.`);
  print(
    'Anything created after the backup is unknown here. Do not start this copy while another one still runs on the original.',
  );
  if (!has_key) {
    print(
      `The backup has no key: put the master.key from that time into ${config.data_dir}, or set MASTER_KEY, before you start.`,
    );
  }
  if (blobs.lost.length === 0) return;
  say(describeLost(blobs.lost, config.data_dir));
  process.exitCode = 1;
}

type MoveFlags = { to?: string; blobs?: string; liftMark?: true };

export async function move(flags: MoveFlags): Promise<void> {
  if (flags.liftMark === true) return printLifted(await liftMark(loadConfig()));
  if (flags.to === undefined) {
    throw new ConfigError(
      'The destination is missing. Add --to postgres://user@host/database, or --to folder for DATA_DIR.',
    );
  }
  if (flags.to !== FOLDER) checkFlag('database_url', flags.to, '--to must be folder, for DATA_DIR, or');
  if (flags.blobs !== undefined && flags.blobs !== FOLDER) {
    checkFlag('blob_store', flags.blobs, '--blobs must be folder, for DATA_DIR, or');
  }
  const config = loadConfig();
  const database_url = flags.to === FOLDER ? undefined : loadConfig({ DATABASE_URL: flags.to }).database_url;
  const bar = createProgressBar();
  const moved = await moveAll({
    config,
    database_url,
    blobs: readBlobSettings(config, flags.blobs),
    report: bar.show,
  }).finally(bar.end);
  printMoved(moved, { to_folder: database_url === undefined, blobs: flags.blobs });
}

/** The value of --to and --blobs that means DATA_DIR, instead of an address. */
const FOLDER = 'folder';

function readBlobSettings(config: Config, place: string | undefined): Config | undefined {
  if (place === undefined) return undefined;
  return place === FOLDER ? { ...config, blob_store: undefined } : loadConfig({ BLOB_STORE: place });
}

function printMoved(
  { from, to, rows, tables, blobs }: MovedAll,
  { to_folder, blobs: place }: { to_folder: boolean; blobs: string | undefined },
): void {
  const files =
    blobs === undefined ? 'Files stay where they are' : `${blobs.files} files (${blobs.size_bytes} bytes)`;
  print(`${rows} rows of ${tables} tables are in ${to}, the same as in ${from}. ${files}.`);
  const database = to_folder ? 'without DATABASE_URL' : 'with DATABASE_URL set to it';
  const store =
    place === undefined ? '' : place === FOLDER ? ', without BLOB_STORE' : `, with BLOB_STORE=${place}`;
  print(
    `Start the service ${database}${store}, and with the same key. Jobs that were in flight resume there.`,
  );
  print(`${from} keeps everything, but the service no longer starts on it.`);
  if (!blobs || blobs.lost.length === 0) return;
  say(describeLost(blobs.lost, 'the new place'));
  process.exitCode = 1;
}

function printLifted(place: string | undefined): void {
  print(
    place === undefined
      ? 'Nothing to lift: the database was not moved away.'
      : `The service can start on it again. Make sure that nothing runs on ${place}: two running copies would pay twice.`,
  );
}

export async function migrate(): Promise<void> {
  print(`${await migrateStore(loadConfig())} is up to date.`);
}

/** Describes stored files that could not be copied. @param place the place that now lacks them */
function describeLost(lost: readonly string[], place: string): string {
  const [first = ''] = lost;
  const which = lost.length === 1 ? `The file ${first} is` : `${lost.length} files (${first} and others) are`;
  return `${which} damaged in the service's storage, and missing in ${place}. All others are there.`;
}
