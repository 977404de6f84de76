import type { Call } from '../operations/call.js';

/** The call of a single change of a batch: the batch's own call was counted, and its fees were agreed to. */
export function buildCall(account_id: string, signal: AbortSignal): Call {
  return {
    caller: { account_id, credential: 'session', credential_id: 'batch' },
    face: 'dashboard',
    signal,
  };
}
