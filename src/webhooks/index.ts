export { createDeliveryWorker, type DeliveryWorker } from './worker.js';
export { createWebhookSender, type WebhookSenderOptions } from './send.js';
export { buildSignature } from './sign.js';
export { createReceiveMessage } from './intake/receive.js';
