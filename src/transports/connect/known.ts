import { createHash } from 'node:crypto';

/** The hash of a state, bound to a port: only a server at this port recognizes it as one of its own. */
export function bindToPort(state_sha256: string, port: number): string {
  return createHash('sha256').update(`${state_sha256}:${port}`).digest('hex');
}
