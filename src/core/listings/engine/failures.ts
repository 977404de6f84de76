import type { Fact } from '../../../../schemas/issue.js';
import type { Again, CallFailure, Work } from '../../../../schemas/issues/failures.js';
import { findFaultName } from '../../faults.js';
import { renderForProgram, writeText } from '../../issues/render.js';
import { ClaimLostError, MarketplaceError, StoreUnavailableError } from '../../ports/index.js';

/** The shop's listing cannot reach the requested state; the shop's result says why. */
export class StepError extends Error {
  override readonly name = 'StepError';
  readonly fact: Fact;
  readonly marketplace_status: number | null;

  constructor(fact: Fact, marketplace_status: number | null, options: { cause?: unknown } = {}) {
    super(writeText(renderForProgram(fact)), options);
    this.fact = fact;
    this.marketplace_status = marketplace_status;
  }
}

/** An error that is not a shop's (such as a lost file): the whole job fails. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure';
  readonly fact: Fact;

  constructor(fact: Fact) {
    super(writeText(renderForProgram(fact)));
    this.fact = fact;
  }
}

/** The process is stopping; the job resumes at the next start. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
}

/** Errors after which the job resumes later or in another process, so that there is no result yet. */
export function isTransient(cause: unknown): boolean {
  const isOurs = cause instanceof StoppedError || cause instanceof ClaimLostError;
  return isOurs || cause instanceof StoreUnavailableError;
}

/** @param again the call that finishes the rest */
export function toJobFailure(cause: unknown, again = PUBLISH): Fact {
  if (cause instanceof JobFailure) return cause.fact;
  return { code: 'service_failed', params: { fault: findFaultName(cause), again } };
}

/**
 * The failure of a shop in a step; undefined for an error of the service. @param work that of the step, for a
 * failed call
 */
export function toShopFailure<Step>(step: Step, cause: unknown, work: Work, again?: Again) {
  const failed = toStepError(cause, work, again);
  if (!(failed instanceof StepError)) return undefined;
  return { step, error: failed.fact, marketplace_status: failed.marketplace_status };
}

/**
 * Whether no call can be made for the shop for now: until it is connected again, or the marketplace's limits allow
 * calls. The shop then fails even if the call was for an optional part, which would otherwise be given up for good.
 */
export function isCutOff({ failure }: MarketplaceError): boolean {
  return ['reconnect', 'credentials', 'no_application', 'rate_limited'].includes(failure);
}

/** A MarketplaceError as a StepError; any other error unchanged. */
export function toStepError(cause: unknown, work: Work, again?: Again): unknown {
  if (!(cause instanceof MarketplaceError)) return cause;
  return new StepError(toCallFailed(work, cause, again), cause.status, { cause });
}

export const PUBLISH: Again = { operation: 'listing_publish' };
/** For a step that counts as done nevertheless. */
export const UPDATE: Again = { operation: 'listing_update' };

export function toCallFailed(work: Work, error: MarketplaceError, again = PUBLISH): Fact {
  return { code: 'call_failed', params: { work, why: toCallFailure(error), again } };
}

export function toFileNotSent(filename: string, error: MarketplaceError, again = PUBLISH): Fact {
  return { code: 'file_not_sent', params: { filename, why: toCallFailure(error), again } };
}

export function toPhotoNotSent(index: number, error: MarketplaceError, again = PUBLISH): Fact {
  return { code: 'photo_not_sent', params: { index, why: toCallFailure(error), again } };
}

export function toCallFailure(error: MarketplaceError): CallFailure {
  const fault = findFaultName(error);
  if (fault) return { fault };
  const { status, message: words, is_ours } = error;
  return { failure: FAILURES[error.failure], status, words, is_ours };
}

const FAILURES = {
  refused: 'refused',
  not_found: 'refused',
  reconnect: 'reconnect',
  rate_limited: 'rate_limited',
  credentials: 'credentials',
  no_application: 'no_application',
  unavailable: 'unanswered',
  unknown: 'unanswered',
} as const;
