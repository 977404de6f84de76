import type { Progress } from '../operation.js';
import { PIPELINE } from './steps/index.js';
import type { PublishPlan, ShopPlan } from './plan.js';

/** Counts what a job has done, for those who wait. */
export type Meter = {
  setTotal(plan: PublishPlan): void;
  advance(message: string): void;
  /** @returns how to stop listening */
  listen(onProgress: (progress: Progress) => void): () => void;
};

export function createMeter(): Meter {
  const listeners = new Set<(progress: Progress) => void>();
  let done = 0;
  let total = 1;
  return {
    setTotal(plan) {
      total = plan.shops.reduce((sum, shop) => sum + countUnits(plan, shop), 0);
    },
    advance(message) {
      done += 1;
      const progress = { done: Math.min(done, total), total, message };
      for (const listener of listeners) listener(progress);
    },
    listen(onProgress) {
      listeners.add(onProgress);
      return () => listeners.delete(onProgress);
    },
  };
}

/** One unit for each report of each step; a step that repeats counts every image, file and attribute. */
function countUnits(plan: PublishPlan, shop: ShopPlan): number {
  const units: Partial<Record<string, number>> = {
    images: plan.images.length,
    files: plan.files.length,
    attributes: plan.attributes.length,
    recover: 0,
  };
  return PIPELINE.filter((step) => step.isNeeded(plan, shop)).reduce(
    (sum, { name }) => sum + (units[name] ?? 1),
    0,
  );
}

/** Marketplace calls that a plan will make in one shop if all goes well. */
export function countCalls(plan: PublishPlan, shop: ShopPlan): number {
  const calls: Partial<Record<string, number>> = {
    images: plan.images.length,
    files: plan.files.length,
    attributes: plan.attributes.length,
    // Read the inventory, then write.
    variation_images: 2,
    recover: 0,
    // The listing with its images and videos; what is not in that answer has a list of its own.
    verify: 1 + (plan.files.length > 0 ? 1 : 0) + (plan.variation_images ? 1 : 0),
  };
  return PIPELINE.filter((step) => step.isNeeded(plan, shop)).reduce(
    (sum, { name }) => sum + (calls[name] ?? 1),
    0,
  );
}
