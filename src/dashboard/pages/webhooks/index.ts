import type { Page } from '../../page.js';
import type { ShownOnce } from '../../shown_once.js';
import { createDestination } from './destination.js';
import { delivery, sendAgain } from './delivery.js';
import { remove } from './remove.js';
import { createRotate } from './rotate.js';
import { createSecretPages } from './secret.js';
import { webhooks } from './show.js';
import { switchOn } from './switch_on.js';
import { test } from './test.js';

/** Pages of the webhook endpoint and its deliveries. */
export function createWebhookPages(shown_once: ShownOnce): Page[] {
  return [
    webhooks,
    createDestination(shown_once),
    createRotate(shown_once),
    ...createSecretPages(shown_once),
    switchOn,
    remove,
    test,
    delivery,
    sendAgain,
  ];
}
