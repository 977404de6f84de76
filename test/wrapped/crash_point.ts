import type { Watch } from './ports.js';

/**
 * A call of a port, and the side of it at which a test ends something: `before marketplace.uploadImage`,
 * `after store.listings.savePublication:3` for the third one, `after
 * store.listings.saveJobPart("ended":"ok")` for one with this JSON in its arguments,
 * `marketplace.updateListing > after store.listings.saveJobPart` for the first one after the other call was
 * made.
 */
export type CrashPoint = string;

const CALL = /^(?:(before|after) )?([\w.]+)(?:\((.*)\))?(?::([1-9]\d*))?$/;

/** Whether a call has reached the point; true from the n-th time on. */
export function createFinder(point: CrashPoint): (...seen: Parameters<Watch>) => boolean {
  const marks = point.split(' > ').map((part) => {
    const [, side, call, text, times = '1'] = CALL.exec(part) ?? [];
    if (call === undefined) throw new Error(`${point} is no point`);
    return { side: side ?? 'before', call, text, left: Number(times) };
  });
  return (...seen) => {
    for (;;) {
      const [mark] = marks;
      if (!mark || !isAt(mark, seen)) return false;
      mark.left -= 1;
      if (mark.left > 0) return false;
      if (marks.length === 1) return true;
      marks.shift();
    }
  };
}

function isAt(
  { side, call, text }: { side: string; call: string; text: string | undefined },
  [seen_side, seen_call, args]: Parameters<Watch>,
): boolean {
  if (seen_side !== side || seen_call !== call) return false;
  return text === undefined || JSON.stringify(args).includes(text);
}

/** Calls of a job on a listing; background reads and clock calls happen at any time. */
export const OF_A_JOB =
  /^marketplace\.(?!list(Receipts|ListingsById|InventoriesById)|getDayLimit|getCategory)|^store\.listings\.(create(Listing|Job)|claimJob|save(Publication|JobPart)|finishJob)$/;
/** The state before one of these is the same as after the previous one, so every second one is enough. */
const COMMITS = /\.save(Publication|JobPart)$/;

/**
 * Places where a recorded job may crash: before and after the first and the last call of each function, and
 * between any two commits. @param runs calls in the order in which they were made; calls that only some of
 * the runs have are left out
 */
export function chooseCrashPoints(...runs: readonly (readonly string[])[]): CrashPoint[] {
  const [first = []] = runs;
  return [...new Set(first)]
    .filter((call) => OF_A_JOB.test(call))
    .flatMap((call) => {
      const count = Math.min(...runs.map((calls) => calls.filter((made) => made === call).length));
      const numbers = Array.from({ length: count }, (_, index) => index + 1).filter((number) =>
        COMMITS.test(call) ? number % 2 === 1 : number === 1 || number === count,
      );
      return numbers.map((number) => (number === 1 ? call : `${call}:${number}`));
    })
    .flatMap((call) => [`before ${call}`, `after ${call}`]);
}
