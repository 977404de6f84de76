import type { Config } from '../config.js';
import type { BackgroundLoop } from '../core/background_loop.js';
import type { Core } from '../core/core.js';
import type { OrderListening } from '../core/orders/listening.js';
import type { Blobs, Clock, Log, Media, Ports, Randomness, Store } from '../core/ports/index.js';
import type { Network } from '../marketplace/index.js';
import type { MediaOptions } from '../media/index.js';
import type { Service } from '../transports/service.js';
import type { DeliveryWorker, Post } from '../webhooks/index.js';
import type { LIMITS } from './core_settings.js';
import type { DiskCheck } from './disk_check.js';
import type { CallTimeouts } from './marketplace.js';

/** The whole service, without a transport. */
export type App = {
  service: Service;
  core: Core;
  store: Store;
  config: Config;
  /** Sends webhooks, once it is started. */
  delivery_worker: DeliveryWorker;
  /** In the sandbox: connects its shops now, if they were never connected. Operations do it by themselves. */
  prepareShops(): Promise<void> | undefined;
  /** How orders are heard of, while a server runs. */
  order_listening: Pick<OrderListening, 'start'>;
  /** How managed listings are read again, while a server runs. */
  listing_looks: Pick<BackgroundLoop, 'start'>;
  /** Warns where this computer's clock is far from the real marketplace's, which is asked for it. Never throws. */
  warnOfClock(signal: AbortSignal): Promise<void>;
  /** From now on it says that it is not ready, so that no more is sent to it. */
  stopBeingReady(): void;
  /** Lets jobs stop between two steps, and closes everything. */
  close(): Promise<void>;
  /**
   * For simulations: lets go of the database at once, as the end of the process does. What is under way does not end; that it goes no
   * further is up to the clock and the network it was given.
   */
  drop(): void;
};

export type ComposeOptions = {
  /** Whether there is a server that serves the docs page; without it, errors point to the packaged one. */
  is_http: boolean;
  /** Shorter ones, for tests that let the marketplace be slow. */
  timeouts?: CallTimeouts;
  /** Name servers and documents about clients of their own, for tests. */
  network?: Pick<MediaOptions, 'name_servers' | 'documents'>;
  /** Another one, for tests that set it; the embedded marketplace keeps its own. */
  clock?: Clock;
  /** Wraps the core's ports, for tests that end a process or a job at one of their calls. */
  wrapPorts?: (ports: Ports) => Ports;
  /** Lower ones, for tests that reach them. */
  limits?: Partial<typeof LIMITS>;
  /** Bytes that files leave free on the disk, for tests in which it is full. */
  min_free_bytes?: number;
} & Partial<World>;

/** What the service stands on besides its clock and its database. A simulation brings its own; what is left out is the real one. */
type World = {
  randomness: Randomness;
  log: Log;
  /** How requests reach the marketplace at the addresses of the configuration; asked for once for each application. */
  openNetwork: () => Network;
  /** How webhooks reach their receivers. */
  post: Post;
  blobs: Blobs;
  media: Media;
  disk: DiskCheck;
  /** Between two tries for the database's write lock. */
  pauseForLock: (duration_ms: number) => Promise<void>;
};
