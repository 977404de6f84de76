import { findPiece, type Collecting, type Item, type KnownBatch } from '../people/collection/collecting.js';
import { listRows } from '../world/jobs.js';
import type { World } from '../world/world.js';
import { judgeConflicts, judgeItems, judgeMoves, listLicenses } from './batch_moves.js';
import { judgeChoices } from './batch_choices.js';
import { judgeUndo } from './batch_undo.js';
import type { SeenListing, SeenMarketplace } from './seen.js';

const ENDED: ReadonlySet<string> = new Set(['planned', 'completed', 'canceled', 'expired']);
const FINAL: ReadonlySet<string> = new Set(['unchanged', 'refused', 'ok', 'error', 'canceled']);

/** Once every batch has ended: each did exactly what its plan says, once. */
export function judgeBatches(collecting: Collecting, seen: SeenMarketplace): string[] {
  const { batches, world } = collecting;
  const own = seen.listings.filter((listing) => findPiece(collecting, listing));
  const find = ({ listing_pk, shop_id }: Item): number | undefined =>
    own.find(
      (listing) =>
        listing.shop_id === Number(shop_id) && findPiece(collecting, listing)?.listing_pk === listing_pk,
    )?.listing_id;
  const licenses = listLicenses(collecting, find);
  return [
    ...[...batches.values()].flatMap(findUnfinished),
    ...[...batches.values()].flatMap(findInternal),
    ...judgeMoves(collecting, licenses),
    ...judgeItems(collecting, licenses),
    ...judgeConflicts(collecting, batches.values(), find),
    ...judgeUndo(collecting, batches, find),
    ...judgeChoices(collecting),
    ...[...batches.values()].flatMap((batch) => findAfterCancel(collecting, batch)),
    ...findFees(collecting, seen, find),
    ...findDoubles(collecting, own),
    ...findUnknownJobs(world, collecting),
  ];

  function findAfterCancel(_: Collecting, { batch_id, canceled, status }: KnownBatch): string[] {
    if (!canceled) return [];
    // The item that is about to run may still do so.
    const { at_ms, waiting } = canceled;
    const later = new Set(
      licenses.flatMap(({ batch, item, used }) =>
        used &&
        used.at_ms > at_ms &&
        batch.batch_id === batch_id &&
        waiting.some((one) => one.listing_pk === item.listing_pk && one.shop_id === item.shop_id)
          ? [item.listing_pk]
          : [],
      ),
    );
    const left = new Set(waiting.map(({ listing_pk }) => listing_pk)).size;
    return [
      ...(later.size > 1 ? [`${batch_id} goes on after it is canceled: ${[...later].join(', ')}`] : []),
      ...(left > 1 && status === 'completed' ? [`${batch_id} is completed, although it was canceled`] : []),
    ];
  }
}

function findUnfinished({ batch_id, status, items, asked_ms }: KnownBatch): string[] {
  if (!ENDED.has(status)) return [`${batch_id} never ends: it is ${status || 'not there'}`];
  if (status === 'planned' || status === 'expired') return [];
  const open = items.filter((item) => !FINAL.has(item.status));
  return [
    ...(open.length > 0
      ? [`${batch_id} is ${status}, with items ${open.map((item) => item.status).join(', ')}`]
      : []),
    ...(asked_ms === undefined && status === 'completed'
      ? [`${batch_id} ran, although nobody started it`]
      : []),
  ];
}

function findInternal({ batch_id, items }: KnownBatch): string[] {
  const isInternal = items.some(({ issues }) => issues.some(({ code }) => code === 'INTERNAL'));
  return isInternal ? [`an item of ${batch_id} has failed with INTERNAL`] : [];
}

const BATCHES_KEPT_MS = 90 * 24 * 3_600_000;

/** Each fee was agreed to before it was paid, and is paid once. */
function findFees(
  { batches, ledger }: Collecting,
  { fees }: SeenMarketplace,
  find: (item: Item) => number | undefined,
): string[] {
  const agreed = [...batches.values()].flatMap(({ asked_ms, items }) =>
    items.flatMap((item) =>
      asked_ms !== undefined && (item.cost_usd ?? 0) > 0 ? [{ asked_ms, listing_id: find(item) }] : [],
    ),
  );
  return fees
    .toSorted((a, b) => a.created_at - b.created_at)
    .flatMap(({ listing_id, created_at }) => {
      if (!ledger.isWatched(listing_id)) return [];
      const at = agreed.findIndex((one) => one.listing_id === listing_id && one.asked_ms <= created_at);
      if (at === -1) return [`a fee for listing ${listing_id} that nobody agreed to`];
      agreed.splice(at, 1);
      return [];
    });
}

function findDoubles(collecting: Collecting, own: readonly SeenListing[]): string[] {
  const places = own.map((listing) => `${findPiece(collecting, listing)?.number} in ${listing.shop_id}`);
  const doubles = places.filter((place, index) => places.indexOf(place) !== index);
  return doubles.map((place) => `two listings of piece ${place} of the collection`);
}

/**
 * Every job of these listings is a step of a batch, or a single update. Old batches are swept while their jobs
 * are kept.
 */
function findUnknownJobs({ folder, schedule }: World, { pieces, job_ids }: Collecting): string[] {
  const since = new Date(schedule.now() - BATCHES_KEPT_MS).toISOString();
  const jobs = listRows<{ job_id: string; listing_pk: number }>(
    folder,
    `SELECT job_id, listing_pk FROM jobs WHERE listing_pk IS NOT NULL AND created_at > '${since}' ORDER BY job_id`,
  );
  const steps = listRows<{ job_ids: string }>(folder, 'SELECT job_ids FROM batch_steps');
  const known = new Set([...job_ids, ...steps.flatMap((step) => JSON.parse(step.job_ids) as string[])]);
  return jobs.flatMap(({ job_id, listing_pk }) =>
    pieces.some((piece) => piece.listing_pk === listing_pk) && !known.has(job_id)
      ? [`${job_id} of listing ${listing_pk} belongs to no batch`]
      : [],
  );
}
