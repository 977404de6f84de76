export { createWebhookSender, type WebhookSenderOptions } from './send.js';
export { buildSignature } from './sign.js';
