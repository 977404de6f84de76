import { randomBytes, randomInt, randomUUID } from 'node:crypto';

/** What the sandbox needs from the world besides its database: the time and chance. Tests pass their own. */
export type SandboxPorts = {
  nowMs(): number;
  /** URL-safe random text for tokens and codes. */
  randomText(): string;
  randomUuid(): string;
  /** A number in [0, 1), for faults with a probability. */
  chance(): number;
};

const CHANCE_STEPS = 1_000_000;

export const systemPorts: SandboxPorts = {
  nowMs: () => Date.now(),
  randomText: () => randomBytes(32).toString('base64url'),
  randomUuid: () => randomUUID(),
  chance: () => randomInt(CHANCE_STEPS) / CHANCE_STEPS,
};
