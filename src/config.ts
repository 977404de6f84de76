import { homedir } from 'node:os';
import { join } from 'node:path';
import envPaths from 'env-paths';
import {
  toBoolean,
  toCeiling,
  toCidrs,
  toHost,
  toMasterKey,
  toNames,
  toOneOf,
  toPath,
  toPaths,
  toProxies,
  toSecrets,
  toSecretWord,
  toUrl,
  toWhole,
  toWord,
} from './config/parse.js';
import { readSharedSecret } from './config/kept_secret.js';
import { isLoopback } from './config/loopback.js';
import { findUserFolders, type UserFolders } from './config/user_folders.js';
import { LOG_LEVELS } from './world/log_levels.js';

/*
 * Every setting of the service, in one table: what it is called, how it is read, what it is when nobody says, and what to
 * tell whoever sets it wrong. No other file reads the environment.
 */

type Setting<Value> = {
  variable: string;
  /** Throws an Error whose message ends the sentence "VARIABLE must be ...". */
  parse: (text: string) => Value;
  fallback: () => Value;
  description: string;
};

const SETTINGS = {
  host: setting('HOST', toHost, '127.0.0.1', 'Address to listen on'),
  port: setting('PORT', toWhole(0, 65_535), 3000, 'Port to listen on; 0 takes any that is free'),
  base_url: optional('BASE_URL', toUrl, 'Where browsers and assistants reach the service'),
  data_dir: lazy('DATA_DIR', toPath, findDataDir, 'Folder of the database, the files and the key'),
  log_level: setting('LOG_LEVEL', toOneOf(LOG_LEVELS), 'info', 'How much is logged, to stderr'),
  marketplace: setting(
    'MARKETPLACE',
    toOneOf(['sandbox', 'etsy']),
    'sandbox',
    'The embedded marketplace, or the real one',
  ),
  etsy_api_url: setting('ETSY_API_URL', toUrl, 'https://api.etsy.com', "The marketplace's API"),
  etsy_auth_url: setting('ETSY_AUTH_URL', toUrl, 'https://www.etsy.com', 'Where sellers give their consent'),
  etsy_keystring: optional('ETSY_KEYSTRING', toWord, "The application's key"),
  etsy_shared_secret: optional(
    'ETSY_SHARED_SECRET',
    toWord,
    "The application's secret; without it, the file etsy_shared_secret in DATA_DIR has it",
  ),
  etsy_webhook_secret: lazy(
    'ETSY_WEBHOOK_SECRET',
    toSecrets,
    () => [],
    "Signs the marketplace's own webhooks; two, comma-separated, while one is replaced",
  ),
  order_poll: setting('ORDER_POLL', toBoolean, true, 'Whether serve looks for news of orders by itself'),
  order_poll_seconds: setting(
    'ORDER_POLL_SECONDS',
    toWhole(1, 86_400),
    60,
    'Shortest pause between two looks at the orders of a shop',
  ),
  rate_limit_per_second: setting(
    'RATE_LIMIT_PER_SECOND',
    toWhole(1, 1_000_000),
    2,
    'Calls a second, per account',
  ),
  rate_limit_per_day: setting(
    'RATE_LIMIT_PER_DAY',
    toWhole(1, 1_000_000_000),
    5000,
    'Calls a day, per account',
  ),
  egress_allow_cidrs: lazy(
    'EGRESS_ALLOW_CIDRS',
    toCidrs,
    () => [],
    'Private networks that media and webhooks may reach, comma-separated',
  ),
  webhook_allow_http: setting('WEBHOOK_ALLOW_HTTP', toBoolean, false, 'Whether webhooks may go to http URLs'),
  confirm_spending: setting(
    'CONFIRM_SPENDING',
    toBoolean,
    true,
    'Whether an assistant that cannot show a question confirms fees with a second call',
  ),
  max_activations_per_day: setting(
    'MAX_ACTIVATIONS_PER_DAY',
    toCeiling(0, 1_000_000),
    20,
    'Listing fees an account may spend in 24 hours; 0 forbids them, unlimited lifts the limit',
  ),
  mcp_wait_seconds: setting('MCP_WAIT_SECONDS', toWhole(1, 3600), 50, 'How long an MCP call blocks'),
  reconcile_settle_ms: setting(
    'RECONCILE_SETTLE_MS',
    toWhole(0, 600_000),
    30_000,
    'How long the effect of a call that timed out may take to show',
  ),
  upload_roots: lazy(
    'UPLOAD_ROOTS',
    toPaths,
    () => ['Pictures', 'Downloads', 'Desktop'].map((name) => join(homedir(), name)),
    'Folders that a local assistant may upload from, comma-separated',
  ),
  master_key: optional('MASTER_KEY', toMasterKey, 'Seals tokens and secrets; without it a key file is made'),
  trust_proxy: setting(
    'TRUST_PROXY',
    toProxies,
    false,
    'Whose X-Forwarded-For counts: on for a proxy that alone can connect, or its addresses',
  ),
  max_connections: setting(
    'MAX_CONNECTIONS',
    toWhole(10, 100_000),
    1_000,
    'Connections kept open; beyond it, silent ones make room for new ones',
  ),
  max_drafts: setting('MAX_DRAFTS', toWhole(1, 10_000_000), 20_000, 'Saved drafts, per account'),
  max_drafts_mb: setting(
    'MAX_DRAFTS_MB',
    toWhole(1, 1_000_000),
    200,
    'What the saved drafts of an account may take together, in MB',
  ),
  max_uploads_mb: setting(
    'MAX_UPLOADS_MB',
    toWhole(1, 100_000_000),
    10_000,
    'What the uploads of an account may take together, in MB',
  ),
  min_free_disk_mb: setting(
    'MIN_FREE_DISK_MB',
    toWhole(0, 1_000_000_000),
    100,
    'What uploads and downloads leave free on the disk of DATA_DIR, in MB',
  ),
  max_fetches: setting(
    'MAX_FETCHES',
    toWhole(1, 1_000),
    16,
    'Files that are fetched at a time, for all accounts together',
  ),
  max_bodies_mb: setting(
    'MAX_BODIES_MB',
    toWhole(16, 100_000),
    128,
    'What requests that are being read may take of the memory together, in MB',
  ),
  keep_deliveries_days: setting(
    'KEEP_DELIVERIES_DAYS',
    toWhole(30, 3650),
    90,
    'How long events and webhook deliveries are kept',
  ),
  keep_orders_days: setting(
    'KEEP_ORDERS_DAYS',
    toWhole(180, 3650),
    400,
    'How long what was heard of an order is kept, from its creation',
  ),
  keep_plans_days: setting(
    'KEEP_PLANS_DAYS',
    toWhole(30, 3650),
    90,
    'How long the plan of a job is kept after its end, where nothing is left to do',
  ),
  metrics_token: optional(
    'METRICS_TOKEN',
    toSecretWord,
    'Bearer token that /metrics asks for; needed where BASE_URL is not this computer',
  ),
  tools: optional(
    'TOOLS',
    toNames,
    'What assistants are offered, comma-separated: tools and groups of them; all when unset',
  ),
  read_only: setting('READ_ONLY', toBoolean, false, 'Refuse every operation that changes something'),
  sandbox_control: setting('SANDBOX_CONTROL', toBoolean, false, "Open the sandbox's control routes"),
  sandbox_latency_ms: setting(
    'SANDBOX_LATENCY_MS',
    toWhole(0, 60_000),
    0,
    'How long each sandbox answer takes at least',
  ),
  sandbox_rate: setting('SANDBOX_RATE', toWhole(1, 1_000_000), 10, 'Calls a second that the sandbox allows'),
  fail_point: optional('FAIL_POINT', toWord, 'Ends the process at a named place, for crash tests'),
  clock_steps: optional(
    'CLOCK_STEPS',
    toWord,
    'Sets the clock of the process back and ahead, for crash tests',
  ),
} as const;

