import { STEPS, type StepName } from './publish/progress.js';
import { CHANGE_STEPS, type ChangeStepName } from './update/run/progress.js';

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

/** A step of publishing, or of changing a live listing. */
export type WatchedStep = StepName | `change.${ChangeStepName}`;

/** A named place of the pipeline at which a crash test may end the process. */
export type ListingPoint = (typeof JOB_POINTS)[number] | `${WatchedStep}.${StepSide}`;

const WATCHED_STEPS: readonly WatchedStep[] = [
  ...STEPS,
  ...CHANGE_STEPS.map((step) => `change.${step}` as const),
];

/** Before and after every commit of the pipeline, and every call that a step makes. */
export const LISTING_POINTS: readonly ListingPoint[] = [
  ...JOB_POINTS,
  ...WATCHED_STEPS.flatMap((step) => STEP_SIDES.map((side) => `${step}.${side}` as const)),
];
