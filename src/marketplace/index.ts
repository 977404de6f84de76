export { createEtsyMarketplace, type EtsyMarketplace, type EtsyMarketplaceOptions } from './applications.js';
export type { RequestBody } from './encode.js';
export { createEtsyClient, type EtsyClient, type EtsyClientOptions } from './client.js';
export { DeadlineError, type HttpRequest, type Network, type Progress, type Received } from './network.js';
export { SCOPES } from './oauth.js';
export { compareWithDocument, PUBLISHED_DOCUMENT } from './published_facts.js';
