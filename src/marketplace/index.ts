export { createEtsyClient, type EtsyClient, type EtsyClientOptions } from './client.js';
export { SCOPES } from './oauth.js';
export { compareWithDocument, PUBLISHED_DOCUMENT } from './published_facts.js';
