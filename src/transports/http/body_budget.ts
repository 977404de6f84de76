import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../core/errors.js';

/** The memory that bodies may take together while they arrive: each is small enough, and many at once are not. */
export type BodyBudget = {
  /** The refusal when there is not so much left; nothing is taken then. */
  take(size_bytes: number): ServiceError | undefined;
  give(size_bytes: number): void;
  getTaken(): number;
};

const BUDGET = Symbol('body budget');

/** A second or two later most of them have arrived, or were cut off. */
const RETRY_AFTER_SECONDS = 2;

const MOST_BYTES = 128_000_000;

export function createBodyBudget(most_bytes = MOST_BYTES): BodyBudget {
  let taken_bytes = 0;
  return {
    take(size_bytes) {
      if (taken_bytes + size_bytes > most_bytes) {
        return new ServiceError('RATE_LIMIT_SECOND', 'The service is reading as much as it may at a time.', {
          retry_after_seconds: RETRY_AFTER_SECONDS,
        });
      }
      taken_bytes += size_bytes;
      return undefined;
    },
    give(size_bytes) {
      taken_bytes -= size_bytes;
    },
    getTaken: () => taken_bytes,
  };
}

export type BudgetedRequest = IncomingMessage & { [BUDGET]?: BodyBudget };

/** What its body is counted in, when it is read. */
export function setBudget(request: BudgetedRequest, budget: BodyBudget): void {
  request[BUDGET] = budget;
}

export function getBudget(request: BudgetedRequest): BodyBudget | undefined {
  return request[BUDGET];
}