type Settings = typeof SETTINGS;

export type Config = { [Name in keyof Settings]: ReturnType<Settings[Name]['fallback']> } & {
  /** BASE_URL, or the address the service listens on; without a trailing slash. */
  base_url: string;
};

/** Wrong settings, all of them, a sentence each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** @param flags the CLI's flags under the names of their variables; they win. Throws ConfigError. */
export function loadConfig(
  flags: Readonly<Record<string, string | undefined>> = {},
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Config {
  const problems: string[] = [];
  const read = ([name, { variable, parse, fallback }]: [string, Setting<unknown>]) => {
    const text = readText(variable, flags, environment);
    if (text === undefined) return [name, fallback()];
    try {
      return [name, parse(text)];
    } catch (cause) {
      const end = cause instanceof Error ? cause.message : String(cause);
      problems.push(`${variable} must be ${end}.`);
      return [name, undefined];
    }
  };
  const given = Object.fromEntries(Object.entries(SETTINGS).map(read)) as Values;
  const values = problems.length === 0 ? completeSecret(given, problems) : given;
  if (problems.length === 0) problems.push(...checkTogether(values));
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return { ...values, base_url: values.base_url ?? toBaseUrl(values.host, values.port) };
}

/** The address of a host and port as a browser takes it. */
export function toBaseUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** What is set here, by variable, for another process that is to find the same: paths are absolute. Takes what loadConfig takes. */
export function listSetSettings(
  flags: Readonly<Record<string, string | undefined>> = {},
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const { data_dir, upload_roots } = loadConfig(flags, environment);
  const absolute: Record<string, string> = { DATA_DIR: data_dir, UPLOAD_ROOTS: upload_roots.join(',') };
  const set = Object.values(SETTINGS).flatMap(({ variable }) => {
    const text = readText(variable, flags, environment);
    return text === undefined ? [] : [[variable, absolute[variable] ?? text]];
  });
  return Object.fromEntries(set) as Record<string, string>;
}

/** Where the programs of this user keep their configuration, on this computer. */
export function getUserFolders(): UserFolders {
  return findUserFolders(process.platform, process.env, homedir());
}

/** For help: variable, default and what it is. */
export function listSettings(): { variable: string; default: string; description: string }[] {
  return Object.values(SETTINGS as Record<string, Setting<unknown>>).map(
    ({ variable, fallback, description }) => ({
      variable,
      default: [fallback() ?? ''].flat().map(String).join(','),
      description,
    }),
  );
}

/** Undefined when nobody set it. */
function readText(
  variable: string,
  flags: Readonly<Record<string, string | undefined>>,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const texts = [flags[variable], environment[variable]].map((text) => text?.trim());
  return texts.find((text) => text !== undefined && text !== '' && !LEFT_EMPTY.test(text));
}

/** Of a form that a person did not fill in, assistants that install bundles pass the name of the field on. */
const LEFT_EMPTY = /^\$\{user_config\.\w+\}$/;

type Values = Omit<Config, 'base_url'> & { base_url: string | undefined };

function completeSecret(values: Values, problems: string[]): Values {
  if (values.marketplace !== 'etsy' || values.etsy_shared_secret !== undefined) return values;
  try {
    return { ...values, etsy_shared_secret: readSharedSecret(values.data_dir) };
  } catch (cause) {
    problems.push(cause instanceof Error ? cause.message : String(cause));
    return values;
  }
}

function checkTogether(values: Values): string[] {
  const problems: string[] = [];
  if (values.marketplace === 'etsy' && !(values.etsy_keystring && values.etsy_shared_secret)) {
    problems.push(
      'ETSY_KEYSTRING and ETSY_SHARED_SECRET must be set for MARKETPLACE=etsy: take both from your application at etsy.com/developers, or use MARKETPLACE=sandbox.',
    );
  }
  if (!isLoopback(values.host) && values.base_url === undefined) {
    problems.push(
      `BASE_URL must be set when HOST is ${values.host}: give the address that others reach the service at, such as https://listings.example.com, or leave HOST at 127.0.0.1.`,
    );
  }
  return problems;
}

function setting<Value>(
  variable: string,
  parse: (text: string) => Value,
  fallback: NoInfer<Value>,
  description: string,
): Setting<Value> {
  return { variable, parse, fallback: () => fallback, description };
}

function lazy<Value>(
  variable: string,
  parse: (text: string) => Value,
  fallback: () => NoInfer<Value>,
  description: string,
): Setting<Value> {
  return { variable, parse, fallback, description };
}

function optional<Value>(
  variable: string,
  parse: (text: string) => Value,
  description: string,
): Setting<Value | undefined> {
  return { variable, parse, fallback: () => undefined, description };
}

function findDataDir(): string {
  return envPaths('marketplace-listing-service', { suffix: '' }).data;
}
