import type { Fact } from '../../../../schemas/issue.js';
import { renderForProgram, writeText } from '../../issues/render.js';

/** The shop's listing cannot become what was asked; the shop's result says why. */
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

/** The process stops; the job goes on at the next start. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
}
