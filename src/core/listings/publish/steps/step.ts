import type { Warning } from '../../../../../schemas/job.js';
import type {
  Blobs,
  Clock,
  Inventory,
  Log,
  Marketplace,
  MarketplaceListing,
  Media,
  SavedPublication,
  ShopRef,
  Store,
} from '../../../ports/index.js';
import type { PublishPlan, ShopPlan } from '../plan.js';
import type { ListingPoint } from '../../points.js';
import type { ShopProgress, StepFailure, StepName } from '../progress.js';
import type { ListingSnapshot } from '../../snapshot/snapshot.js';
import type { WriteSchedule } from './write_schedule.js';

/** One listing in one shop, on its way. Steps read the plan, write to `progress` and `listing_id`, and save. */
export type Publishing = {
  readonly job_id: string;
  readonly listing_pk: number;
  /** When the restored backup was made that the listing is from: changes after that are known to the marketplace alone. */
  readonly backed_up_at: string | undefined;
  /** When this service started, in milliseconds of monotonic time. */
  readonly started_ms: number;
  readonly shop: ShopRef;
  readonly plan: PublishPlan;
  readonly shop_plan: ShopPlan;
  readonly progress: ShopProgress;
  /** The marketplace's id, once it has one. */
  listing_id: number | null;
  /** Whether this run created it and got the answer: then it has no media that `progress` does not know of. */
  is_new: boolean;
  /** From when on no write without an answer, of this run or the one before, can be under way, in milliseconds of monotonic time. */
  quiet_at_ms: number;
  /** The listing as it was last read in this run. */
  fresh: MarketplaceListing | undefined;
  /** When `fresh` was asked for, in milliseconds of monotonic time. */
  fresh_asked_ms: number;
  /** The last sighting, once no more writes follow. */
  sighting: SavedPublication['sighting'];
  /** The parts of the listing that the marketplace answered in this run: the base to recognise later edits by hand against. */
  told: Partial<ListingSnapshot>;
  /** The inventory with the shop's own value ids; read in this run. */
  inventory: Inventory | undefined;
  readonly ports: {
    marketplace: Marketplace;
    media: Media;
    blobs: Blobs;
    store: Store;
    clock: Clock;
    log: Log;
  };
  readonly settle_ms: number;
  /** How long what an earlier run was writing may take to come and show, from the beginning of this one. */
  readonly remains_ms: number;
  readonly schedule: WriteSchedule;
  /** Notes that a write got no answer: it may come yet, and show later. */
  noteUnanswered(): void;
  /** Commits progress and listing_id. Throws ClaimLostError when another process has taken over. */
  save(): Promise<void>;
  /** Reports finished work; counts as one unit of progress. */
  report(message: string): void;
  /** Throws when the process is about to stop: called where stopping loses nothing. */
  checkStop(): void;
  /** Sleeps, and throws StoppedError as soon as the process is about to stop: called where stopping loses nothing. */
  pause(duration_ms: number): Promise<void>;
  /** Set in crash tests alone. */
  readonly reach: ((point: ListingPoint) => void) | undefined;
};

/** The inputs for waiting and calling again. */
export type Patience = Pick<Publishing, 'checkStop' | 'pause'>;

/** The result of a step. `missing`: the listing lacks something that a live listing must have, so it is not activated. */
export type StepOutcome = { warnings?: Warning[]; missing?: Omit<StepFailure, 'step'> };

/** A step of the pipeline. Optional fields have the default that fits most steps. */
export type Step = {
  name: StepName;
  needs: readonly StepName[];
  /** Whether this plan asks for it at all. */
  isNeeded(plan: PublishPlan, shop_plan: ShopPlan): boolean;
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
  /** How often it reports, if all goes well; else once. */
  countReports?(plan: PublishPlan): number;
  /** How many calls of the marketplace it makes, if all goes well; else one. */
  countCalls?(plan: PublishPlan): number;
  /** Called where it is going to run, before any step does. */
  onPlanned?(publishing: Publishing): void;
  run(publishing: Publishing): Promise<StepOutcome>;
  /** Called when it has ended. @param cause an error that is not the shop's, in this step or another one */
  onEnded?(publishing: Publishing, cause: unknown): void;
};

export function isStepDone(step: Step, progress: ShopProgress): boolean {
  return step.isDone?.(progress) ?? progress.done.includes(step.name);
}

/** The shop's listing cannot become what was asked; the shop's result says why. */
export class StepError extends Error {
  override readonly name = 'StepError';
  readonly marketplace_status: number | null;

  constructor(message: string, marketplace_status: number | null, options: { cause?: unknown } = {}) {
    super(message, options);
    this.marketplace_status = marketplace_status;
  }
}

/** An error that is not a shop's (such as a lost file): the whole job fails. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure';
}

/** The process stops; the job goes on at the next start. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
}

export function getListingId(publishing: Publishing): number {
  if (publishing.listing_id === null) throw new Error('this step needs the listing to exist');
  return publishing.listing_id;
}
