export { createDeliveryWorker, type DeliveryWorker } from './worker.js';
export { createWebhookSender, type WebhookSenderOptions } from './send.js';
export type { Post } from './post.js';
export { createReceiveMessage } from './intake/receive.js';
