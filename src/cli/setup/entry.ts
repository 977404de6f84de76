import { fileURLToPath } from 'node:url';
import { realpathSync } from 'node:fs';
import { listSetSettings, loadConfig } from '../../config.js';
import { DATABASE_PASSWORD, takePasswordOut } from '../../config/database_password.js';
import { hasPassword } from '../../config/proxy.js';
import { toProxy } from '../../config/parse.js';
import { KEPT_SECRETS } from '../../config/kept_secret.js';
import type { Client } from './clients.js';

/** The name of this service among a client's servers. */
export const SERVER_NAME = 'listing-service';

export const CLI = fileURLToPath(new URL('../../cli.js', import.meta.url));

/** How a client starts this service. */
export type Entry = { type?: 'stdio'; command: string; args: string[]; env: Record<string, string> };

/**
 * Starts this copy of the service with this Node (clients often find another, or none), with the current
 * settings, so that it finds the same data and the same marketplace. Keeps everything else in an existing
 * entry: flags after stdio, variables that are not set here, fields of the client's own. Secrets are left
 * out.
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
    command: findLastingPath(process.execPath, isSameFile),
    args: [CLI, 'stdio', ...added],
    env: withoutSecrets({
      DATA_DIR: loadConfig(from.flags).data_dir,
      ...(isObject(old['env']) && (old['env'] as Record<string, string>)),
      ...Object.fromEntries(
        set.filter(([variable, text]) => !OF_A_SERVER.has(variable) && !isProxyWithPassword(variable, text)),
      ),
    }),
  };
}

/** An entry for a server over HTTP has these; none belongs next to a command. */
const OF_AN_ADDRESS = new Set(['type', 'url', 'headers']);

/** A server over stdio needs none of these, and a secret should be stored in few places. */
const OF_A_SERVER = new Set(['METRICS_TOKEN', 'ETSY_WEBHOOK_SECRET']);

/** A sentence about a proxy that is not written into the entry; undefined if there is none. */
export function describeProxyLeftOut(flags?: Record<string, string>): string | undefined {
  if (!Object.entries(listSetSettings(flags)).some(([variable, text]) => isProxyWithPassword(variable, text)))
    return undefined;
  return `HTTPS_PROXY has a password, so setup does not write it into a file. If the service must use this proxy, add it to the env of ${SERVER_NAME} there yourself; setup leaves it in place.`;
}

function isProxyWithPassword(variable: string, text: string): boolean {
  return variable === 'HTTPS_PROXY' && hasPassword(toProxy(text));
}

/** The entry's secrets that belong in the data folder. */
export function pickSecrets(entry: unknown): KeptSecrets {
  const env = isObject(entry) && isObject(entry['env']) ? setPasswordApart(entry['env']) : {};
  return Object.fromEntries(
    SECRETS.flatMap((name) => (typeof env[name] === 'string' ? [[name, env[name]]] : [])),
  );
}

/** The entry without those secrets. */
export function dropSecrets(entry: Record<string, unknown>): Record<string, unknown> {
  return isObject(entry['env']) ? { ...entry, env: withoutSecrets(entry['env']) } : entry;
}

/** The same secrets among the current settings. */
export function listSecretsHere(flags?: Record<string, string>): KeptSecrets {
  return pickSecrets({ env: listSetSettings(flags) });
}

/** A sentence to show with an entry that needs more than it contains; undefined for others. */
export function describeLeftOut(flags?: Record<string, string>): string | undefined {
  const names = Object.keys(listSecretsHere(flags));
  if (names.length === 0) return undefined;
  return `${names.join(' and ')} must not stand there: setup without --print puts what is secret into ${loadConfig(flags).data_dir}, where the service reads it.`;
}

/** In a client's file they would be in clear text, in its backups too. */
const SECRETS = [...KEPT_SECRETS, 'MASTER_KEY'] as const;

type KeptSecrets = Partial<Record<(typeof SECRETS)[number], string>>;

function withoutSecrets<Value>(env: Record<string, Value>): Record<string, Value | string> {
  return Object.fromEntries(
    Object.entries(setPasswordApart(env)).filter(([name]) => !SECRETS.some((secret) => secret === name)),
  );
}

/**
 * The password of the database is a secret, the rest of its address is not. Without an address there is no
 * password to keep.
 */
function setPasswordApart<Value>(env: Record<string, Value>): Record<string, Value | string> {
  const { DATABASE_URL, [DATABASE_PASSWORD]: given, ...others } = env;
  if (typeof DATABASE_URL !== 'string' || !URL.canParse(DATABASE_URL)) {
    return DATABASE_URL === undefined ? others : { ...others, DATABASE_URL };
  }
  const { url, password = given } = takePasswordOut(DATABASE_URL);
  return { ...others, DATABASE_URL: url, ...(password !== undefined && { [DATABASE_PASSWORD]: password }) };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The path of Node that survives an upgrade. Homebrew keeps each version in a folder of its own under Cellar,
 * which the next upgrade removes, and links the one in use from `opt` and `bin`.
 * @param isSame whether two paths lead to the same file; a link to another version is not used
 */
export function findLastingPath(path: string, isSame: (one: string, other: string) => boolean): string {
  const [, prefix, formula, rest] = CELLAR.exec(path) ?? [];
  if (prefix === undefined) return path;
  const links = [`${prefix}/opt/${formula}/${rest}`, `${prefix}/${rest}`];
  return links.find((link) => isSame(link, path)) ?? path;
}

/** False if one of them leads nowhere. */
function isSameFile(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return false;
  }
}

/** `/opt/homebrew/Cellar/node@24/24.3.0/bin/node`: prefix, formula, and the path below the version. */
const CELLAR = /^(.+)\/Cellar\/([^/]+)\/[^/]+\/(.+)$/;
