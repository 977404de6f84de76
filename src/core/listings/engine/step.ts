import type { Work } from '../../../../schemas/issues/failures.js';
import type { Warning } from '../../../../schemas/job.js';
import type { ChangeStepName, ShopProgress, StepFailure, StepName } from '../../ports/listing/progress.js';
import type { Target } from '../../ports/listing/target.js';
import type { Changing, Context, Publishing } from './context.js';

/**
 * The result of a step. `missing`: the listing lacks something that a live listing must have, so publishing does not activate it, and a
 * change fails. `warnings` are for publishing.
 */
export type StepOutcome = { warnings?: Warning[]; missing?: Omit<StepFailure, 'step'> };

/** One kind of write, whichever jobs make it. A step that has nothing to do is left out. */
export type Step<Cx extends Context = Context> = {
  /** Compares the target with the known parts of the listing. Publishing does not call it: a step that is not done is open. */
  isOpen(cx: Cx): boolean;
  /** Finds out whether media that an earlier run was sending have arrived. */
  resume?(cx: Cx): Promise<void>;
  run(cx: Cx): Promise<StepOutcome | void>;
};

/** A step of a change. */
export type ChangeStep = Step<Changing> & {
  name: ChangeStepName;
  /** Names the step in the message about a call that failed. */
  work?: Work;
  /** Restores what other writes remove; runs also when one of them failed. */
  is_restoring?: true;
};

/** A step of publishing. Optional fields have the default that fits most steps. */
export type PublishStep = Omit<Step<Publishing>, 'isOpen'> & {
  name: StepName;
  /** Names the step in the message about a call that failed. */
  work?: Work;
  needs: readonly StepName[];
  /** The step runs if the target has this part; if left out, it always runs. */
  part?: keyof Target;
  /** Whether an earlier run has done it; else that is what `progress.done` says. */
  isDone?(progress: ShopProgress): boolean;
  /** Runs again whenever another step of the plan ran. */
  is_repeated?: true;
  /** Does not run where a step before it answered `missing`. */
  is_for_complete?: true;
  /**
   * For steps whose writes are for drafts: a listing had them before it went live, and written again they would take back what was
   * sold since, and what the seller has changed. Answers the request's fields that are then left as they are.
   */
  listLeft?(progress: ShopProgress): readonly string[];
  /** Whether there is anything to tell of it; else always. */
  isTold?(progress: ShopProgress): boolean;
  /** How often it reports, and how many calls of the marketplace it makes, if all goes well; one each by default. */
  count?(target: Target): { reports: number; calls: number };
  /** Called where it is going to run, before any step does. */
  onPlanned?(publishing: Publishing): void;
  /** Called when it has ended. @param cause an error that is not the shop's, in this step or another one */
  onEnded?(publishing: Publishing, cause: unknown): void;
};

export function isStepDone(step: PublishStep, progress: ShopProgress): boolean {
  return step.isDone?.(progress) ?? progress.done.includes(step.name);
}
