import type { Starter } from '../ports/index.js';
import type { Call } from './call.js';

/** The caller as stored with its jobs. Leaves out the id of a session, which its forms use as a secret. */
export function toStarter({ face, client_name, caller: { credential, credential_id } }: Call): Starter {
  return {
    face,
    credential,
    ...((credential === 'key' || credential === 'token') && { id: credential_id }),
    ...(client_name !== undefined && { client_name }),
  };
}
