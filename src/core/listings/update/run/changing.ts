import type {
  Blobs,
  CallOptions,
  Clock,
  EditLicense,
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
import { callPatiently, describeFailure } from '../../publish/steps/attempt.js';
import { StepError, type Patience } from '../../publish/steps/step.js';
import type { ShopUpdate, Target } from '../plan.js';
import type { ChangeStepName, ShopUpdateProgress } from './progress.js';

const ATTEMPTS = 3;
const PAUSE_MS = 500;

/** One shop's listing, on its way to the target. Steps compare `fresh` with the target, write, and save. */
export type Changing = Patience & {
  readonly job_id: string;
  readonly listing_pk: number;
  readonly shop: ShopRef;
  readonly update: ShopUpdate;
  /** The operation that a caller repeats to finish an interrupted change. */
  readonly again: string;
  readonly baseline: KeptSnapshot | undefined;
  /** Milliseconds from the save of the baseline to the start of this run. */
  readonly baseline_age_ms: number;
  /** Manual edits that the change may overwrite although it refuses others. */
  readonly licensed: readonly EditLicense[];
  readonly progress: ShopUpdateProgress;
  /** Whether a restored backup had the job in flight. */
  readonly is_restored: boolean;
  /** The listing as it was read in this run, with the writes since. */
  fresh: Partial<ListingSnapshot>;
  /** When `fresh.listing` was asked for, or written, in milliseconds of monotonic time. */
  listing_asked_ms: number;
  /** When it was asked for and the marketplace did not know it any more. */
  gone_asked_ms?: number;
  /** Parts that writes may have changed since they were read. */
  readonly stale: Set<SnapshotPart>;
  /** Notes that media were sent without an answer, so that they may be there although no read has shown them. */
  noteUnanswered(): void;
  /** Whether this run decided the target: then no media were sent that `progress` does not have. */
  is_new: boolean;
  readonly ports: {
    marketplace: Marketplace;
    media: Media;
    blobs: Blobs;
    store: Store;
    clock: Clock;
    log: Log;
  };
  readonly settle_ms: number;
  /** How long what an earlier run was writing may take to come and show, from the beginning of this one. */
  readonly remains_ms: number;
  /** Commits progress. Throws ClaimLostError when another process has taken over. */
  save(): Promise<void>;
  /** Keeps bytes for as long as the change can be undone. */
  keepFile(sha256: string): Promise<void>;
  /** Sets how many units of progress there will be beside the reads before and after. */
  plan(units: number): void;
  /** Reports a finished write; counts as one unit of progress. */
  report(message: string): void;
  /** Set in crash tests alone. */
  readonly reach: ((point: ListingPoint) => void) | undefined;
};

/** One kind of write. A step that has nothing to do is left out. */
export type ChangeStep = {
  name: ChangeStepName;
  /** Restores what other writes remove; runs also when one of them failed. */
  is_restoring?: true;
  isNeeded(changing: Changing): boolean;
  /** Finds out whether media that an earlier run was sending have arrived. */
  takeUp?(changing: Changing): Promise<void>;
  run(changing: Changing): Promise<void>;
};

export function getTarget({ progress }: Pick<Changing, 'progress'>): Target {
  if (!progress.target) throw new Error('what a listing is to become is decided before it is written');
  return progress.target;
}

export function getListing({ fresh }: Changing): ListingSnapshot['listing'] {
  if (!fresh.listing) throw new Error('the listing is read before it is written');
  return fresh.listing;
}

/** Takes over the answer to a write, which has neither SKUs nor production partners. @param asked_ms monotonic time before it was sent */
export function keepWritten(changing: Changing, listing: ListingSnapshot['listing'], asked_ms: number): void {
  const before = getListing(changing);
  if (listing === before) return;
  const { skus, production_partner_ids } = before;
  changing.fresh = { ...changing.fresh, listing: { ...listing, skus, production_partner_ids } };
  changing.listing_asked_ms = asked_ms;
}

/** The listing type, which every change has to send: `both` cannot be sent, and is sent as physical. */
export function getListingType(changing: Changing): 'physical' | 'digital' {
  return getListing(changing).listing_type === 'digital' ? 'digital' : 'physical';
}

/**
 * Makes a write. An intent is committed before it, and the write is not sent once the intent is old, since another process may have
 * taken over. When its outcome is unknown, the listing is read, and the write made again only where it was not done.
 * @param parts the parts that the write may change: stale from then on
 * @param isDone reads, and answers whether the written value is there
 * @param lookAgain reads before each further sending: waiting for limits may take minutes, in which buyers and sellers go on
 * @returns undefined when no answer came, and a read found the write done
 */
export async function writeOnce<Answer>(
  changing: Changing,
  parts: readonly SnapshotPart[],
  send: (options: CallOptions) => Promise<Answer>,
  isDone: () => Promise<boolean>,
  lookAgain?: () => Promise<void>,
): Promise<Answer | undefined> {
  const { progress, ports } = changing;
  const { clock } = ports;
  let is_first = true;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await callPatiently(changing, async () => {
        if (!is_first) await lookAgain?.();
        is_first = false;
        progress.is_writing = true;
        await changing.save();
        return send({ send_before_ms: clock.monotonic() + SEND_WINDOW_MS });
      });
      // Committed with what is written next, or with the end of the step.
      delete progress.is_writing;
      markStale(changing, parts);
      return answer;
    } catch (cause) {
      if (!(cause instanceof MarketplaceError)) throw cause;
      if (cause.failure !== 'unknown') delete progress.is_writing;
      if (cause.failure === 'unknown') {
        await changing.pause(changing.settle_ms);
        delete progress.is_writing;
        markStale(changing, parts);
        const is_done = await isDone().catch((failed: unknown) => {
          throw failed instanceof MarketplaceError ? buildUnread(failed, changing) : failed;
        });
        if (is_done) {
          markStale(changing, parts);
          return undefined;
        }
      } else if (cause.failure !== 'unavailable') throw cause;
      if (attempt === ATTEMPTS) throw cause;
      await changing.pause(PAUSE_MS * attempt);
    }
  }
}

export function markStale({ stale }: Changing, parts: readonly SnapshotPart[]): void {
  for (const part of parts) stale.add(part);
}

/** Parts that a write changes, with photos of variations where there are any: it may remove them. */
export function withVariationImages({ fresh }: Changing, parts: readonly SnapshotPart[]): SnapshotPart[] {
  return [...parts, ...(fresh.variation_images?.length ? ['variation_images' as const] : [])];
}

/** The refusal of a read is not the refusal of the write before it. */
function buildUnread(cause: MarketplaceError, { again }: Changing): StepError {
  const why = describeFailure(cause, again);
  return new StepError(
    `It is not known whether the last write was done, as the listing could not be read after it: ${why}`,
    cause.status,
    { cause },
  );
}
