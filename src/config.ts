import { homedir } from 'node:os';
import { DATABASE_PASSWORD, putPasswordIn } from './config/database_password.js';
import { readSecret } from './config/kept_secret.js';
import { isLocalhost, isLoopback } from './config/loopback.js';
import { findProxy } from './config/proxy.js';
import { listRemoved } from './config/removed.js';
import { SETTINGS, type Setting } from './config/settings.js';
import { findUserFolders, type UserFolders } from './config/user_folders.js';

/* Reads the settings from flags and the environment, which no other file reads. */

type Settings = typeof SETTINGS;

export type Config = { [Name in keyof Settings]: ReturnType<Settings[Name]['fallback']> } & {
  /** BASE_URL, or the address the service listens on; without a trailing slash. */
  base_url: string;
  /** The proxy that the marketplace is called through, with its password; undefined when it is called directly. */
  marketplace_proxy: string | undefined;
};

/** Wrong settings, all of them, one sentence each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * @param flags the CLI's flags under the names of their variables; they take precedence. Throws ConfigError.
 */
export function loadConfig(
  flags: Readonly<Record<string, string | undefined>> = {},
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Config {
  const problems: string[] = [];
  const read = ([name, setting]: [string, Setting<unknown>]) => {
    const { variable, parse, fallback } = setting;
    const text = readText(setting, flags, environment);
    if (text === undefined) return [name, fallback(environment)];
    try {
      return [name, parse(text)];
    } catch (cause) {
      const end = cause instanceof Error ? cause.message : String(cause);
      problems.push(`${variable} must be ${end}.`);
      return [name, undefined];
    }
  };
  const given = Object.fromEntries(Object.entries(SETTINGS).map(read)) as Values;
  const values = problems.length === 0 ? completeSecrets(given, problems) : given;
  if (problems.length === 0) problems.push(...checkTogether(values));
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return {
    ...values,
    base_url: values.base_url ?? toDefaultBaseUrl(values),
    marketplace_proxy: values.marketplace === 'etsy' ? findProxy(values.etsy_api_url, values) : undefined,
  };
}

/**
 * Checks the value of a flag that stands for a setting with another name.
 * @param must the beginning of the error message: which flag must be what
 * @throws ConfigError
 */
export function checkFlag(setting: keyof Settings, text: string, must: string): void {
  try {
    SETTINGS[setting].parse(text.trim());
  } catch (cause) {
    throw new ConfigError(`${must} ${cause instanceof Error ? cause.message : String(cause)}.`, { cause });
  }
}

/** The address that links begin with. Etsy refuses callback addresses that are IP addresses. */
function toDefaultBaseUrl({ host, port }: Pick<Values, 'host' | 'port'>): string {
  return toBaseUrl(isLocalhost(host) ? 'localhost' : host, port);
}

/** The address of a host and port as a browser takes it. */
export function toBaseUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * The settings by variable, for another process that needs the same ones: paths are absolute. Takes the same
 * arguments as loadConfig.
 */
export function listSetSettings(
  flags: Readonly<Record<string, string | undefined>> = {},
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const { data_dir, upload_roots, extra_ca_certs } = loadConfig(flags, environment);
  const absolute: Record<string, string | undefined> = {
    DATA_DIR: data_dir,
    UPLOAD_ROOTS: upload_roots.join(','),
    NODE_EXTRA_CA_CERTS: extra_ca_certs,
  };
  const set = Object.values(SETTINGS).flatMap((setting) => {
    const text = readText(setting, flags, environment);
    return text === undefined ? [] : [[setting.variable, absolute[setting.variable] ?? text]];
  });
  return Object.fromEntries(set) as Record<string, string>;
}

/** A sentence for each setting that is set but no longer read. */
export function listRemovedSettings(): string[] {
  return listRemoved(process.env);
}

/** Where this user's programs keep their configuration on this computer. */
export function getUserFolders(): UserFolders {
  return findUserFolders(process.platform, process.env, homedir());
}

/** For help: variable, default and description. */
export function listSettings(): { variable: string; default: string; description: string }[] {
  return Object.values(SETTINGS as Record<string, Setting<unknown>>).map(
    ({ variable, fallback, description }) => ({
      variable,
      default: [fallback(process.env) ?? ''].flat().map(String).join(','),
      description,
    }),
  );
}

/** Undefined if it is not set. */
function readText(
  { variable, isSmallToo }: Pick<Setting<unknown>, 'variable' | 'isSmallToo'>,
  flags: Readonly<Record<string, string | undefined>>,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const small = isSmallToo ? environment[variable.toLowerCase()] : undefined;
  const texts = [flags[variable], small, environment[variable]].map((text) => text?.trim());
  return texts.find((text) => text !== undefined && text !== '' && !LEFT_EMPTY.test(text));
}

/** Assistants that install bundles pass the field's name through if the form was left empty. */
const LEFT_EMPTY = /^\$\{user_config\.\w+\}$/;

type Values = Omit<Config, 'base_url' | 'marketplace_proxy'> & { base_url: string | undefined };

/** Reads required secrets that are not in the environment from the files of the data folder. */
function completeSecrets(values: Values, problems: string[]): Values {
  const { data_dir, database_url, marketplace, blob_store, etsy_shared_secret, s3_secret_access_key } =
    values;
  try {
    return {
      ...values,
      ...(database_url !== undefined && {
        database_url: putPasswordIn(
          database_url,
          values.database_password ?? readSecret(data_dir, DATABASE_PASSWORD),
        ),
      }),
      ...(marketplace === 'etsy' && {
        etsy_shared_secret: etsy_shared_secret ?? readSecret(data_dir, 'ETSY_SHARED_SECRET'),
      }),
      ...(blob_store?.kind === 's3' && {
        s3_secret_access_key: s3_secret_access_key ?? readSecret(data_dir, 'S3_SECRET_ACCESS_KEY'),
      }),
    };
  } catch (cause) {
    problems.push(cause instanceof Error ? cause.message : String(cause));
    return values;
  }
}

function checkTogether(values: Values): string[] {
  const problems: string[] = [];
  if (values.marketplace === 'etsy' && !values.etsy_keystring !== !values.etsy_shared_secret) {
    problems.push(
      'ETSY_KEYSTRING and ETSY_SHARED_SECRET must be set together: take both from your application at etsy.com/developers, or leave out both if each shop is connected with an application of its own.',
    );
  }
  if (values.blob_store?.kind === 's3' && !(values.s3_access_key_id && values.s3_secret_access_key)) {
    problems.push(
      'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set when BLOB_STORE is a bucket: set a key that may list, read, write and delete in it.',
    );
  }
  if (!isLoopback(values.host) && values.base_url === undefined) {
    problems.push(
      `BASE_URL must be set when HOST is ${values.host}: set it to the address at which others reach the service, such as https://listings.example.com, or leave HOST at 127.0.0.1.`,
    );
  }
  return problems;
}
