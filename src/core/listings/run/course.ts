import type { Work } from '../../../../schemas/issues/failures.js';
import type { StepFailure, StepName } from '../../ports/listing/progress.js';
import type { Context } from '../engine/context.js';
import type { Step, StepOutcome } from '../engine/step.js';

/** How one shop's listing gets from where it is to the target. */
export type Course = {
  /** The step to name in the failure if an error occurs outside every step. */
  fallback_step: StepName;
  /** Finds out where the listing is. Returns the steps that may be needed, in order; undefined if nothing is left to run. */
  begin(cx: Context, run: ShopRun): Promise<readonly Step[] | undefined>;
  /** Runs one step. */
  runStep(cx: Context, step: Step): Promise<StepOutcome | void>;
  /** Records a step that was done. */
  note(cx: Context, step: Step, outcome: StepOutcome): void;
  /** Called once no step is running. */
  finish(cx: Context, run: ShopRun): Promise<void>;
  /** Names a failed call of the step. */
  findWork(cx: Context, step: FailingStep): Work;
};

export type FailingStep = Pick<Step, 'name' | 'work'>;

/** One run of one shop. */
export type ShopRun = {
  /** An error that is not the shop's: of the job, of the service, or one after which the job resumes. */
  thrown: { cause: unknown } | undefined;
  /** The first part that an active listing must have, and this one lacks. */
  missing: StepFailure | undefined;
  /** Runs a part of the work. A failure of the shop goes into the journal, any other error into `thrown`. */
  attempt(step: FailingStep, work: () => Promise<boolean | void>): Promise<boolean>;
  isOver(): boolean;
};
