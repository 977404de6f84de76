import { batchItemStatus, type BatchItemStatus } from '../../../../schemas/batch.js';
import { agreeTo } from '../listing/sale/publish.js';
import { RefusedError, toRefusal } from '../../operations.js';
import { Refusal } from '../../components/notice.js';
import type { OwnPost, Page } from '../../page.js';
import { redirect, show } from '../../replies.js';
import { getBatchId, readBatch, toBatchPath, toRow, walkItems } from './read.js';
import type { Batch } from './words.js';
import { NoRows, OtherFees, showBatch } from './show.js';

/** How long a request waits for a plan or a change; after that, the page of the batch shows the progress. */
export const PATIENCE = { wait_ms: 2_500 } as const;

/** Carries out the plan that the page showed, for no other fees than it showed. */
export const startChange: Page = {
  path: '/changes/{batch_id}/start',
  is_outward: true,
  async post(visit) {
    const batch_id = getBatchId(visit);
    const { fields } = visit.form;
    // If the checkboxes differ from the plan, update the plan first, so that only changes that were shown are made.
    const isOtherChoice = listDropped(fields).size > 0 || fields.has('replace');
    if (isOtherChoice && (await readBatch(visit, batch_id)).batch.status === 'planned') {
      return replan(visit, '?updated');
    }
    let isOther = false;
    const shop_ids = (fields.get('shops') ?? '').split(',').filter((shop_id) => shop_id !== '');
    const askConsent = agreeTo({ sum: fields.get('sum') ?? '', shop_ids }, () => {
      isOther = true;
    });
    const started = await visit.operations
      .call('batch_start', { batch_id }, { ...PATIENCE, askConsent })
      .catch(toRefusal);
    if (!(started instanceof RefusedError)) return redirect(toBatchPath(batch_id));
    const problem = isOther ? <OtherFees /> : <Refusal error={started.error} />;
    return show(await showBatch(visit, problem), { status: started.error.status });
  },
};

/** Stops a batch before its next item, or discards a plan. */
export const cancelChange: Page = {
  path: '/changes/{batch_id}/cancel',
  async post(visit) {
    const batch_id = getBatchId(visit);
    const isPlan = visit.form.fields.has('plan');
    await visit.operations.call('batch_cancel', { batch_id }, { spares_started: isPlan });
    return redirect(toBatchPath(batch_id));
  },
};

/** Plans the undo of a batch. */
export const undoChange: Page = {
  path: '/changes/{batch_id}/undo',
  is_outward: true,
  async post(visit) {
    const input = { batch_id: getBatchId(visit), dry_run: true };
    const undo = await visit.operations.call('batch_undo', input, PATIENCE);
    return redirect(toBatchPath(undo.batch_id));
  },
};

/** Plans a batch again: the items of one status, with the other answer about edits on Etsy, or with the fees of an undo. */
export const planAgain: Page = {
  path: '/changes/{batch_id}/again',
  is_outward: true,
  post: (visit) => replan(visit),
};

async function replan(visit: OwnPost, query = '') {
  const planned = await plan(visit);
  if (planned) return redirect(toBatchPath(planned.batch_id) + query);
  return show(await showBatch(visit, <NoRows />), { status: 400 });
}

async function plan(visit: OwnPost) {
  const { operations, form } = visit;
  const batch_id = getBatchId(visit);
  const { batch } = await readBatch(visit, batch_id);
  const item_status = batchItemStatus.safeParse(form.fields.get('item_status')).data;
  const choice = await readRows(visit, batch);
  if (choice === 'none') return undefined;
  const { on_drift, ...rows } = choice;
  const call = { ...PATIENCE, ...(batch.status === 'planned' && { replan: { batch_id, ...rows } }) };
  const { undoes, edits, sheet } = batch;
  return undoes === undefined
    ? await operations.call(
        'batch_create',
        edits ? { select: { batch_id, item_status }, edits, on_drift } : { sheet, on_drift },
        call,
      )
    : await operations.call(
        'batch_undo',
        {
          batch_id: undoes,
          ...(await listPlaces(visit, batch_id, item_status)),
          // Only an undo that was allowed to pay has fees.
          pay: batch.cost_usd > 0 || form.fields.get('pay') === '1',
          dry_run: true,
          on_drift,
        },
        call,
      );
}

type Row = { listing_pk: number; shop_id: number };
type OnDrift = 'refuse' | 'overwrite';

/**
 * The rows that the new plan leaves out, and those whose edits on Etsy it replaces. A form with rows sends
 * the rows that it shows, the ones to keep, and those whose edits are replaced. Other edits on Etsy stay, and
 * the new plan shows them. `none`: nothing is left.
 */
async function readRows(
  visit: OwnPost,
  batch: Batch,
): Promise<{ on_drift: OnDrift; left_out: Row[]; overwrites: Row[] } | 'none'> {
  const { fields } = visit.form;
  const [left_out, overwrites]: [Row[], Row[]] = [[], []];
  if (!fields.has('rows')) {
    return {
      on_drift: fields.get('on_drift') === 'overwrite' ? 'overwrite' : 'refuse',
      left_out,
      overwrites,
    };
  }
  const [dropped, replaced] = [listDropped(fields), new Set(fields.getAll('replace'))];
  let hasRows = false;
  for await (const item of walkItems(visit, batch.batch_id)) {
    const row = toRow(item);
    const place = { listing_pk: item.listing_pk, shop_id: Number(item.shop_id) };
    if (dropped.has(row)) left_out.push(place);
    else if (replaced.has(row) || item.overwrites === true) overwrites.push(place);
    hasRows ||= !dropped.has(row) && (item.status === 'planned' || replaced.has(row));
  }
  return hasRows ? { on_drift: 'refuse', left_out, overwrites } : 'none';
}

/** The rows of a form whose box is not checked. */
function listDropped(fields: OwnPost['form']['fields']): Set<string> {
  const kept = new Set(fields.getAll('keep'));
  return new Set(fields.getAll('row').filter((row) => !kept.has(row)));
}

/** The listings and shops of a batch, so that an undo of some of them does not become one of all. */
async function listPlaces(visit: OwnPost, batch_id: string, item_status: BatchItemStatus | undefined) {
  const listing_pks = new Set<number>();
  const shops = new Set<number>();
  for await (const { listing_pk, shop_id } of walkItems(visit, batch_id, item_status)) {
    listing_pks.add(listing_pk);
    shops.add(Number(shop_id));
  }
  return { listing_pks: [...listing_pks], shops: [...shops] };
}
