export { createEtsyClient, type EtsyClientOptions } from './client.js';
export { SCOPES } from './oauth.js';
