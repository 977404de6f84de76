import { resolve } from 'node:path';
import { restoreAll } from '../../compose/backup/restore_all.js';
import { markRestored } from '../../compose/move.js';
import { withBlobs } from '../../compose/backup/with_blobs.js';
import { ConfigError, loadConfig } from '../../config.js';
import { createProgressBar, print, say } from '../output.js';
import { loadOnFolder } from './backup.js';
import { describeLost } from './lost.js';

export async function restore(folder: string | undefined, flags: { dumpedAt?: string }): Promise<void> {
  if (flags.dumpedAt === undefined && folder === undefined) {
    throw new ConfigError(
      'Name the folder of the backup: listing-service restore <folder>. For a dump of PostgreSQL, say with --dumped-at when it was begun.',
    );
  }
  if (flags.dumpedAt !== undefined && folder !== undefined) {
    throw new ConfigError(
      `--dumped-at is for a dump of PostgreSQL, and a backup in a folder knows when it was made. Leave out one of --dumped-at and ${folder}.`,
    );
  }
  if (flags.dumpedAt !== undefined) await tellRestored(flags.dumpedAt);
  else if (folder !== undefined) await restoreFolder(folder);
}

async function tellRestored(text: string): Promise<void> {
  const dumped_at = new Date(WITH_ZONE.test(text) ? text : NaN);
  if (Number.isNaN(dumped_at.getTime()) || dumped_at > new Date()) {
    throw new ConfigError(
      `--dumped-at must be a time that has passed, with its zone, such as 2026-11-23T04:00:00Z, not "${text}".`,
    );
  }
  const { listings } = await markRestored(loadConfig(), dumped_at);
  print(
    `The database is known as restored: its ${listings} listings are looked for before anything is made or paid.`,
  );
}

/** A date in another order, or a time of another zone, would be read as a time that the dump was not made at. */
const WITH_ZONE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

async function restoreFolder(from: string): Promise<void> {
  const config = loadOnFolder();
  const bar = createProgressBar();
  const restored = await restoreAll({
    config,
    withBlobs: (work) => withBlobs(config, work),
    folder: resolve(from),
    now: new Date(),
    tell: bar.show,
  }).finally(bar.end);
  const { backed_up_at, blobs, has_key } = restored;
  print(`${config.data_dir}: restored from a backup of ${backed_up_at}, with ${blobs.files} files.`);
  print(
    'What was made after it is not known here. Do not start this one while another still runs on what was backed up.',
  );
  if (!has_key) {
    print(
      `The backup has no key: put the master.key of that time into ${config.data_dir}, or set MASTER_KEY, before you start.`,
    );
  }
  if (blobs.lost.length === 0) return;
  say(describeLost(blobs.lost, config.data_dir));
  process.exitCode = 1;
}
