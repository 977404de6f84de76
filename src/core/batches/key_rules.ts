import { copyTarget } from '../../../schemas/copy.js';
import type { UnknownKeyRules } from '../operations/unknown_keys/unknown_keys.js';

/** Checked with the edits. */
const COPY_KEYS: ReadonlySet<string> = new Set(Object.keys(copyTarget.shape));

/**
 * Ignoring a key could change more listings than the seller meant: `listing_pks` of batch_start, a filter that has another
 * name. So each unknown key is refused, except if its value is null.
 */
export const batchKeyRules: UnknownKeyRules = {
  listFree: () => ({ 'edits[].shops[]': COPY_KEYS }),
  isRefused: (_input, { is_null }) => !is_null,
  isManyRefused: () => true,
};
