import type { Consent, FeeQuestion } from '../../../../core/operations/call.js';
import type { Tasks } from '../../../tasks.js';
import { getListingPk } from '../../../ids.js';
import type { OwnPost, Page } from '../../../page.js';
import { redirect } from '../../../replies.js';
import { toListingPath } from '../../../routes.js';
import type { Fee } from './fee.js';

/** The listing's page shows the job's progress; the operation need not wait for it. */
const JOB_WAIT_MS = 1_000;
/** Most refusals are known after this time, so that the page can show them immediately. */
const PATIENCE_MS = 4_000;

/** Fees that a page has shown: their sum, and the shops where they are charged. */
export type ShownFee = Pick<Fee, 'sum' | 'shop_ids'>;

/**
 * Agrees to the fees that were shown, and to no others.
 * @param onOther called with the fees that would be charged instead
 */
export function agreeTo(
  { sum, shop_ids }: ShownFee,
  onOther: (question: FeeQuestion) => void = () => undefined,
): Consent {
  const shown = [...shop_ids].sort();
  return async (question) => {
    const paid = question.shops.filter(({ fee_usd }) => fee_usd > 0).map(({ shop_id }) => String(shop_id));
    if (question.total_usd.toFixed(2) === sum && paid.sort().join() === shown.join()) return 'accepted';
    onOther(question);
    return 'changed';
  };
}

/**
 * Publishes, or finishes what failed; the listing's page shows the progress.
 * @returns the fees that would be charged if they differ from the ones shown; in that case, nothing was done
 */
export async function publish(
  visit: OwnPost,
  tasks: Tasks,
  state: 'publish' | 'active',
  shown: ShownFee,
): Promise<FeeQuestion | undefined> {
  const { operations, core, account_id } = visit;
  const listing_pk = getListingPk(visit);
  // As the page showed it.
  const as_of = visit.form.fields.get('as_of') ?? undefined;
  // An unknown listing gets an error page of its own.
  await core.listings.peek(account_id, { listing_pk });
  let other: FeeQuestion | undefined;
  const askConsent = agreeTo(shown, (question) => {
    other = question;
  });
  await tasks.run(
    { account_id, listing_pk },
    () =>
      operations.call(
        'listing_publish',
        { listing_pk, state },
        { wait_ms: JOB_WAIT_MS, askConsent, ...(as_of !== undefined && { as_of }) },
      ),
    PATIENCE_MS,
  );
  return other;
}

/** As drafts, which cost nothing; activation has a page of its own. */
export function createPublish(tasks: Tasks): Page {
  return {
    path: '/listings/{listing_pk}/publish',
    is_outward: true,
    async post(visit) {
      await publish(visit, tasks, 'publish', { sum: '0.00', shop_ids: [] });
      return redirect(toListingPath(getListingPk(visit)));
    },
  };
}
