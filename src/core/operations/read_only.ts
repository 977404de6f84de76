import type { Restriction } from '../../../schemas/issues/access.js';
import { ServiceError } from '../errors.js';
import type { ApiKey } from '../ports/index.js';

/**
 * @param operation_id left out for a form
 * @param restriction left out if the server runs read-only
 */
export function buildReadOnly(operation_id: string | undefined, restriction?: Restriction): ServiceError {
  const params = {
    by: restriction ?? ({ of: 'server' } as const),
    ...(operation_id !== undefined && { operation_id }),
  };
  return new ServiceError(
    'READ_ONLY',
    { code: 'read_only', params },
    restriction ? { hint: chooseHint(restriction) } : {},
  );
}

/** Undefined for a key that may change things. */
export function toKeyRestriction({ key_id, name, is_read_only }: ApiKey): Restriction | undefined {
  return is_read_only ? { of: 'key', key_id, name } : undefined;
}

function chooseHint(restriction: Restriction): string {
  switch (restriction.of) {
    case 'key':
      return `Key ${restriction.key_id} was made with --read-only. Use one that was not (listing-service keys create makes one).`;
    case 'token':
      return 'It has only the scope read. Log in again and ask for read and write.';
    case 'signed_in_key':
      return 'Sign in with a key that was not made with --read-only, or by the link of listing-service sign-in.';
  }
}
