import type { Ports } from '../ports/index.js';
import type { Events } from '../webhooks/events.js';
import type { RefreshSchedule } from '../listings/observed/refresh_schedule.js';
import type { Settings } from '../settings.js';
import { createRecordChanges } from './record_changes.js';
import { createHints, type Hints } from './hints.js';
import { createListOrders, type ListOrders } from './list.js';
import { createPollShop } from './poll_shop.js';
import { createPolls, type Polls } from './polls.js';

/**
 * The service learns of orders in two ways: it polls shops regularly, and the marketplace's messages name
 * orders to read now.
 */
export type Orders = { polls: Polls; hints: Hints; list: ListOrders };

export function createOrders(
  ports: Ports,
  events: Pick<Events, 'record'>,
  { markChanged }: Pick<RefreshSchedule, 'markChanged'>,
  settings: Settings,
): Orders {
  const recordChanges = createRecordChanges(ports, events, settings, markChanged);
  const pollShop = createPollShop(ports, recordChanges);
  return {
    polls: createPolls(ports, { pollShop, least_ms: settings.order_poll_seconds * 1000 }),
    hints: createHints(ports, recordChanges),
    list: createListOrders(ports),
  };
}
