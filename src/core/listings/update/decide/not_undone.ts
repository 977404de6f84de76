import type { Warning } from '../../../../../schemas/job.js';

/** Names what an undo leaves as it is, and why. */
export function buildNotUndone(field: string, reason: string): Warning {
  return { code: 'not_undone', fields: [field], reason };
}
