import type { PlannedFile } from '../../ports/listing/target.js';
import { MarketplaceError, type MediaFile } from '../../ports/index.js';
import type { Context, Patience } from './context.js';
import { JobFailure } from './failures.js';

const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 500;
/** The longest a shop waits for the marketplace's limits before its step fails. */
const MAX_RATE_WAIT_MS = 10 * 60 * 1000;

/**
 * Makes an idempotent call. Retries if the marketplace does not respond, and waits if it asks for that. Throws the
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

/**
 * Makes a write like callRepeatably. Notes a write without a response, since it may take effect after its own
 * repeat.
 */
export function writeRepeatably<T>(
  cx: Patience & Pick<Context, 'noteUnanswered'>,
  write: () => Promise<T>,
): Promise<T> {
  return callRepeatably(cx, async () => {
    try {
      return await write();
    } catch (cause) {
      if (cause instanceof MarketplaceError && cause.failure === 'unknown') cx.noteUnanswered();
      throw cause;
    }
  });
}

/** Sleeps until no write without a response can be in flight. Returns false if none could. */
export async function waitUntilSettled({
  settled_at_ms,
  ports,
  pause,
}: Pick<Context, 'settled_at_ms' | 'ports' | 'pause'>): Promise<boolean> {
  if (isSettled({ settled_at_ms, ports })) return false;
  await pause(settled_at_ms - ports.clock.monotonic());
  return true;
}

/** Whether no write without a response can be in flight. */
export function isSettled({ settled_at_ms, ports }: Pick<Context, 'settled_at_ms' | 'ports'>): boolean {
  return settled_at_ms <= ports.clock.monotonic();
}

/** Waits out the marketplace's limits, after the client has already waited for a while. Retries nothing else. */
export async function callPatiently<T>(patience: Patience, call: () => Promise<T>): Promise<T> {
  let waited_ms = 0;
  for (;;) {
    patience.checkStop();
    try {
      return await call();
    } catch (cause) {
      if (!(cause instanceof MarketplaceError)) throw cause;
      // A stopping process rejects its own calls with this; the job repeats them at the next start.
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
 * A planned file, ready to send. A stored file that has vanished fails the whole job, since it is not the shop's
 * fault.
 */
export async function getFile(
  { ports }: { ports: Pick<Context['ports'], 'blobs'> },
  file: PlannedFile,
): Promise<MediaFile> {
  const open = () => ports.blobs.open(file.sha256);
  if (!(await open()))
    throw new JobFailure({ code: 'stored_file_gone', params: { filename: file.filename } });
  const { size_bytes, filename, content_type } = file;
  return { open, size_bytes, filename, content_type };
}
