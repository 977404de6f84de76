import type { UsageStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import { findDraftUsage } from '../listings/totals.js';
import type { Tables } from '../schema.js';

/** Usage is counted as things are added and deleted, so that reading it costs the same however much there is. */
export function createUsageRepository({ read }: Engine<Tables>): UsageStore {
  return {
    getUsage: (account_id) =>
      read(async (trx) => {
        const drafts = await findDraftUsage(trx, account_id);
        const uploads = await trx
          .selectFrom('upload_totals')
          .select('bytes')
          .where('account_id', '=', account_id)
          .executeTakeFirst();
        return { ...drafts, upload_bytes: uploads?.bytes ?? 0 };
      }),
  };
}
