import { describeFault, findFault } from '../core/faults.js';
import { BlobsError } from '../core/ports/blobs.js';

/**
 * The sentence to show for an error that ends a command. For an error of the operating system or of SQLite,
 * it names the place and the fix; every other error already has a message for people.
 */
export function toSentence(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (!('code' in cause) || cause instanceof BlobsError) return cause.message;
  const fault = findFault(cause);
  const fix = fault ? describeFault(fault) : PLACES[String(cause.code)];
  if (fix === undefined) return cause.message;
  return 'path' in cause && typeof cause.path === 'string' ? `${cause.path}: ${fix}` : fix;
}

const WRONG_KIND =
  'Expected a folder but found a file, or the reverse. Use a different path, or move the existing one.';
const PLACES: Readonly<Record<string, string>> = {
  EEXIST: WRONG_KIND,
  ENOTDIR: WRONG_KIND,
  EISDIR: WRONG_KIND,
  ENOENT: 'It does not exist, and neither does the folder that should contain it. Use another path.',
};
