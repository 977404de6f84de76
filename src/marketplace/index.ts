export {
  createEtsyMarketplace,
  type EtsyMarketplace,
  type EtsyMarketplaceOptions,
} from './access/applications.js';
export type { RequestBody } from './http/encode.js';
export { createEtsyClient, type EtsyClient, type EtsyClientOptions } from './client.js';
export type { Network } from './http/network.js';
export { SCOPES } from './access/oauth.js';
export { compareWithDocument, PUBLISHED_DOCUMENT } from './endpoints/published_facts.js';
