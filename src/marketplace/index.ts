export { createEtsyClient, type EtsyClientOptions } from './client.js';
export { createHttp } from './http.js';
export { buildConsentUrl, exchangeCode, refreshTokens, SCOPES } from './oauth.js';
