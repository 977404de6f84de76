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
  /** Sends webhooks once it is started. */
  delivery_worker: DeliveryWorker;
  /** In the sandbox: connects its shops now, if they were never connected. Operations do it automatically. */
  prepareShops(): Promise<void> | undefined;
  /** Receives orders while a server runs. */
  order_listening: Pick<OrderListening, 'start'>;
  /** Re-reads managed listings while a server runs. */
  listing_looks: Pick<BackgroundLoop, 'start'>;
  /**
   * Asks the real marketplace for its time, and warns if this computer's clock is far from it. Never throws.
   */
  warnOfClock(signal: AbortSignal): Promise<void>;
  /** From now on it reports that it is not ready, so that no more requests are sent to it. */
  stopBeingReady(): void;
  /** Lets jobs stop between two steps, and closes everything. */
  close(): Promise<void>;
  /**
   * For simulations: releases the database at once, as the end of the process would. Work in flight does not
   * end; the simulated clock and network must keep it from continuing.
   */
  drop(): void;
};

export type ComposeOptions = {
  /** Whether a server serves the docs page; without one, errors point to the packaged page. */
  is_http: boolean;
  /** Shorter timeouts, for tests with a slow marketplace. */
  timeouts?: CallTimeouts;
  /** Other name servers and client documents, for tests. */
  network?: Pick<MediaOptions, 'name_servers' | 'documents'>;
  /** Another clock, for tests that set it; the embedded marketplace keeps its own. */
  clock?: Clock;
  /** Wraps the core's ports, for tests that end a process or a job at one of their calls. */
  wrapPorts?: (ports: Ports) => Ports;
  /** Lower limits, for tests that reach them. */
  limits?: Partial<typeof LIMITS>;
  /** Bytes that files leave free on the disk, for tests with a full disk. */
  min_free_bytes?: number;
} & Partial<World>;

/**
 * Everything the service depends on besides its clock and its database. A simulation brings its own; the real
 * parts replace omitted ones.
 */
type World = {
  randomness: Randomness;
  log: Log;
  /** How requests reach the marketplace at the configured addresses; called once for each application. */
  openNetwork: () => Network;
  /** How webhooks reach their receivers. */
  post: Post;
  blobs: Blobs;
  media: Media;
  disk: DiskCheck;
  /** Pauses between two attempts to get the database's write lock. */
  pauseForLock: (duration_ms: number) => Promise<void>;
};
