import type { Ports } from '../../ports/index.js';
import { isPassing, publishShop } from './publish_shop.js';
import { toAgedSighting } from '../observed/sighting.js';
import type { Publishing } from './steps/step.js';

/** `unsaved`: shops whose end is not saved yet. `thrown`: an error that is not a shop's, as publishShop throws it. */
type ShopsEnd = { unsaved: readonly Publishing[]; thrown: readonly unknown[] };

/**
 * Publishes in all shops of a job at the same time. Each shop is saved when it ends, but the last one is saved in one commit with the
 * end of the job, as is one that could not be saved.
 * @param saveEnd saves a shop, with what the marketplace has answered of it
 */
export async function publishShops(
  job_id: string,
  shops: readonly Publishing[],
  { log, reachPoint }: Pick<Ports, 'log' | 'reachPoint'>,
  saveEnd: (publishing: Publishing) => Promise<void>,
): Promise<ShopsEnd> {
  const unsaved = new Set<Publishing>();
  let open = shops.length;
  const outcomes = await Promise.allSettled(shops.map(publish));
  return {
    unsaved: [...unsaved],
    thrown: outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : [])),
  };

  async function publish(publishing: Publishing): Promise<void> {
    await publishShop(publishing).finally(() => (open -= 1));
    const { fresh, fresh_asked_ms, told, ports } = publishing;
    if (fresh) {
      const { inventory } = told;
      publishing.sighting = toAgedSighting({ listing: fresh, inventory }, fresh_asked_ms, ports.clock);
    }
    unsaved.add(publishing);
    if (open === 0) return;
    reachPoint?.('shop.before_commit');
    try {
      await saveEnd(publishing);
      unsaved.delete(publishing);
    } catch (cause) {
      if (isPassing(cause)) throw cause;
      log.warn('a shop could not be saved when it ended', { job_id, error: cause });
    }
    reachPoint?.('shop.after_commit');
  }
}
