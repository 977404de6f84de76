import { createHash } from 'node:crypto';
import { toBaseUrl } from '../../config.js';

const ASK_MS = 15_000;

/**
 * Whether the server on this port knows the state, as one that uses the same data folder does. Undefined if
 * no server of this service answers.
 * @param state of a connect request in our own database
 */
export async function isServedHere(
  config: { host: string; port: number },
  state: string,
): Promise<boolean | undefined> {
  const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[config.host] ?? config.host;
  const state_sha256 = createHash('sha256').update(state).digest('hex');
  try {
    const answer = await fetch(`${toBaseUrl(host, config.port)}/connect/known/${state_sha256}`, {
      signal: AbortSignal.timeout(ASK_MS),
      redirect: 'error',
    });
    const { is_known } = JSON.parse(await readStart(answer)) as { is_known?: unknown };
    return typeof is_known === 'boolean' ? is_known : undefined;
  } catch {
    return undefined;
  }
}

/** Reads only the first bytes: a foreign server may send without end. */
async function readStart({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();
  return Buffer.from(first?.value ?? []).toString('utf8');
}
