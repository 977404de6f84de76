export {
  createEtsyMarketplace,
  type EtsyMarketplace,
  type EtsyMarketplaceOptions,
} from './access/applications.js';
export type { RequestBody } from './http/encode.js';
export { createEtsyClient, type EtsyClient, type EtsyClientOptions } from './client.js';
export {
  DeadlineError,
  type HttpRequest,
  type Network,
  type Progress,
  type Received,
} from './http/network.js';
export { SCOPES } from './access/oauth.js';
export { compareWithDocument, PUBLISHED_DOCUMENT } from './endpoints/published_facts.js';
