import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../core/errors.js';

/**
 * Limits the memory for all request bodies in flight: each is within its own limit, but many at once would
 * take too much.
 */
export type BodyBudget = {
  /** The share of one sender: at most half of the budget, so that a slow sender cannot keep the others out. */
  getShare(sender: string): BodyShare;
  getTaken(): number;
};

type BodyShare = {
  /** Reserves memory for a body. Returns the refusal, and reserves nothing, if too little is left. */
  take(size_bytes: number): ServiceError | undefined;
  give(size_bytes: number): void;
};

const SHARE = Symbol('share of the body budget');

/** After this time, most of the bodies have arrived or were cut off. */
const RETRY_AFTER_SECONDS = 2;

const MOST_BYTES = 128_000_000;

export function createBodyBudget(most_bytes = MOST_BYTES): BodyBudget {
  const taken_by_sender = new Map<string, number>();
  let taken_bytes = 0;

  function add(sender: string, size_bytes: number): void {
    taken_bytes += size_bytes;
    const taken = (taken_by_sender.get(sender) ?? 0) + size_bytes;
    if (taken > 0) taken_by_sender.set(sender, taken);
    else taken_by_sender.delete(sender);
  }

  return {
    getShare: (sender) => ({
      take(size_bytes) {
        const own_bytes = (taken_by_sender.get(sender) ?? 0) + size_bytes;
        if (taken_bytes + size_bytes > most_bytes || own_bytes > most_bytes / 2) {
          return new ServiceError(
            'RATE_LIMIT_SECOND',
            { code: 'bodies_too_many', params: {} },
            { retry_after_seconds: RETRY_AFTER_SECONDS },
          );
        }
        add(sender, size_bytes);
        return undefined;
      },
      give: (size_bytes) => add(sender, -size_bytes),
    }),
    getTaken: () => taken_bytes,
  };
}

type BudgetedRequest = IncomingMessage & { [SHARE]?: BodyShare };

/** Sets the budget that a request's body is counted in when it is read. */
export function setShare(request: BudgetedRequest, share: BodyShare): void {
  request[SHARE] = share;
}

export function getShare(request: BudgetedRequest): BodyShare | undefined {
  return request[SHARE];
}
