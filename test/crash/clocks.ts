import type { Chance } from './chance.js';

/** Less than the five minutes by which a signed message may be off, in either direction. */
const FURTHEST_S = 240;
/** Ahead of every timestamp a wrong clock has written, so that everything planned by it is due. */
const AHEAD_S = 245;
const STEPS = 3;
const STEP_MS = 400;

/**
 * CLOCK_STEPS for a process whose clock is set back and ahead by minutes in its first second, and stays ahead
 * from then on.
 */
export function buildClockSteps(chance: Chance): { CLOCK_STEPS: string } {
  const steps = Array.from({ length: STEPS }, (_, step) => {
    const ahead_s = chance.below(2 * FURTHEST_S + 1) - FURTHEST_S;
    return `${step * STEP_MS}:${ahead_s}`;
  });
  return { CLOCK_STEPS: [...steps, `${STEPS * STEP_MS}:${AHEAD_S}`].join(',') };
}

/**
 * For a process to which every timestamp of another process is in the past, and for the last one, which has to
 * finish the work.
 */
export const AHEAD_CLOCK = { CLOCK_STEPS: `0:${AHEAD_S}` };
