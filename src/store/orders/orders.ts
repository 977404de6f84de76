import type { OrderStore, RetentionStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';
import { createRecordedOrderRepository } from './recorded_orders.js';
import { createHintRepository } from './hints.js';
import { createPollRepository } from './polls.js';
import { createWatchRepository } from './watches.js';

/** Recorded orders, and the schedule of polls. */
export function createOrderRepository(
  engine: Engine<Tables>,
): OrderStore & Pick<RetentionStore, 'sweepRecordedOrders'> {
  return {
    ...createWatchRepository(engine),
    ...createRecordedOrderRepository(engine),
    ...createPollRepository(engine),
    ...createHintRepository(engine),
  };
}
