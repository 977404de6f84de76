import type { PublishPlan, ShopPlan } from '../plan.js';

/**
 * When the small writes that nothing but the last look waits for are made: evenly beside the images, so that a second's calls are
 * not used up at its begin, and the images, which come one after the other and take longest, do not wait for the next one.
 */
export type Turns = {
  /** Images will be sent; until then every turn has come. */
  begin(): void;
  /** The image at this position in the plan is on its way. */
  reach(image: number): void;
  /** No image comes any more, and every turn has come; after a cause, the writes that still wait end with it. */
  end(cause?: unknown): void;
  /** @param write position among the small writes: the attributes, then personalization */
  wait(write: number): Promise<void>;
};

/** The video and the inventory may take long themselves. They do not wait, but the time they take is not given to others. */
export function createTurns(plan: PublishPlan, shop_plan: ShopPlan): Turns {
  const at_once = plan.videos.length + (shop_plan.inventory ? 1 : 0) + (plan.variation_images ? 1 : 0);
  const last = at_once + plan.attributes.length + (plan.personalization ? 1 : 0) - 1;
  let reached = Infinity;
  let waiting: { image: number; resolve(): void; reject(cause: unknown): void }[] = [];

  function reach(image: number): void {
    reached = image;
    const coming = waiting;
    waiting = [];
    for (const waiter of coming) {
      if (waiter.image <= image) waiter.resolve();
      else waiting.push(waiter);
    }
  }

  return {
    begin() {
      reached = 0;
    },
    reach,
    end(cause) {
      if (cause !== undefined) for (const waiter of waiting.splice(0)) waiter.reject(cause);
      reach(Infinity);
    },
    async wait(write) {
      const image = last > 0 ? Math.round(((at_once + write) * (plan.images.length - 1)) / last) : 0;
      if (image <= reached) return;
      await new Promise<void>((resolve, reject) => waiting.push({ image, resolve, reject }));
    },
  };
}
