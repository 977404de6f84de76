import { resolve } from 'node:path';
import { restoreAll } from '../../compose/backup/restore_all.js';
import { withBlobs } from '../../compose/backup/with_blobs.js';
import { createProgressBar, print, say } from '../output.js';
import { loadOnFolder } from './backup.js';
import { describeLost } from './lost.js';

export async function restore(from: string): Promise<void> {
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
