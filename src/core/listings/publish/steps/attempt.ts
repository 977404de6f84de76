import { quoteAnswer, quoteName } from '../../../errors.js';
import { findFault } from '../../../faults.js';
import { MarketplaceError, type MediaFile } from '../../../ports/index.js';
import type { PlannedFile } from '../plan.js';
import { JobFailure, StepError, type Patience, type Publishing } from './step.js';

const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 500;
/** The longest that a shop waits for the marketplace's limits before its step fails. */
const MAX_RATE_WAIT_MS = 10 * 60 * 1000;

/**
 * Makes an idempotent call. Tries again when the marketplace did not answer, and waits when it asks for that. Throws the
 * MarketplaceError of a refusal.
 */
export async function callRepeatably<T>(patience: Patience, call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await callPatiently(patience, call);
    } catch (cause) {
      const isWorthAnother =
        cause instanceof MarketplaceError && (cause.failure === 'unknown' || cause.failure === 'unavailable');
      if (!isWorthAnother || attempt === ATTEMPTS) throw cause;
      await patience.pause(FIRST_PAUSE_MS * 2 ** (attempt - 1));
    }
  }
}

/** Makes a write as callRepeatably does. One that got no answer is noted, since it may be done after its own repeat. */
export function writeRepeatably<T>(
  publishing: Patience & Pick<Publishing, 'noteUnanswered'>,
  write: () => Promise<T>,
): Promise<T> {
  return callRepeatably(publishing, async () => {
    try {
      return await write();
    } catch (cause) {
      if (cause instanceof MarketplaceError && cause.failure === 'unknown') publishing.noteUnanswered();
      throw cause;
    }
  });
}

/** Sleeps until no write without an answer can be under way any more. False where none could. */
export async function waitUntilQuiet({
  quiet_at_ms,
  ports,
  pause,
}: Pick<Publishing, 'quiet_at_ms' | 'ports' | 'pause'>): Promise<boolean> {
  if (isQuiet({ quiet_at_ms, ports })) return false;
  await pause(quiet_at_ms - ports.clock.monotonic());
  return true;
}

/** Whether no write without an answer can be under way any more. */
export function isQuiet({ quiet_at_ms, ports }: Pick<Publishing, 'quiet_at_ms' | 'ports'>): boolean {
  return quiet_at_ms <= ports.clock.monotonic();
}

/** Waits out the marketplace's limits, which the client has waited for a while already. Nothing else is tried again. */
export async function callPatiently<T>(patience: Patience, call: () => Promise<T>): Promise<T> {
  let waited_ms = 0;
  for (;;) {
    patience.checkStop();
    try {
      return await call();
    } catch (cause) {
      if (!(cause instanceof MarketplaceError)) throw cause;
      // A process that stops turns its own calls away with this; the job makes them again at the next start.
      if (cause.failure === 'unavailable') patience.checkStop();
      if (cause.failure !== 'rate_limited') throw cause;
      const wait_ms = Math.max(1, cause.retry_after_seconds ?? 1) * 1000;
      waited_ms += wait_ms;
      if (waited_ms > MAX_RATE_WAIT_MS) throw cause;
      await patience.pause(wait_ms);
    }
  }
}

/**
 * Whether no call can be made for the shop for now: until it is connected again, or the marketplace's limits let calls through. The
 * shop fails then even where the call was for an optional part, which would be given up for good otherwise.
 */
export function isCutOff({ failure }: MarketplaceError): boolean {
  return ['reconnect', 'credentials', 'no_application', 'rate_limited'].includes(failure);
}

/** A MarketplaceError as the end of a step; anything else as it was. */
export function toStepError(cause: unknown, what: string): unknown {
  if (!(cause instanceof MarketplaceError)) return cause;
  return new StepError(`${what}: ${describeFailure(cause)}`, cause.status, { cause });
}

/** Why a call failed, for a person. @param again the operation that finishes the work */
export function describeFailure(error: MarketplaceError, again = 'listing_publish'): string {
  const fault = findFault(error);
  if (fault) return `${fault.message} ${fault.hint} ${again} finishes what is left`;
  const words = quoteAnswer(error);
  switch (error.failure) {
    case 'refused':
    case 'not_found':
      return `the marketplace answered ${error.status ?? 'nothing'}${error.is_ours ? `: ${words}` : ` ${words}`}`;
    case 'reconnect':
      return `the marketplace no longer accepts this shop's grant (${words}); connect the shop again, then call ${again}`;
    case 'rate_limited':
      return `the marketplace's limit is used up (${words}); call ${again} later to finish`;
    case 'credentials':
      return `the marketplace refused the key of the shop's application (${words}); ${KEY_REMEDY}, then call ${again}`;
    case 'no_application':
      return `there is no application to call the marketplace with (${error.message}); connect the shop again, then call ${again}`;
    case 'unavailable':
    case 'unknown':
      return error.status === null
        ? `the marketplace did not answer (${words}); call ${again} to finish`
        : `the marketplace has a fault of its own (it answered ${error.status} ${words}); call ${again} to finish`;
  }
}

const KEY_REMEDY =
  'see at etsy.com/developers/your-apps that it is approved, or connect the shop again with its keystring and shared secret';

/** A planned file, as it is sent. A stored file that has vanished fails the whole job, since it is not the shop's fault. */
export async function getFile(
  { ports }: { ports: Pick<Publishing['ports'], 'blobs'> },
  file: PlannedFile,
): Promise<MediaFile> {
  const open = () => ports.blobs.open(file.sha256);
  if (!(await open()))
    throw new JobFailure(`A stored file has vanished: ${quoteName(file.filename)}. Upload it again.`);
  const { size_bytes, filename, content_type } = file;
  return { open, size_bytes, filename, content_type };
}
