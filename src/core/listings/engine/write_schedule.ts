import type { Target } from '../../ports/listing/target.js';

/**
 * When the small writes (attributes, personalization) are sent: spread evenly alongside the images, since only the
 * last step waits for them. Sent at once, they would use up the calls of a second. The images, which are sent one
 * after the other and take longest, would wait for the next second.
 */
export type WriteSchedule = {
  /** Images will be sent; before this call, no write waits. */
  begin(): void;
  /** The image at this position in the target is being sent. */
  reach(image: number): void;
  /**
   * No more images will be sent, and no write waits any longer. With a cause, the waiting writes reject with it.
   */
  end(cause?: unknown): void;
  /**
   * Resolves when the write may be sent. @param write position among the small writes: attributes, then
   * personalization
   */
  wait(write: number): Promise<void>;
};

/**
 * Videos, inventory and variation images do not wait, as they may take long themselves; each gets a share of the
 * time the images take.
 */
export function createWriteSchedule(target: Target): WriteSchedule {
  const { images = [], videos = [], attributes = [], inventory, variation_images, questions } = target;
  const at_once = videos.length + (inventory ? 1 : 0) + (variation_images ? 1 : 0);
  const last = at_once + attributes.length + (questions ? 1 : 0) - 1;
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
      const image = last > 0 ? Math.round(((at_once + write) * (images.length - 1)) / last) : 0;
      if (image <= reached) return;
      await new Promise<void>((resolve, reject) => waiting.push({ image, resolve, reject }));
    },
  };
}
