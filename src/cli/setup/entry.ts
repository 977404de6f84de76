import { fileURLToPath } from 'node:url';
import { listSetSettings, loadConfig } from '../../config.js';
import type { Client } from './clients.js';

/** The name of this service among a client's servers. */
export const SERVER_NAME = 'listing-service';

export const CLI = fileURLToPath(new URL('../../cli.js', import.meta.url));

/** How a client starts this service. */
export type Entry = { type?: 'stdio'; command: string; args: string[]; env: Record<string, string> };

/**
 * This copy of the service on this Node (clients often find another, or none), with what is set here, so that it finds
 * the same data and the same marketplace. What an entry that is there has beyond that stays: flags behind stdio,
 * variables that are not set here, fields of the client's own.
 * @param from.flags settings that came as flags, as in loadConfig
 */
export function buildEntry(
  { has_type }: Pick<Client, 'has_type'>,
  from: { old?: unknown; flags?: Record<string, string> } = {},
): Entry {
  const old = isObject(from.old) ? from.old : {};
  const args = Array.isArray(old['args']) ? (old['args'] as unknown[]).map(String) : [];
  const added = args.includes('stdio') ? args.slice(args.indexOf('stdio') + 1) : [];
  const set = Object.entries(listSetSettings(from.flags));
  return {
    ...Object.fromEntries(Object.entries(old).filter(([field]) => !OF_AN_ADDRESS.has(field))),
    ...(has_type && { type: 'stdio' }),
    command: process.execPath,
    args: [CLI, 'stdio', ...added],
    env: {
      DATA_DIR: loadConfig(from.flags).data_dir,
      ...(isObject(old['env']) && (old['env'] as Record<string, string>)),
      ...Object.fromEntries(set.filter(([variable]) => !OF_A_SERVER.has(variable))),
    },
  };
}

/** An entry that led to a server over HTTP has these; none goes with a command. */
const OF_AN_ADDRESS = new Set(['type', 'url', 'headers']);

/** What is said over stdio needs none of these, and a secret is best in few places. */
const OF_A_SERVER = new Set(['METRICS_TOKEN', 'ETSY_WEBHOOK_SECRET', 'FAIL_POINT', 'CLOCK_STEPS']);

/** For a terminal, where others may look on. */
export function hideSecrets(entry: Entry): Entry {
  const env = Object.entries(entry.env).map(([name, value]) => [name, SECRETS[name] ?? value]);
  return { ...entry, env: Object.fromEntries(env) as Record<string, string> };
}

export function hasSecrets({ env }: Entry): boolean {
  return Object.keys(env).some((name) => name in SECRETS);
}

const SECRETS: Partial<Record<string, string>> = {
  ETSY_SHARED_SECRET: 'PUT THE SHARED SECRET HERE',
  MASTER_KEY: 'PUT THE MASTER KEY HERE',
};

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
