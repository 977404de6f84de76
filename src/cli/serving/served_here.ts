import { createHash } from 'node:crypto';
import { toBaseUrl } from '../../config.js';

const ASK_MS = 15_000;

/**
 * Whether the server on this port uses the same data folder: only then it knows the state.
 * @param state of a connect request on the own database
 */
export async function isServedHere(config: { host: string; port: number }, state: string): Promise<boolean> {
  const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[config.host] ?? config.host;
  const state_sha256 = createHash('sha256').update(state).digest('hex');
  try {
    const answer = await fetch(`${toBaseUrl(host, config.port)}/connect/known/${state_sha256}`, {
      signal: AbortSignal.timeout(ASK_MS),
      redirect: 'error',
    });
    return ((await answer.json()) as { is_known?: unknown }).is_known === true;
  } catch {
    return false;
  }
}
