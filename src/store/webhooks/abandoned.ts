import type { Transaction } from 'kysely';
import type { WebhookStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';
import { IS_CLAIMED } from './deliveries.js';
import { lockEndpoint } from './endpoints.js';
import { insertNext, type EventDelivery } from './ends.js';
import { releaseSubject } from './subjects.js';
import { adjustTotals } from './totals.js';

type Abandoned = EventDelivery & { step: number | null };

/** Ending what processes left behind. */
export function createAbandonedRepository(engine: Engine<Tables>): Pick<WebhookStore, 'endAbandoned'> {
  const { read, write } = engine;

  async function listGone(): Promise<{ gone: string[]; is_expired: boolean }> {
    const { owners, now } = await read(async (trx) => ({
      owners: await trx
        .selectFrom('deliveries')
        .select(({ fn }) => ['claimed_by', fn.min('claimed_until').as('claimed_until')])
        .where(IS_CLAIMED)
        .groupBy('claimed_by')
        .execute(),
      now: await engine.now(trx),
    }));
    const gone: string[] = [];
    for (const { claimed_by } of owners) {
      if (claimed_by !== null && !(await engine.isAlive(claimed_by))) gone.push(claimed_by);
    }
    return { gone, is_expired: owners.some(({ claimed_until }) => (claimed_until ?? '') <= now) };
  }

  return {
    async endAbandoned(error) {
      const { gone, is_expired } = await listGone();
      if (gone.length === 0 && !is_expired) return 0;
      return write(async (trx) => {
        const now = await engine.now(trx);
        const abandoned = await trx
          .updateTable('deliveries')
          .set({ status: 'failed', error, completed_at: now, claimed_by: null, claimed_until: null })
          .where(IS_CLAIMED)
          .where((eb) =>
            eb.or([
              eb('claimed_until', '<=', now),
              ...(gone.length > 0 ? [eb('claimed_by', 'in', gone)] : []),
            ]),
          )
          .returning(['id', 'account_id', 'event_id', 'event_type', 'subject', 'step'])
          .execute();
        for (const delivery of abandoned.toSorted((a, b) => a.id - b.id)) await makeAnew(trx, delivery, now);
        for (const delivery of abandoned) await releaseSubject(trx, delivery, now);
        return abandoned.length;
      });
    },
  };
}

async function makeAnew(
  trx: Transaction<Tables>,
  { step, ...delivery }: Abandoned,
  now: string,
): Promise<void> {
  const endpoint = await lockEndpoint(trx, delivery.account_id);
  await adjustTotals(trx, delivery.account_id, { pending: -1, failed: 1 });
  if (step === null || endpoint?.is_enabled !== 1) return;
  // In its old place among those of its subject: which of them is next is found when all are there.
  const due_at = delivery.subject === null ? now : null;
  await insertNext(trx, endpoint, delivery, { step, due_at, created_at: now });
}
