import { createServer } from 'node:net';
import { loadConfig, type Config } from '../../config.js';
import { retry } from '../../core/async/retry.js';

const TRIES = 5;

/**
 * Opens on the configured port. If that is 0, uses a free port; another program may take it before we listen,
 * and then the next one is tried.
 */
export function openOnPort<Opened>(
  asked: Config,
  flags: Record<string, string>,
  open: (config: Config) => Promise<Opened>,
): Promise<Opened> {
  return retry(async () => open(await choosePort(asked, flags)), {
    attempts: asked.port === 0 ? TRIES : 1,
    isWorthIt: isPortTaken,
  });
}

/** With port 0 the address must be known before anything that contains it is created. */
export async function choosePort(config: Config, flags: Record<string, string> = {}): Promise<Config> {
  if (config.port !== 0) return config;
  const port = await new Promise<number>((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, config.host, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
  return loadConfig({ ...flags, PORT: String(port) });
}

/** @param error the original error, or the one that toListenError made from it */
export function isPortTaken(error: unknown): boolean {
  return [error, error instanceof Error && error.cause].some((one) => getCode(one) === 'EADDRINUSE');
}

/** Why a server could not listen, and what to do. */
export function toListenError(cause: unknown, { host, port }: Pick<Config, 'host' | 'port'>): Error {
  const words: Record<string, string> = {
    EADDRINUSE: `Port ${port} on ${host} is taken. Choose another with --port, or stop the program that has it.`,
    EACCES: `Port ${port} needs more rights. Set PORT to one above 1023.`,
    EADDRNOTAVAIL: `${host} is not an address of this computer. Leave HOST at 127.0.0.1, or use 0.0.0.0.`,
  };
  const message = words[getCode(cause) ?? ''] ?? `The server could not listen on ${host}:${port}.`;
  return new Error(message, { cause });
}

function getCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
