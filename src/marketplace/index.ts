export { createEtsyClient, type EtsyClient, type EtsyClientOptions } from './client.js';
export { SCOPES } from './oauth.js';
