import fc from 'fast-check';

/** From one moment of a process on, its clock is so far ahead, or behind where it is negative. */
export type ClockStep = { after_ms: number; ahead_s: number };

/** What happens to the computer of the service while jobs run. */
export type ModelTroubles = {
  /** Of each life of the service. */
  clocks: [ClockStep[], ClockStep[], ClockStep[]];
  full_disk: { after_ms: number; lasts_ms: number } | null;
  lock: { after_ms: number } | null;
  /** The whole process stands still. */
  sleep: { after_ms: number; lasts_ms: number } | null;
  /** Then a copy is made, and the next life of the service begins on it. */
  backup: { after_ms: number } | null;
};

const SOON_MS = 1_500;
const FURTHEST_S = 900;

const soon = fc.integer({ min: 0, max: SOON_MS });
const clock: fc.Arbitrary<ClockStep[]> = fc
  .array(fc.record({ after_ms: soon, ahead_s: fc.integer({ min: -FURTHEST_S, max: FURTHEST_S }) }), {
    maxLength: 4,
  })
  .map((steps) => steps.sort((a, b) => a.after_ms - b.after_ms));

/** One of so many histories has it. */
function oneOf<Trouble>(histories: number, trouble: fc.Arbitrary<Trouble>): fc.Arbitrary<Trouble | null> {
  return fc.oneof({ weight: histories - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: trouble });
}

export const troubles: fc.Arbitrary<ModelTroubles> = fc.record({
  clocks: fc.tuple(clock, clock, clock),
  full_disk: oneOf(4, fc.record({ after_ms: soon, lasts_ms: fc.integer({ min: 500, max: 3_000 }) })),
  lock: oneOf(12, fc.record({ after_ms: soon })),
  sleep: oneOf(4, fc.record({ after_ms: soon, lasts_ms: fc.integer({ min: 600, max: 1_500 }) })),
  backup: oneOf(3, fc.record({ after_ms: soon })),
});
