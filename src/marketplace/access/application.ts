import { z } from 'zod/v3';
import type { CallOptions } from '../../core/ports/marketplace_call.js';
import type { Call } from '../http/call.js';
import { buildFormBody } from '../http/encode.js';
import { OPERATIONS } from '../endpoints/operations.js';
import { parseWire } from '../map/wire.js';

/** Calls about the application itself and its tokens. */
export type Application = {
  /** Returns the application's id if its key is valid and the application is approved. */
  ping(options?: CallOptions): Promise<number>;
  /** The scopes of a token. Throws `credentials` with status 401 for an expired one. */
  listScopes(access_token: string, options?: CallOptions): Promise<string[]>;
};

export function createApplication(call: Call): Application {
  return {
    ping: (options) => call(OPERATIONS.ping, {}, (body) => parseWire(pong, body).application_id, options),
    listScopes: (token, options) =>
      call(
        OPERATIONS.tokenScopes,
        { body: buildFormBody({ token }) },
        (body) => parseWire(scopes, body).scopes,
        options,
      ),
  };
}

const pong = z.object({ application_id: z.number() });
const scopes = z.object({ scopes: z.array(z.string()) });
