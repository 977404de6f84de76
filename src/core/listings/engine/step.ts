import type { Work } from '../../../../schemas/issues/failures.js';
import type { Warning } from '../../../../schemas/job.js';
import type { PublicationProgress, StepFailure, StepName } from '../../ports/listing/progress.js';
import type { Target } from '../../ports/listing/target.js';
import type { Context } from './context.js';

/**
 * The result of a step. `missing`: the listing lacks something an active listing must have, so publishing does not
 * activate it, and a change fails. `warnings` are for publishing.
 */
export type StepOutcome = { warnings?: Warning[]; missing?: Omit<StepFailure, 'step'> };

/** One kind of write, for all jobs that make it. */
export type Write = {
  /**
   * Compares the target with the known parts of the listing. Not called when publishing, which runs each step that is
   * not done.
   */
  isOpen(cx: Context): boolean;
  /** Checks whether media that an earlier run was sending have arrived. */
  resume?(cx: Context): Promise<void>;
  run(cx: Context): Promise<StepOutcome | void>;
};

/** A row of a table of steps. Defaults of optional members fit most steps. */
export type Step = Pick<Write, 'run' | 'resume'> & {
  name: StepName;
  /** Names the step in the message about a failed call. */
  work?: Work;
  /** For changes; if omitted, the step always runs. */
  isOpen?(cx: Context): boolean;
  /** Restores parts that other writes remove; runs even if one of them failed. */
  is_restoring?: true;
  /** For publishing: starts once these are done. Steps of changes run one after the other. */
  needs?: readonly StepName[];
  /** For publishing: the step runs if the target has this part; if omitted, it always runs. */
  part?: keyof Target;
  /** For publishing: whether an earlier run did it; by default, `done` decides. */
  isDone?(progress: PublicationProgress): boolean;
  /** Runs again whenever another step of the plan ran. */
  is_repeated?: true;
  /** Does not run if an earlier step returned `missing`. */
  is_for_complete?: true;
  /**
   * For steps of publishing whose writes are only for drafts. The listing had these values before its activation;
   * writing them again would revert later sales and the seller's edits. Returns the request's fields that therefore
   * stay unchanged.
   */
  listFieldsLeft?(progress: PublicationProgress): readonly string[];
  /** Whether the listing's history shows this step; by default, always. */
  isReported?(progress: PublicationProgress): boolean;
  /** The number of its reports and marketplace calls if everything succeeds; one each by default. */
  count?(target: Target): { reports: number; calls: number };
};

export function isStepDone(step: Step, progress: PublicationProgress): boolean {
  return step.isDone?.(progress) ?? progress.done.includes(step.name);
}
