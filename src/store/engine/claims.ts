import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { shiftTime, type Engine } from './engine.js';
import { padList } from './lengths.js';
import type { Tables } from '../schema.js';

/*
 * How a process claims a row; the same for jobs, polls, checks and deliveries: claimed_by names the process, claimed_until is
 * when the claim expires, and the fence rises with each claim. Writes are checked against the fence, so that a process that
 * slept past the end of its claim is refused even if it never noticed.
 */

type Claim = { claimed_by: string; claimed_until: string; fence: RawBuilder<number> };

/** The columns of a row that this process claims. */
export function toClaimed(
  { instance }: Pick<Engine<Tables>, 'instance'>,
  now: string,
  for_ms: number,
): Claim {
  return { claimed_by: instance, claimed_until: shiftTime(now, for_ms), fence: sql<number>`fence + 1` };
}

/** The columns of a row that no process has claimed. */
export const RELEASED = { claimed_by: null, claimed_until: null } as const;

/**
 * The condition that a row can be claimed: no process has claimed it, the claim has expired, or its owner is gone.
 * @param gone from `listGone`
 */
export function isFree(now: string, gone: readonly string[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`(claimed_until IS NULL OR ${hasEnded(now, gone)})`;
}

/** The condition that a claim has expired, or that its owner is gone. */
export function hasEnded(now: string, gone: readonly string[]): RawBuilder<SqlBool> {
  if (gone.length === 0) return sql<SqlBool>`claimed_until <= ${now}`;
  return sql<SqlBool>`(claimed_until <= ${now} OR claimed_by IN (${sql.join(padList(gone))}))`;
}

/** The owners of claims whose process is gone. */
export async function listGone(
  { isAlive }: Pick<Engine<Tables>, 'isAlive'>,
  owners: Iterable<string | null | undefined>,
): Promise<string[]> {
  const gone: string[] = [];
  for (const owner of new Set(owners)) if (owner && !(await isAlive(owner))) gone.push(owner);
  return gone;
}

/** When a shop is polled again. The pause counts from the last poll. */
type PollTimes = { next_at: string | null; looked_at: string | null };

/** 0 if a poll is due; also if the clock was set back to before the last one. */
export function getDueIn({ next_at, looked_at }: PollTimes, now: string): number {
  if (next_at === null || (looked_at !== null && looked_at > now)) return 0;
  return Math.max(0, Date.parse(next_at) - Date.parse(now));
}

/** The same as a condition. */
export function isDue(now: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(next_at IS NULL OR next_at <= ${now} OR looked_at > ${now})`;
}
