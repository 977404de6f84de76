import { join, resolve } from 'node:path';
import { createBlobFolder } from '../../blobs/index.js';
import { backUpAll } from '../../compose/backup/back_up_all.js';
import { loadConfig } from '../../config.js';
import { backupDatabase } from '../../store/index.js';
import { createProgressBar, print, say } from '../output.js';
import { describeLost } from './lost.js';

export async function backup(to: string, flags: { all?: true; withKey?: true }): Promise<void> {
  if (flags.all === true) await backupAll(to, flags.withKey === true);
  else await backupFile(to);
}

async function backupFile(file: string): Promise<void> {
  const { data_dir } = loadConfig();
  const made = await backupDatabase({ data_dir, file: resolve(file), now: new Date() });
  print(`${made.file}, ${made.size_bytes} bytes, checked.`);
}

async function backupAll(to: string, with_key: boolean): Promise<void> {
  const config = loadConfig();
  const bar = createProgressBar();
  const made = await backUpAll({
    config,
    blobs: createBlobFolder(join(config.data_dir, 'blobs')),
    folder: to,
    with_key,
    now: new Date(),
    tell: bar.show,
  }).finally(bar.end);
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
