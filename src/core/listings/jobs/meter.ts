import type { Progress } from '../../operations/call.js';
import { PIPELINE } from '../publish/steps/index.js';
import type { Step } from '../publish/steps/step.js';
import { toPlanOf, type PublishPlan, type ShopPlan } from '../publish/plan.js';

/** Counts the steps that a job has done, for the progress that callers see. */
export type Meter = {
  setTotal(plan: PublishPlan): void;
  /** For a job that counts one unit for each part. */
  setParts(parts: number): void;
  /** Adds units that were not known before. */
  raise(units: number): void;
  advance(message: string): void;
  /** Undefined before the first step. */
  findLast(): Progress | undefined;
  /** @returns how to stop listening */
  listen(onProgress: (progress: Progress) => void): () => void;
};

export function createMeter(): Meter {
  const listeners = new Set<(progress: Progress) => void>();
  let done = 0;
  let total = 1;
  let last: Progress | undefined;
  return {
    setTotal(plan) {
      total = plan.shops.reduce((all, shop) => all + countUnits(plan, shop), 0);
    },
    setParts(parts) {
      total = parts;
    },
    raise(units) {
      total += units;
    },
    advance(message) {
      done += 1;
      const progress = { done: Math.min(done, total), total, message };
      last = progress;
      for (const listener of listeners) listener(progress);
    },
    findLast: () => last,
    listen(onProgress) {
      listeners.add(onProgress);
      return () => listeners.delete(onProgress);
    },
  };
}

/** One unit for each report of each step. */
function countUnits(plan: PublishPlan, shop: ShopPlan): number {
  const own = toPlanOf(plan, shop);
  return sum(own, shop, (step) => step.countReports?.(own) ?? 1);
}

/** Marketplace calls that a plan will make in one shop if all goes well. */
export function countCalls(plan: PublishPlan, shop: ShopPlan): number {
  const own = toPlanOf(plan, shop);
  return sum(own, shop, (step) => step.countCalls?.(own) ?? 1);
}

function sum(plan: PublishPlan, shop: ShopPlan, count: (step: Step) => number): number {
  return PIPELINE.filter((step) => step.isNeeded(plan, shop)).reduce((all, step) => all + count(step), 0);
}
