import type { Transaction } from 'kysely';
import type { WebhookStore } from '../../core/ports/index.js';
import { hasEnded, listGone, RELEASED } from '../engine/claims.js';
import type { Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';
import { IS_CLAIMED } from './deliveries.js';
import type { EndpointRow } from './endpoint_columns.js';
import { lockEndpoint } from './endpoints.js';
import { insertNext, type EventDelivery } from './ends.js';
import { releaseSubject } from './subjects.js';
import { adjustTotals } from './totals.js';

/** Ends deliveries whose process is gone or whose claim has expired, each account's in a transaction of its own. */
export function createAbandonedDeliveryRepository(
  engine: Engine<Tables>,
): Pick<WebhookStore, 'endAbandoned'> {
  const { read, write } = engine;

  const listClaims = () =>
    read(async (trx) => ({
      claims: await trx
        .selectFrom('deliveries')
        .select(({ fn }) => ['account_id', 'claimed_by', fn.min('claimed_until').as('claimed_until')])
        .where(IS_CLAIMED)
        .groupBy(['account_id', 'claimed_by'])
        .orderBy('account_id')
        .execute(),
      now: await engine.now(trx),
    }));

  return {
    async endAbandoned(error) {
      const { claims, now } = await listClaims();
      const gone = await listGone(
        engine,
        claims.map(({ claimed_by }) => claimed_by),
      );
      const endedClaims = claims.filter(
        ({ claimed_by, claimed_until }) => gone.includes(claimed_by ?? '') || (claimed_until ?? '') <= now,
      );
      let ended = 0;
      for (const account_id of new Set(endedClaims.map((claim) => claim.account_id))) {
        ended += await write(async (trx) =>
          endOfAccount(engine, trx, account_id, { gone, now: await engine.now(trx) }, error),
        );
      }
      return ended;
    },
  };
}

/** Ended claims: those of owners that are gone, and the expired ones of all owners. */
type EndedClaims = { gone: string[]; now: string };

async function endOfAccount(
  engine: Engine<Tables>,
  trx: Transaction<Tables>,
  account_id: string,
  { gone, now }: EndedClaims,
  error: string,
): Promise<number> {
  const endpoint = await lockEndpoint(engine, trx, account_id);
  const abandoned = await trx
    .updateTable('deliveries')
    .set({ status: 'failed', error, completed_at: now, ...RELEASED })
    .where('account_id', '=', account_id)
    .where(IS_CLAIMED)
    .where(hasEnded(now, gone))
    .returning(['id', 'account_id', 'event_id', 'event_type', 'subject', 'step'])
    .execute();
  await adjustTotals(trx, account_id, { pending: -abandoned.length, failed: abandoned.length });
  for (const delivery of abandoned.toSorted((a, b) => a.id - b.id)) {
    await insertRetry(trx, endpoint, delivery, now);
  }
  for (const delivery of abandoned) await releaseSubject(trx, delivery, now);
  return abandoned.length;
}

type Abandoned = EventDelivery & { step: number | null };

async function insertRetry(
  trx: Transaction<Tables>,
  endpoint: EndpointRow | undefined,
  { step, ...delivery }: Abandoned,
  now: string,
): Promise<void> {
  if (step === null || endpoint?.is_enabled !== 1) return;
  // A delivery with a subject gets no due time yet: the next of its subject's deliveries is chosen once all of them are
  // inserted.
  const due_at = delivery.subject === null ? now : null;
  await insertNext(trx, endpoint, delivery, { step, due_at, created_at: now });
}
