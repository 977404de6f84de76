import { STEPS, type StepName } from './progress.js';

const JOB_POINTS = [
  'job.before_create',
  'job.created',
  'job.before_claim',
  'job.claimed',
  'shop.before_commit',
  'shop.after_commit',
  'job.before_finish',
  'job.finished',
] as const;
const STEP_SIDES = ['before_call', 'after_call', 'before_commit', 'after_commit'] as const;

export type StepSide = (typeof STEP_SIDES)[number];

/** A named place of the pipeline at which a crash test may end the process. */
export type ListingPoint = (typeof JOB_POINTS)[number] | `${StepName}.${StepSide}`;

/** Before and after every commit of the pipeline, and every call that a step makes. */
export const LISTING_POINTS: readonly ListingPoint[] = [
  ...JOB_POINTS,
  ...STEPS.flatMap((step) => STEP_SIDES.map((side) => `${step}.${side}` as const)),
];
