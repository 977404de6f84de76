import { createHash } from 'node:crypto';

/** The hash of a state that only a server at this port knows as one of its own. */
export function bindToPort(state_sha256: string, port: number): string {
  return createHash('sha256').update(`${state_sha256}:${port}`).digest('hex');
}
