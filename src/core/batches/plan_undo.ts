import type { Warning } from '../../../schemas/job.js';
import type { Listings } from '../listings/listings.js';
import type {
  BatchItemRecord,
  BatchPlace,
  BatchRecord,
  BatchSpec,
  ConnectedShop,
  Ports,
  StepCall,
} from '../ports/index.js';
import type { BatchPart, Call } from '../operations/call.js';
import { buildCall } from './call.js';
import { attempt, type Draft } from './draft.js';

type Parts = { store: Ports['store']; listings: Pick<Listings, 'undo' | 'publish'> };
type UndoSpec = Extract<BatchSpec, { kind: 'undo' }>;
type There = readonly { shop: ConnectedShop; listing_id: number }[];

/** Plans how to undo the changes that another batch made to one listing, the last one first. */
export async function planUndo(
  parts: Parts,
  draft: Draft,
  { account_id }: BatchRecord,
  spec: UndoSpec,
  { overwrites = [] }: BatchPlace,
  there: There,
  listing_pk: number,
  signal: AbortSignal,
): Promise<void> {
  const { store, listings } = parts;
  const own = await store.batches.listBatchSteps(account_id, spec.undoes, listing_pk);
  const batch: BatchPart = { onShown: (shop_id, diff) => draft.show(shop_id, diff) };
  const call: Call = { ...buildCall(account_id, signal), batch };
  const undone: { job_id: string; shop_ids: number[] }[] = [];
  const isReplaced = ({ shop }: There[number]) => overwrites.includes(shop.shop_id);
  const groups = [
    { on_drift: spec.on_drift, shops: there.filter((one) => !isReplaced(one)) },
    { on_drift: 'overwrite' as const, shops: there.filter(isReplaced) },
  ];
  const made = own.flatMap((step) =>
    step.job_ids.flatMap((job_id) => groups.map((group) => ({ ...step, ...group, job_id }))),
  );
  for (const { on_drift, shops, ...step } of made.toReversed()) {
    const { job_id } = step;
    const done = shops.filter(({ shop }) => listStepShops(step.call).includes(shop.shop_id));
    if (done.length === 0) continue;
    const asked = done.map(({ shop }) => shop.shop_id);
    const outcome = await attempt(() =>
      listings.undo(
        { listing_pk, job_id, shops: asked, on_drift, dry_run: true },
        { ...call, batch: { ...batch, undone } },
      ),
    );
    if ('error' in outcome) {
      // A job that failed before it wrote anything, and was repeated later.
      const isNothing = outcome.error.code === 'NOTHING_TO_UNDO' && step.call.op !== 'copy';
      for (const { shop } of done) {
        const lost = outcome.error.issues.flatMap(({ at: _, ...reason }): Warning[] =>
          reason.code === 'undo_shop_lost'
            ? [{ code: 'not_undone', level: 'warning', fields: [], reason }]
            : [],
        );
        draft.note(shop.shop_id, lost);
        if (isNothing) draft.keep(shop.shop_id, outcome.error);
        else draft.refuseFor(shop.shop_id, outcome.error);
      }
      continue;
    }
    const going: number[] = [];
    for (const { shop } of done) {
      const result = outcome.answer.shops?.find(({ shop_id }) => shop_id === String(shop.shop_id));
      if (result?.error) draft.fail(shop.shop_id, result.error, result.details);
      else if (result?.status === 'ok') {
        draft.change(shop.shop_id, result);
        going.push(shop.shop_id);
      } else if (spec.pays && isOffSale(step.call)) await planPaid(listings, draft, shop, listing_pk, call);
      else draft.keep(shop.shop_id);
      draft.note(shop.shop_id, outcome.answer.warnings ?? [], result?.warnings ?? []);
    }
    if (going.length === 0) continue;
    draft.add({ op: 'undo', shop_ids: going, job_id, on_drift });
    undone.push({ job_id, shop_ids: going });
  }
}

function isOffSale(call: StepCall): boolean {
  return call.op === 'sale' && call.state === 'inactive';
}

/** Activating a listing again costs a fee if its four months have ended since it was deactivated. */
async function planPaid(
  listings: Pick<Listings, 'publish'>,
  draft: Draft,
  shop: ConnectedShop,
  listing_pk: number,
  call: ReturnType<typeof buildCall>,
): Promise<void> {
  const { shop_id } = shop;
  const input = { listing_pk, state: 'active' as const, shops: [shop_id], dry_run: true };
  const outcome = await attempt(() => listings.publish(input, call));
  if ('error' in outcome) draft.refuseFor(shop_id, outcome.error);
  else if (draft.sell(shop.shop_id, 'active', 'inactive', outcome.answer)) {
    draft.add({ op: 'sale', shop_ids: [shop_id], state: 'active' });
  }
}

function listStepShops(call: StepCall): number[] {
  return call.op === 'copy' ? call.shops.map(({ shop_id }) => shop_id) : call.shop_ids;
}

/** The listings and shops in which a batch wrote something, in the order of its items. */
export async function listWritten(
  items: AsyncIterable<BatchItemRecord>,
  { listing_pks, shops }: { listing_pks?: number[] | undefined; shops?: number[] | undefined },
): Promise<BatchPlace[]> {
  const written = new Map<number, number[]>();
  for await (const { listing_pk, shop_id, job_id } of items) {
    const isMeant = (listing_pks?.includes(listing_pk) ?? true) && (shops?.includes(shop_id) ?? true);
    if (job_id === undefined || !isMeant) continue;
    written.set(listing_pk, [...(written.get(listing_pk) ?? []), shop_id]);
  }
  return [...written].map(([listing_pk, shop_ids]) => ({ listing_pk, shop_ids }));
}
