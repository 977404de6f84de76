import { createHash } from 'node:crypto';
import type { Schedule } from './schedule.js';

/** Every event of a world, in order. Two worlds with one seed have identical journals. */
export type Journal = {
  /** @param who a machine, a person, the marketplace or the network, in one word */
  note(who: string, what: string, details?: unknown): void;
  /** A line for readers, excluded from the hash. */
  remark(what: string): void;
  /** The SHA-256 of all noted lines. */
  hash(): string;
  /** For readers: the lines, if they were kept. */
  lines: readonly string[];
};

export function createJournal(schedule: Pick<Schedule, 'now'>, start_ms: number, isKept: boolean): Journal {
  const digest = createHash('sha256');
  const lines: string[] = [];
  return {
    lines,
    note(who, what, details) {
      const result =
        details === undefined ? '' : ` ${typeof details === 'string' ? details : JSON.stringify(details)}`;
      const line = `${toTime(schedule.now() - start_ms)} ${who.padEnd(12)} ${what}${result}`;
      digest.update(line).update('\n');
      if (isKept) lines.push(line);
    },
    remark(what) {
      if (isKept) lines.push(what);
    },
    hash: () => digest.copy().digest('hex'),
  };
}

/** Days, hours, minutes and seconds since the beginning. */
function toTime(passed_ms: number): string {
  const s = passed_ms / 1000;
  const rest = String(passed_ms % 1000).padStart(3, '0');
  return `${two(s / 86_400)}d ${two((s / 3600) % 24)}:${two((s / 60) % 60)}:${two(s % 60)}.${rest}`;
}

function two(value: number): string {
  return String(Math.floor(value)).padStart(2, '0');
}
