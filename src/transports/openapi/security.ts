import type { Operation } from '../../core/operations/operation.js';
import type { JsonSchema } from '../schema_conversion.js';

export const SECURITY_SCHEMES = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Service-API-Key',
    description: 'Made by `listing-service keys create`',
  },
  Bearer: { type: 'http', scheme: 'bearer', description: 'An OAuth 2.1 access token of this service' },
};

/** An operation's `security`, if it differs from the document's own, which is the key only. */
export function buildSecurity({ auth }: Pick<Operation, 'auth'>): JsonSchema {
  return auth === 'key_or_token' ? { security: [{ ApiKey: [] }, { Bearer: [] }] } : {};
}
