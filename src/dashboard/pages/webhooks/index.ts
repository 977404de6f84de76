import type { Page } from '../../page.js';
import { destination } from './destination.js';
import { delivery, sendAgain } from './delivery.js';
import { remove } from './remove.js';
import { rotate } from './rotate.js';
import { webhooks } from './show.js';
import { switchOn } from './switch_on.js';
import { test } from './test.js';

/** Pages of the webhook endpoint and its deliveries. */
export const webhookPages: Page[] = [
  webhooks,
  destination,
  rotate,
  switchOn,
  remove,
  test,
  delivery,
  sendAgain,
];
