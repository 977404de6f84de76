import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/*
 * Every chunk of a body is a buffer of its own outside of V8's heap. V8 frees those that are done with when it collects its
 * young generation, and lets 32 MiB of them pile up before it does (twice the largest semi-space): more than a large upload
 * may cost. Collecting it more often while bytes stream in takes about a millisecond each time.
 */

const COLLECTED_AFTER_BYTES = 4 * 1024 * 1024;

let received_bytes = 0;
let collect: (() => void) | undefined;

/** Counts bytes that have been dealt with, of all streams of the process together, and lets V8 free them now and then. */
export function countReceived(size_bytes: number): void {
  received_bytes += size_bytes;
  if (received_bytes < COLLECTED_AFTER_BYTES) return;
  received_bytes = 0;
  collect ??= findCollect();
  collect();
}

/** Contexts that are made after the flag is set have `gc`; this process's own, made before, stays without. */
function findCollect(): () => void {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('globalThis.gc');
  setFlagsFromString('--no-expose-gc');
  return typeof gc === 'function' ? () => void gc({ type: 'minor' }) : () => undefined;
}
