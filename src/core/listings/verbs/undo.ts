import type { UndoRequest, UpdateResult } from '../../../../schemas/listing_changes.js';
import type { Ports } from '../../ports/index.js';
import type { Call } from '../../operations/call.js';
import type { Binding } from '../../ports/index.js';
import type { Jobs } from '../jobs/jobs.js';
import { getListing } from '../requests/get_listing.js';
import { expectSameBody, retryOnConflict } from '../requests/repeats.js';
import { readIdempotencyKey, toDigest } from '../requests/request.js';
import type { UpdateShowing } from './showing.js';
import { type UpdateStart, withShown } from './start_update.js';
import type { UndoPlanning } from './undo_plan.js';

/** The operation listing_undo: an update like any other, to the values before another one. */
export type UndoListing = (request: UndoRequest, call: Call) => Promise<UpdateResult>;

type Parts = Pick<Ports, 'store'> & {
  jobs: Jobs;
  undo_planning: UndoPlanning;
  showing: UpdateShowing;
  starting: UpdateStart;
};

export function createUndoListing(parts: Parts): UndoListing {
  const { store, jobs, undo_planning, showing, starting } = parts;

  return (input, call) => {
    const deadline_ms = jobs.getDeadline(call);
    const { dry_run = false, idempotency_key: _, on_drift = 'refuse', ...body } = input;
    // Matches the digest from before there was a choice, so that older keys still name the same call.
    const asked = on_drift === 'refuse' ? body : { ...body, on_drift };
    const digest = toDigest(['listing_undo', asked]);
    const binding: Binding = { key: readIdempotencyKey(input, call.idempotency_key), digest };
    const { account_id } = call.caller;
    return retryOnConflict(async () => {
      const listing = await getListing(store, account_id, input.listing_pk);
      const before = await store.listings.findBinding(account_id, binding, 0);
      expectSameBody(before);
      const followed = dry_run ? undefined : await starting.follow(before, call, deadline_ms);
      if (followed) return followed;
      await starting.expectIdle(listing);
      const publications = await store.listings.listPublications(account_id, listing.listing_pk);
      const plan = withShown(
        await undo_planning.plan(listing, publications, input, call.batch?.undone),
        call,
      );
      if (dry_run) return showing.show(listing, plan, binding, call);
      return starting.start(listing, plan, binding, call, deadline_ms);
    });
  };
}
