import type { Tasks } from '../../../tasks.js';
import { getListingPk } from '../../../ids.js';
import type { OwnVisit, Page } from '../../../page.js';
import { redirect } from '../../../replies.js';
import { toListingPath } from '../../../routes.js';

/** A job is followed on the listing's page; the operation need not wait for it. */
const JOB_WAIT_MS = 1_000;
/** Most refusals are known by then, and the page can tell them at once. */
const PATIENCE_MS = 4_000;

/** Publishes, or finishes what failed, and shows the listing meanwhile. */
export async function publish(visit: OwnVisit, tasks: Tasks, state: 'publish' | 'active') {
  const { operations, core, account_id } = visit;
  const listing_pk = getListingPk(visit);
  // An unknown listing has an error page of its own.
  await core.listings.peek(account_id, { listing_pk });
  await tasks.run(
    { account_id, listing_pk },
    () =>
      operations.call(
        'listing_publish',
        { listing_pk, state },
        { wait_ms: JOB_WAIT_MS, askConsent: async () => 'accepted' },
      ),
    PATIENCE_MS,
  );
  return redirect(toListingPath(listing_pk));
}

/** As drafts, which cost nothing; putting live has a page of its own. */
export function createPublish(tasks: Tasks): Page {
  return {
    path: '/listings/{listing_pk}/publish',
    is_outward: true,
    post: (visit) => publish(visit, tasks, 'publish'),
  };
}
