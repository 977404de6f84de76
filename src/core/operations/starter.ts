import type { Starter } from '../ports/index.js';
import type { Call } from './call.js';

/** The caller as it is stored with its jobs. The id of a session is a secret of its forms, and is left out. */
export function toStarter({ face, client_name, caller: { credential, credential_id } }: Call): Starter {
  return {
    face,
    credential,
    ...((credential === 'key' || credential === 'token') && { id: credential_id }),
    ...(client_name !== undefined && { client_name }),
  };
}
