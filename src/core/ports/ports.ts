import type { Blobs } from './blobs.js';
import type { Marketplace } from './marketplace.js';
import type { Media } from './media.js';
import type { Store } from './store/store.js';
import type { WebhookSender } from './webhook_sender.js';
import type { Clock, Ids, Log, Randomness } from './world.js';

/** Everything outside the core that the core needs. */
export type Ports = {
  store: Store;
  marketplace: Marketplace;
  media: Media;
  blobs: Blobs;
  webhook_sender: WebhookSender;
  clock: Clock;
  randomness: Randomness;
  ids: Ids;
  log: Log;
};
