import type { ExaminedBlobs } from '../../compose/blobs.js';
import { ok, problem, warning, type Check } from './check.js';

const REMEDY =
  'See to BLOB_STORE, S3_ENDPOINT, S3_REGION and the key of S3_ACCESS_KEY_ID, which has to be allowed to list, read, write and delete there. Until then photos can be neither kept nor sent.';

/** Where photos and other files are kept can be written to, read and cleaned up. */
export function checkBlobs(examined: ExaminedBlobs | undefined): Check[] {
  if (!examined) return [];
  const { name, is_bucket, troubles, lacks_files } = examined;
  if (troubles.length > 0) return troubles.map((trouble) => problem('files', trouble, REMEDY));
  if (lacks_files) {
    return [
      warning(
        'files',
        `The folder ${name} is new, and the database names files that it does not have.`,
        'See whether it is the folder that all computers share, and mounted here; files that lie in blobs of DATA_DIR have to be copied into it.',
      ),
    ];
  }
  if (!is_bucket) return [];
  return [ok('files', `A few bytes were put into ${name}, listed, read back and deleted.`)];
}
