import type {
  Blobs,
  CallOptions,
  Clock,
  Log,
  Marketplace,
  Media,
  ShopRef,
  Store,
} from '../../../ports/index.js';
import { MarketplaceError } from '../../../ports/index.js';
import type { ListingPoint } from '../../points.js';
import { SEND_WINDOW_MS } from '../../publish/progress.js';
import type { KeptSnapshot, ListingSnapshot, SnapshotPart } from '../../snapshot/snapshot.js';
import { callPatiently } from '../../publish/steps/attempt.js';
import type { Patience } from '../../publish/steps/step.js';
import type { ShopUpdate, Target } from '../plan.js';
import type { ChangeStepName, ShopUpdateProgress } from './progress.js';

const ATTEMPTS = 3;
const PAUSE_MS = 500;

/** One shop's listing, on its way to what it is to become. Steps hold `fresh` against the target, write, and save. */
export type Changing = Patience & {
  readonly job_id: string;
  readonly listing_pk: number;
  readonly shop: ShopRef;
  readonly update: ShopUpdate;
  /** The operation that finishes what is left. */
  readonly again: string;
  readonly baseline: KeptSnapshot | undefined;
  readonly progress: ShopUpdateProgress;
  /** What the listing has: as it was read in this run, with what was written since. */
  fresh: Partial<ListingSnapshot>;
  /** When the listing of it was asked for, or written, in milliseconds of monotonic time. */
  listing_asked_ms: number;
  /** Parts that writes may have changed since they were read. */
  readonly stale: Set<SnapshotPart>;
  /** Whether this run decided what is to be done: then nothing was sent that `progress` does not know of. */
  is_new: boolean;
  has_lost_media: boolean;
  readonly ports: {
    marketplace: Marketplace;
    media: Media;
    blobs: Blobs;
    store: Store;
    clock: Clock;
    log: Log;
  };
  readonly settle_ms: number;
  /** Commits progress. Throws ClaimLostError when another process has taken over. */
  save(): Promise<void>;
  /** Keeps bytes for so long that the change can be taken back. */
  keepFile(sha256: string): Promise<void>;
  /** Tells how many units of progress there will be beside the looks before and after. */
  plan(units: number): void;
  /** Says what was just done; counts as one unit of progress. */
  report(message: string): void;
  /** Set in crash tests alone. */
  readonly reach: ((point: ListingPoint) => void) | undefined;
};

/** One kind of write. A step that has nothing to do is left out. */
export type ChangeStep = {
  name: ChangeStepName;
  /** Sets again what other writes take away; done also where one of them failed. */
  is_restoring?: true;
  isNeeded(changing: Changing): boolean;
  /** Of what an earlier run was sending: finds out what became of it. */
  takeUp?(changing: Changing): Promise<void>;
  run(changing: Changing): Promise<void>;
};

export function getTarget({ progress }: Changing): Target {
  if (!progress.target) throw new Error('what a listing is to become is decided before it is written');
  return progress.target;
}

export function getListing({ fresh }: Changing): ListingSnapshot['listing'] {
  if (!fresh.listing) throw new Error('the listing is read before it is written');
  return fresh.listing;
}

/** What the answer to a write says; that tells neither SKUs nor production partners. @param asked_ms before it was sent */
export function keepWritten(changing: Changing, listing: ListingSnapshot['listing'], asked_ms: number): void {
  const before = getListing(changing);
  if (listing === before) return;
  const { skus, production_partner_ids } = before;
  changing.fresh = { ...changing.fresh, listing: { ...listing, skus, production_partner_ids } };
  changing.listing_asked_ms = asked_ms;
}

/** Sent with every change: what both is cannot be said, and is sold as it is sent. */
export function getListingType(changing: Changing): 'physical' | 'digital' {
  return getListing(changing).listing_type === 'digital' ? 'digital' : 'physical';
}

/**
 * Makes a write. It is committed before as an intent, and not sent once that is old, since another process may have taken over. One of
 * unknown outcome is looked up, and made again only where it was not done.
 * @param isDone reads, and says whether what was to be written is there
 * @param lookAgain before each sending but the first: limits may be waited for many minutes, in which buyers and other hands go on
 * @returns undefined where no answer came, and a look found it done
 */
export async function writeOnce<Answer>(
  changing: Changing,
  send: (options: CallOptions) => Promise<Answer>,
  isDone: () => Promise<boolean>,
  lookAgain?: () => Promise<void>,
): Promise<Answer | undefined> {
  const { clock } = changing.ports;
  let is_first = true;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await callPatiently(changing, async () => {
        if (!is_first) await lookAgain?.();
        is_first = false;
        await changing.save();
        return send({ send_before_ms: clock.monotonic() + SEND_WINDOW_MS });
      });
    } catch (cause) {
      if (!(cause instanceof MarketplaceError)) throw cause;
      if (cause.failure === 'unknown') {
        await changing.pause(changing.settle_ms);
        if (await isDone()) return undefined;
      } else if (cause.failure !== 'unavailable') throw cause;
      if (attempt === ATTEMPTS) throw cause;
      await changing.pause(PAUSE_MS * attempt);
    }
  }
}
