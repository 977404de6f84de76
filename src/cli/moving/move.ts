import { liftMark, moveAll, type MovedAll } from '../../compose/move.js';
import { checkFlag, ConfigError, loadConfig, type Config } from '../../config.js';
import { createProgressBar, print, say } from '../output.js';
import { describeLost } from './lost.js';

type Flags = { to?: string; blobs?: string; liftMark?: true };

export async function move(flags: Flags): Promise<void> {
  if (flags.liftMark === true) return tellLifted(await liftMark(loadConfig()));
  if (flags.to === undefined) {
    throw new ConfigError('Say where to: --to postgres://user@host/database, or --to folder for DATA_DIR.');
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
    tell: bar.show,
  }).finally(bar.end);
  tellMoved(moved, { to_folder: database_url === undefined, blobs: flags.blobs });
}

/** The value of --to and --blobs that means DATA_DIR, instead of an address. */
const FOLDER = 'folder';

function readBlobSettings(config: Config, place: string | undefined): Config | undefined {
  if (place === undefined) return undefined;
  return place === FOLDER ? { ...config, blob_store: undefined } : loadConfig({ BLOB_STORE: place });
}

function tellMoved(
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
    `Start the service ${database}${store}, and with the same key. Jobs that were in flight go on there.`,
  );
  print(`${from} keeps everything, and refuses to be started on.`);
  if (!blobs || blobs.lost.length === 0) return;
  say(describeLost(blobs.lost, 'the new place'));
  process.exitCode = 1;
}

function tellLifted(place: string | undefined): void {
  print(
    place === undefined
      ? 'There is no mark: it was not moved away.'
      : `It can be started on again. Be sure that nothing runs on ${place} any more: two live copies would pay twice.`,
  );
}
