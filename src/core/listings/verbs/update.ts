import type { UpdateRequest, UpdateResult } from '../../../../schemas/listing_changes.js';
import type { Ports, Binding, BindingMatch } from '../../ports/index.js';
import type { Call } from '../../operations/call.js';
import { REPLAYED } from './answers.js';
import type { Jobs } from '../jobs/jobs.js';
import { getListing } from '../requests/get_listing.js';
import { buildChanged, expectAsOf, expectSameBody, retryOnConflict } from '../requests/repeats.js';
import { readIdempotencyKey, toDigest } from '../requests/request.js';
import type { DraftUpdates } from './draft.js';
import type { UpdatePlanning } from '../resolve/planning.js';
import type { UpdateShowing } from './showing.js';
import { type UpdateStart, withShown } from './start_update.js';
import { listOnlySaved } from '../resolve/target_shops.js';

/** The operation listing_update: a change of a saved draft, or of a listing in its shops. */
export type UpdateListing = (request: UpdateRequest, call: Call) => Promise<UpdateResult>;

type Parts = Pick<Ports, 'store'> & {
  jobs: Jobs;
  planning: UpdatePlanning;
  showing: UpdateShowing;
  drafts: DraftUpdates;
  starting: UpdateStart;
};

export function createUpdateListing(parts: Parts): UpdateListing {
  const { store, jobs, planning, showing, drafts, starting } = parts;

  return (input, call) => {
    const deadline_ms = jobs.getDeadline(call);
    const key = readIdempotencyKey(input, call.idempotency_key);
    const binding: Binding = { key, digest: buildUpdateDigest(input, call) };
    return retryOnConflict(() => run(input, binding, call, deadline_ms));
  };

  async function run(
    input: UpdateRequest,
    binding: Binding,
    call: Call,
    deadline_ms: number,
  ): Promise<UpdateResult> {
    const { account_id } = call.caller;
    const listing = await getListing(store, account_id, input.listing_pk);
    expectAsOf(listing, call);
    const isDry = input.dry_run === true;
    const before = await store.listings.findBinding(account_id, binding, 0);
    expectSameBody(before);
    const replayed = isDry ? undefined : await replay(before, binding, call, deadline_ms);
    if (replayed) return replayed;
    await starting.expectIdle(listing);
    const publications = await store.listings.listPublications(account_id, listing.listing_pk);
    if (publications.every(({ listing_id }) => listing_id === null)) {
      const { leaves_shops: left } = call;
      return left
        ? drafts.leaveShops(listing, publications, left, binding)
        : drafts.update(listing, publications, input, binding);
    }
    if (call.leaves_shops) throw buildChanged();
    const absent = listOnlySaved(listing.request, publications, input);
    if (absent) return drafts.updateAbsent(listing, publications, absent, input, binding);
    const plan = withShown(await planning.plan(listing, publications, input), call);
    if (isDry) return showing.show(listing, plan, binding, call);
    return starting.start(listing, plan, binding, call, deadline_ms);
  }

  /** The response to the same request: while its job runs, and later if a key names it. */
  async function replay(
    found: BindingMatch,
    { key }: Binding,
    call: Call,
    deadline_ms: number,
  ): Promise<UpdateResult | undefined> {
    const followed = await starting.follow(found, call, deadline_ms);
    if (followed || found.match !== 'same' || key === null) return followed;
    return drafts.answer(found.listing, [REPLAYED]);
  }
}

/**
 * A digest of everything that makes an update the same: excludes the key that names the call, and does not depend
 * on the order of object keys.
 */
function buildUpdateDigest(input: UpdateRequest, { leaves_shops }: Call): string {
  const { idempotency_key: _key, dry_run: _dry, on_drift = 'refuse', ...body } = input;
  return toDigest(['listing_update', { ...body, on_drift, ...(leaves_shops && { leaves_shops }) }]);
}
