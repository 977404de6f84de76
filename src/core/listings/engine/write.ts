import { MarketplaceError, type CallOptions } from '../../ports/index.js';
import type { ListingSnapshot, SnapshotPart } from '../../ports/listing/snapshot.js';
import { callPatiently, writeRepeatably } from './attempt.js';
import { toCallFailed, StepError } from './failures.js';
import type { Context } from './context.js';
import { SEND_WINDOW_MS } from './intents.js';

const ATTEMPTS = 3;
const PAUSE_MS = 500;

/**
 * Makes a write. Under a policy that repeats writes, sends it until the marketplace responds. Otherwise commits an
 * intent first, and does not send the write once the intent is old, since another process may have claimed the job.
 * If the outcome is unknown, reads the listing, and sends the write again only if it was not done.
 * @param parts the parts the write may change, stale from then on
 * @param isDone reads, and returns whether the listing has the written value
 * @param reread reads before each repeat: buyers and sellers act while a call waits for limits
 * @returns undefined if no response arrived and a read found the write done
 */
export async function write<Answer>(
  cx: Context,
  parts: readonly SnapshotPart[],
  send: (options: CallOptions) => Promise<Answer>,
  isDone: () => Promise<boolean>,
  reread?: () => Promise<void>,
): Promise<Answer | undefined> {
  if (cx.policy.repeats_writes) return writeRepeatably(cx, () => send({}));
  const { journal, ports } = cx;
  const { clock } = ports;
  let isFirst = true;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await callPatiently(cx, async () => {
        if (!isFirst) await reread?.();
        isFirst = false;
        journal.is_writing = true;
        await cx.save();
        const send_before_ms = clock.monotonic() + SEND_WINDOW_MS;
        return send({ send_before_ms, is_sent_once: reread !== undefined });
      });
      // Committed with the next write, or with the end of the step.
      delete journal.is_writing;
      markStale(cx, parts);
      return answer;
    } catch (cause) {
      if (!(cause instanceof MarketplaceError)) throw cause;
      if (cause.failure !== 'unknown') delete journal.is_writing;
      if (cause.failure === 'unknown') {
        await cx.pause(cx.settle_ms);
        delete journal.is_writing;
        markStale(cx, parts);
        const hasArrived = await isDone().catch((failed: unknown) => {
          throw failed instanceof MarketplaceError ? buildUnread(failed, cx) : failed;
        });
        if (hasArrived) {
          markStale(cx, parts);
          return undefined;
        }
      } else if (cause.failure !== 'unavailable') throw cause;
      if (attempt === ATTEMPTS) throw cause;
      await cx.pause(PAUSE_MS * attempt);
    }
  }
}

export function markStale({ stale }: Context, parts: readonly SnapshotPart[]): void {
  for (const part of parts) stale.add(part);
}

/** Keeps written parts, but only those that were read: a part that was not read may have more. */
export function keepKnown(cx: Context, parts: Partial<ListingSnapshot>): void {
  const known = Object.entries(parts).filter(([part]) => part in cx.fresh);
  cx.fresh = { ...cx.fresh, ...Object.fromEntries(known) };
}

/** The parts a write changes, plus photos of variations if there are any, since the write may remove them. */
export function withVariationImages({ fresh }: Context, parts: readonly SnapshotPart[]): SnapshotPart[] {
  return [...parts, ...(fresh.variation_images?.length ? ['variation_images' as const] : [])];
}

/** The refusal of a read is not the refusal of the write before it. */
function buildUnread(cause: MarketplaceError, { again }: Context): StepError {
  return new StepError(toCallFailed('read_after_write', cause, again), cause.status, { cause });
}
