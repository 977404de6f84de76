import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The sandbox's ports besides its database: time, randomness, and a way to send messages. Tests pass their
 * own.
 */
export type SandboxPorts = {
  nowMs(): number;
  /** Rejects when the signal aborts. */
  sleep(duration_ms: number, signal: AbortSignal): Promise<void>;
  /**
   * Sends one POST without following redirects. Returns the status of the answer; rejects if there is none in
   * time.
   */
  post(
    url: string,
    message: { headers: Readonly<Record<string, string>>; body: string; deadline_ms: number },
    signal: AbortSignal,
  ): Promise<number>;
  /** URL-safe random text for tokens and codes. */
  randomText(): string;
  randomUuid(): string;
  /** A number in [0, 1), for faults with a probability. */
  chance(): number;
};

const CHANCE_STEPS = 1_000_000;

export const systemPorts: SandboxPorts = {
  nowMs: () => Date.now(),
  // A timer keeps no process alive; the connection that waits for its answer does.
  sleep: (duration_ms, signal) => sleep(duration_ms, undefined, { signal, ref: false }),
  async post(url, { headers, body, deadline_ms }, signal) {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(deadline_ms)]),
    });
    await response.body?.cancel();
    return response.status;
  },
  randomText: () => randomBytes(32).toString('base64url'),
  randomUuid: () => randomUUID(),
  chance: () => randomInt(CHANCE_STEPS) / CHANCE_STEPS,
};
