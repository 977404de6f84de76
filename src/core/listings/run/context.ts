import pLimit from 'p-limit';
import type { JobRecord, Ports } from '../../ports/index.js';
import type { ShopProgress } from '../../ports/listing/progress.js';
import type { Settings } from '../../settings.js';
import { quoteName } from '../../text/foreign.js';
import type { Context } from '../engine/context.js';
import { getRemains_ms, renewDeadline } from '../engine/intents.js';
import type { Hold } from '../jobs/hold.js';
import type { Meter } from '../jobs/meter.js';

/** Ports of the job runners. */
export type WorkPorts = Pick<Ports, 'store' | 'marketplace' | 'media' | 'blobs' | 'clock' | 'log'>;

/** A job this process runs. */
export type Work = {
  job: Pick<JobRecord, 'job_id'> & { listing_pk: number };
  hold: Hold;
  meter: Meter;
  ports: WorkPorts;
  settings: Pick<Settings, 'reconcile_settle_ms'>;
};

/**
 * The part of a shop's context that all kinds of jobs share. Renews the deadline of an intent saved by an earlier
 * run.
 * @param save commits progress
 */
export function buildContext<Progress extends Pick<ShopProgress, 'intent'>>(
  { job, hold, meter, ports, settings }: Work,
  { shop_id, shop_name }: { shop_id: number; shop_name: string },
  progress: Progress,
  save: () => Promise<void>,
) {
  const { claim, marketplace, checkStop, pause } = hold;
  const settle_ms = settings.reconcile_settle_ms;
  const earlier = { is_alone: claim.is_alone, settle_ms };
  if (progress.intent) renewDeadline(progress.intent, ports.clock.now(), earlier);
  const name = quoteName(shop_name);
  // Saves run one after the other: two at the same time could be committed in reverse order.
  const oneAtATime = pLimit(1);
  const fresh: Context['fresh'] = {};
  const stale: Context['stale'] = new Set();
  return {
    job_id: job.job_id,
    listing_pk: job.listing_pk,
    shop: { account_id: claim.account_id, shop_id },
    progress,
    is_new: false,
    fresh,
    listing_asked_ms: 0,
    stale,
    ports: { ...ports, marketplace },
    settle_ms,
    remains_ms: getRemains_ms(earlier),
    save: () => oneAtATime(save),
    report: (message: string) => meter.advance(`${name}: ${message}`),
    checkStop,
    pause,
  };
}

/** Runs all shops of a job at the same time. Returns the errors that do not belong to a shop. */
export async function runShops<Cx>(shops: readonly Cx[], run: (cx: Cx) => Promise<void>): Promise<unknown[]> {
  const outcomes = await Promise.allSettled(shops.map(run));
  return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
}
