export { createEtsyClient, type EtsyClientOptions } from './client.js';
export { exchangeCode, type GrantOptions, type ShopGrant } from './grant.js';
export { buildConsentUrl, SCOPES } from './oauth.js';
