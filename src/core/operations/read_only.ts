import { quoteForeign, ServiceError } from '../errors.js';
import type { Restriction } from './call.js';
import type { ApiKey } from '../ports/index.js';

/** @param what changes things, as the beginning of a sentence; without a restriction, it is the server that runs read-only */
export function buildReadOnly(what: string, restriction?: Restriction): ServiceError {
  return restriction
    ? new ServiceError('READ_ONLY', `${what}, and ${restriction.name} may only read.`, {
        hint: restriction.hint,
      })
    : new ServiceError('READ_ONLY', `${what}, and this server runs read-only.`);
}

/** Undefined for a key that may change things. */
export function toKeyRestriction({ key_id, name, is_read_only }: ApiKey): Restriction | undefined {
  if (!is_read_only) return undefined;
  return {
    name: `the API key ${quoteForeign(name)} (${key_id})`,
    hint: `Key ${key_id} was made with --read-only. Use one that was not (listing-service keys create makes one).`,
  };
}

/** For an assistant with the OAuth scope `read` alone. */
export const GRANT_RESTRICTION: Restriction = {
  name: 'this access token',
  hint: 'It has the scope read alone. Log in again and ask for read and write.',
};

/** Of a person who signed in to the dashboard with a key that may only read. */
export const SESSION_RESTRICTION: Restriction = {
  name: 'the API key that you signed in with',
  hint: 'Sign in with a key that was not made with --read-only, or by the link of listing-service sign-in.',
};
