import type { Work } from '../../../../schemas/issues/failures.js';
import type { Warning } from '../../../../schemas/job.js';
import type { ChangeStepName, ShopProgress, StepFailure, StepName } from '../../ports/listing/progress.js';
import type { Target } from '../../ports/listing/target.js';
import type { Changing, Context, Publishing } from './context.js';

/**
 * The result of a step. `missing`: the listing lacks something an active listing must have, so publishing does not
 * activate it, and an update fails. `warnings` are for publishing.
 */
export type StepOutcome = { warnings?: Warning[]; missing?: Omit<StepFailure, 'step'> };

/** One kind of write, for all jobs that make it. A step with nothing to do is skipped. */
export type Step<Cx extends Context = Context> = {
  /**
   * Compares the target with the known parts of the listing. Publishing does not call it: there, each step that is
   * not done is open.
   */
  isOpen(cx: Cx): boolean;
  /** Checks whether media that an earlier run was sending have arrived. */
  resume?(cx: Cx): Promise<void>;
  run(cx: Cx): Promise<StepOutcome | void>;
};

/** A step of an update. */
export type ChangeStep = Step<Changing> & {
  name: ChangeStepName;
  /** Names the step in the message about a failed call. */
  work?: Work;
  /** Restores parts that other writes remove; runs even if one of them failed. */
  is_restoring?: true;
};

/** A step of publishing. Defaults of optional fields fit most steps. */
export type PublishStep = Omit<Step<Publishing>, 'isOpen'> & {
  name: StepName;
  /** Names the step in the message about a failed call. */
  work?: Work;
  needs: readonly StepName[];
  /** The step runs if the target has this part; if omitted, it always runs. */
  part?: keyof Target;
  /** Whether an earlier run did it; by default, `progress.done` decides. */
  isDone?(progress: ShopProgress): boolean;
  /** Runs again whenever another step of the plan ran. */
  is_repeated?: true;
  /** Does not run if an earlier step returned `missing`. */
  is_for_complete?: true;
  /**
   * For steps whose writes are only for drafts. The listing had these values before its activation; writing them
   * again would revert later sales and the seller's edits. Returns the request's fields that therefore stay
   * unchanged.
   */
  listFieldsLeft?(progress: ShopProgress): readonly string[];
  /** Whether there is anything to report about it; by default, always. */
  isReported?(progress: ShopProgress): boolean;
  /** The number of its reports and marketplace calls if everything succeeds; one each by default. */
  count?(target: Target): { reports: number; calls: number };
  /** Called if it is going to run, before any step does. */
  onPlanned?(publishing: Publishing): void;
  /**
   * Called when it has finished. @param cause an error that does not belong to the shop, in this step or another
   * one
   */
  onEnded?(publishing: Publishing, cause: unknown): void;
};

export function isStepDone(step: PublishStep, progress: ShopProgress): boolean {
  return step.isDone?.(progress) ?? progress.done.includes(step.name);
}
