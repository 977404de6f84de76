import { homedir } from 'node:os';
import envPaths from 'env-paths';
import { LOG_LEVELS } from '../world/log_levels.js';
import { DATABASE_PASSWORD } from './database_password.js';
import {
  toBlobStore,
  toBoolean,
  toBucketKey,
  toCidrs,
  toDatabaseUrl,
  toHost,
  toHosts,
  toMasterKey,
  toNames,
  toOneOf,
  toPath,
  toPaths,
  toProxies,
  toProxy,
  toSecrets,
  toPassword,
  toSecretWord,
  toUrl,
  toWhole,
  toWholeOr,
  toWord,
} from './parse.js';
import { findUploadFolders } from './upload_folders.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** How one setting is read. */
export type Setting<Value> = {
  variable: string;
  /** Other programs read it too, also under its lowercase name, which takes precedence. */
  isSmallToo?: true;
  /** Throws an Error whose message ends the sentence "VARIABLE must be ...". */
  parse: (text: string) => Value;
  /** Reads only `environment`: only config.ts reads that of the process. */
  fallback: (environment: Environment) => Value;
  description: string;
};

/** Every setting of the service: its name, how it is read, its default, and the message for a wrong value. */
export const SETTINGS = {
  host: setting('HOST', toHost, '127.0.0.1', 'Address to listen on'),
  port: setting('PORT', toWhole(0, 65_535), 3000, 'Port to listen on; 0 takes any free one'),
  role: setting(
    'ROLE',
    toOneOf(['both', 'web', 'worker']),
    'both',
    'What this instance does: web serves callers, worker does background work; both, unless several share it',
  ),
  base_url: optional('BASE_URL', toUrl, 'Where browsers and assistants reach the service'),
  data_dir: lazy(
    'DATA_DIR',
    toPath,
    findDataDir,
    'Folder of the database, the files and the key; with DATABASE_URL, of the key and the files',
  ),
  database_url: optional(
    'DATABASE_URL',
    toDatabaseUrl,
    'postgres://user:password@host/database of a PostgreSQL server, 15 or newer, with sslmode and sslrootcert as in psql. Without it, SQLite in DATA_DIR',
  ),
  database_password: optional(
    DATABASE_PASSWORD,
    toPassword,
    'The password, if DATABASE_URL has none; if unset, read from the file database_password in DATA_DIR',
  ),
  database_max_connections: setting(
    'DATABASE_MAX_CONNECTIONS',
    toWhole(2, 1_000),
    10,
    "Maximum number of this instance's connections to the PostgreSQL server",
  ),
  blob_store: optional(
    'BLOB_STORE',
    toBlobStore,
    'Where files are stored: s3://bucket/prefix, or file:///folder; if unset, the folder blobs in DATA_DIR',
  ),
  s3_endpoint: optional('S3_ENDPOINT', toUrl, "Address of the bucket's server; if unset, AWS in S3_REGION"),
  s3_region: setting('S3_REGION', toBucketKey, 'us-east-1', 'Region of the bucket; auto for R2'),
  s3_access_key_id: optional('S3_ACCESS_KEY_ID', toBucketKey, 'Access key of the bucket'),
  s3_secret_access_key: optional(
    'S3_SECRET_ACCESS_KEY',
    toBucketKey,
    'Its secret; if unset, read from the file s3_secret_access_key in DATA_DIR',
  ),
  s3_path_style: optional(
    'S3_PATH_STYLE',
    toBoolean,
    'Whether the path names the bucket, not the host; on if S3_ENDPOINT is set, otherwise off',
  ),
  log_level: setting('LOG_LEVEL', toOneOf(LOG_LEVELS), 'info', 'How much is logged, to stderr'),
  marketplace: setting(
    'MARKETPLACE',
    toOneOf(['sandbox', 'etsy']),
    'sandbox',
    'The embedded marketplace, or the real one',
  ),
  etsy_api_url: setting('ETSY_API_URL', toUrl, 'https://api.etsy.com', "The marketplace's API"),
  etsy_auth_url: setting('ETSY_AUTH_URL', toUrl, 'https://www.etsy.com', 'Where sellers give their consent'),
  https_proxy: shared(
    optional(
      'HTTPS_PROXY',
      toProxy,
      "Proxy for calls to the marketplace's API, and for its photos and videos in imports; also read in lowercase",
    ),
  ),
  no_proxy: shared(
    lazy(
      'NO_PROXY',
      toHosts,
      () => [],
      'Hosts that are called without the proxy, comma-separated; * for all; also read in lowercase',
    ),
  ),
  extra_ca_certs: optional(
    'NODE_EXTRA_CA_CERTS',
    toPath,
    'File of additional certificates for Node to trust, such as that of a proxy that inspects TLS',
  ),
  etsy_keystring: optional(
    'ETSY_KEYSTRING',
    toWord,
    "The installation's application; leave unset if each shop brings its own",
  ),
  etsy_shared_secret: optional(
    'ETSY_SHARED_SECRET',
    toWord,
    "The application's secret; if unset, read from the file etsy_shared_secret in DATA_DIR",
  ),
  etsy_webhook_secret: lazy(
    'ETSY_WEBHOOK_SECRET',
    toSecrets,
    () => [],
    "Secret that signs the marketplace's own webhooks; two, comma-separated, during a rotation",
  ),
  order_poll_seconds: setting(
    'ORDER_POLL_SECONDS',
    toWholeOr('off', 1, 86_400),
    60,
    "Minimum time between two polls of a shop's orders; off disables polling",
  ),
  rate_limit_per_second: setting(
    'RATE_LIMIT_PER_SECOND',
    toWhole(1, 1_000_000),
    2,
    'Calls per second and account',
  ),
  rate_limit_per_day: setting(
    'RATE_LIMIT_PER_DAY',
    toWhole(1, 1_000_000_000),
    5000,
    'Calls per day and account',
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
    'Whether fees are confirmed over MCP, and over REST with an access token: by the seller, or with a second call. With `off`, nobody is asked',
  ),
  max_activations_per_day: setting(
    'MAX_ACTIVATIONS_PER_DAY',
    toWholeOr('unlimited', 0, 1_000_000),
    20,
    'Number of listing fees an account may spend in 24 hours; 0 forbids them, unlimited removes the limit',
  ),
  mcp_wait_seconds: setting('MCP_WAIT_SECONDS', toWhole(1, 3600), 50, 'How long an MCP call blocks'),
  reconcile_settle_ms: setting(
    'RECONCILE_SETTLE_MS',
    toWhole(0, 600_000),
    30_000,
    'How long the effect of a timed-out call may take to become visible',
  ),
  upload_roots: lazy(
    'UPLOAD_ROOTS',
    toPaths,
    (environment) => findUploadFolders(process.platform, environment, homedir()),
    'Folders that a local assistant may upload from, comma-separated',
  ),
  master_key: optional(
    'MASTER_KEY',
    toMasterKey,
    'Encrypts tokens and secrets; if unset, a key file is created',
  ),
  trust_proxy: setting(
    'TRUST_PROXY',
    toProxies,
    false,
    "Whose X-Forwarded-For counts: on if only a proxy can connect, or the proxy's addresses",
  ),
  metrics_token: optional(
    'METRICS_TOKEN',
    toSecretWord,
    'Bearer token that /metrics requires; needed if BASE_URL is not this computer',
  ),
  tools: optional(
    'TOOLS',
    toNames,
    'Tools and groups of tools that assistants are offered, comma-separated; all if unset',
  ),
  read_only: setting('READ_ONLY', toBoolean, false, 'Refuse every operation that changes something'),
  sandbox_control: setting('SANDBOX_CONTROL', toBoolean, false, "Open the sandbox's control routes"),
  sandbox_latency_ms: setting(
    'SANDBOX_LATENCY_MS',
    toWhole(0, 60_000),
    0,
    'Minimum duration of each sandbox answer',
  ),
  sandbox_rate: setting(
    'SANDBOX_RATE',
    toWhole(1, 1_000_000),
    10,
    'Calls per second that the sandbox allows',
  ),
} as const;

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
  fallback: (environment: Environment) => NoInfer<Value>,
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

function shared<Value>(setting: Setting<Value>): Setting<Value> {
  return { ...setting, isSmallToo: true };
}

function findDataDir(): string {
  return envPaths('marketplace-listing-service', { suffix: '' }).data;
}
