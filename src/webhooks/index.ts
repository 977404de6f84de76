export { createDeliveryWorker, type DeliveryWorker } from './worker.js';
export { createWebhookSender, type WebhookSenderOptions } from './send.js';
export { buildSignature } from './sign.js';
export { createIntake, type Intake } from './intake/intake.js';
