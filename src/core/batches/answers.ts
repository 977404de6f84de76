import type { BatchAnswer, BatchCounts, BatchesPage, BatchItem } from '../../../schemas/batch.js';
import type { BatchItemRecord, BatchRecord, BatchSpec, Ports } from '../ports/index.js';
import { formatCount } from '../text/format_count.js';
import { toUsd } from '../listings/fees/fee_question.js';
import { toPollUrl } from '../listings/verbs/answers.js';
import { isRelative } from './edits/relative.js';

/** The approximate number of marketplace calls that a batch makes per second: it works on one item at a time. */
const CALLS_PER_SECOND = 3;
const FIRST_ITEMS = 20;

type BatchAnswers = {
  /** The batch with its first items. */
  answer(batch: BatchRecord, message?: string): Promise<BatchAnswer>;
  describe(batch: BatchRecord, counts: BatchCounts): Promise<BatchesPage['batches'][number]>;
};

export function createBatchAnswers({
  store,
  marketplace,
}: Pick<Ports, 'store' | 'marketplace'>): BatchAnswers {
  async function describe(batch: BatchRecord, counts: BatchCounts) {
    const { account_id, batch_id, status, reason, spec, job_id, cost_usd, marketplace_calls } = batch;
    const { created_at, expires_at, started_at, completed_at } = batch;
    return {
      batch_id,
      status,
      ...(reason !== null && { reason }),
      ...(spec.kind === 'undo' && { undoes: spec.undoes }),
      ...(spec.kind === 'edit' && { edits: spec.edits }),
      ...(spec.kind === 'sheet' && spec.sheet !== undefined && { sheet: spec.sheet }),
      on_drift: spec.on_drift,
      selected: spec.places.length,
      job_id,
      counts,
      cost_usd: toUsd(cost_usd),
      marketplace_calls,
      estimated_seconds: Math.ceil(marketplace_calls / CALLS_PER_SECOND),
      calls_left: await findCallsLeft(account_id),
      created_at,
      expires_at,
      started_at,
      completed_at,
    };
  }

  /** The calls left of the application that has the fewest. */
  async function findCallsLeft(account_id: string): Promise<number | null> {
    const shops = await store.shops.listShops(account_id);
    const left = await Promise.all(
      shops.map(({ shop_id }) => marketplace.getDayCalls({ account_id, shop_id })),
    );
    const known = left.flatMap((calls) => (calls ? [calls.remaining] : []));
    return known.length === 0 ? null : Math.min(...known);
  }

  return {
    describe,
    async answer(batch, message) {
      const { account_id, batch_id } = batch;
      const counts = await getCounts(store, batch);
      const { items } = await store.batches.listBatchItems(account_id, batch_id, {
        limit: FIRST_ITEMS,
        offset: 0,
      });
      // The caller sent the edits, so the answer need not repeat them.
      const { edits: _edits, ...described } = await describe(batch, counts);
      return {
        ...described,
        message: message ?? describeBatch(batch, counts),
        poll_url: toPollUrl(batch.job_id),
        items: items.map(toItemAnswer),
        warnings: batch.warnings,
      };
    },
  };
}

export async function getCounts(
  store: Ports['store'],
  { account_id, batch_id }: BatchRecord,
): Promise<BatchCounts> {
  const counts = (await store.batches.countBatchItems(account_id, [batch_id])).get(batch_id);
  if (!counts) throw new Error(`batch ${batch_id} has no counts`);
  return counts;
}

export function toItemAnswer(item: BatchItemRecord): BatchItem {
  const { position: _position, shown: _shown, marketplace_calls: _calls, shop_id, cost_usd, ...rest } = item;
  return { ...rest, shop_id: String(shop_id), ...(cost_usd > 0 && { cost_usd }) };
}

/** Describes the progress of a batch, in a sentence or two for assistants. */
export function describeBatch(batch: BatchRecord, counts: BatchCounts): string {
  const { batch_id, status, reason, spec, cost_usd, started_at } = batch;
  const { items, changed, unchanged, refused, waiting, ok, error, canceled } = counts;
  const ask = `Ask batches_list with batch_id ${batch_id}`;
  const results = `${ok} changed, ${error} failed${canceled > 0 ? `, ${canceled} canceled` : ''}`;
  const failed = describeRest(batch, 'error', error);
  const left =
    (unchanged > 0 ? ` ${formatCount(unchanged, 'item')} unchanged.` : '') +
    (refused > 0
      ? ` ${formatCount(refused, 'item')} refused: ask batches_list with item_status refused for the reasons.`
      : '');
  switch (status) {
    case 'planning':
      return `Planning ${spec.places.length} listings: ${items} items so far. ${ask} ${describePlanned(spec)}`;
    case 'planned': {
      const fee = cost_usd > 0 ? ` for ${toUsd(cost_usd).toFixed(2)} USD in fees` : ', for free';
      if (changed === 0) return `Nothing would change.${left}`;
      return `Changes ${formatCount(changed, 'item')}${fee}.${left} Nothing is written yet: show the seller the diff, then call batch_start.`;
    }
    case 'running':
      return `Running: ${results}, ${waiting} to do. It continues only while the service runs. ${ask}.`;
    case 'paused':
      return reason === 'limits'
        ? `Paused until the marketplace's daily limit lets calls through: ${results}, ${waiting} to do. It continues by itself.`
        : `Paused until the shops of the rest are connected again: ${results}, ${waiting} to do. It continues by itself.`;
    case 'completed':
      return `Done: ${results}.${failed}${left}${ok > 0 ? ' To undo it, call batch_undo.' : ''}`;
    case 'canceled':
      if (started_at === null) return 'Canceled: the plan was not started, so nothing was changed.';
      return `Canceled: ${results}.${failed}${describeRest(batch, 'canceled', canceled)}${ok > 0 ? ' To undo the completed changes, call batch_undo.' : ''}`;
    case 'expired':
      return 'The plan was not started within 24 hours. Create it again.';
    case 'failed':
      return `The batch failed: ${results}. Completed changes are kept.`;
  }
}

/** The next step after the plan. */
function describePlanned(spec: BatchSpec): string {
  if (spec.kind === 'undo' && spec.starts) return 'in a few seconds.';
  return 'until its status is planned; then show the seller the diff, and call batch_start.';
}

/** How to plan the items again that a batch did not change. */
function describeRest({ batch_id, spec }: BatchRecord, status: 'error' | 'canceled', count: number): string {
  if (count === 0) return '';
  const reasons = status === 'error' ? ' For the reasons, ask batches_list with item_status error.' : '';
  const items = status === 'error' ? 'failed' : 'canceled';
  const isTwice = status === 'error' && spec.kind === 'edit' && spec.edits.some(isRelative);
  const first = isTwice ? ' First undo those that have a job_id: these edits would change them twice.' : '';
  return `${reasons} To plan the ${items} items again, call ${describeAgain(batch_id, spec, status)}.${first}`;
}

function describeAgain(batch_id: string, spec: BatchSpec, status: 'error' | 'canceled'): string {
  switch (spec.kind) {
    case 'undo':
      return `batch_undo with batch_id ${spec.undoes} and the same listing_pks, shops and pay, if any were given`;
    case 'sheet':
      return 'batch_create with the same sheet';
    case 'edit':
      return `batch_create with select {"batch_id": "${batch_id}", "item_status": "${status}"} and the same edits`;
  }
}
