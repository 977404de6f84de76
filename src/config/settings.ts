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
  port: setting('PORT', toWhole(0, 65_535), 3000, 'Port to listen on; 0 takes any that is free'),
  role: setting(
    'ROLE',
    toOneOf(['both', 'web', 'worker']),
    'both',
    'What this instance does: web serves callers, worker does the work in the background; both, unless several share it',
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
    'postgres://user:password@host/database of a PostgreSQL server, 15 or newer; sslmode and sslrootcert in it as psql has them. Without it, SQLite in DATA_DIR',
  ),
  database_password: optional(
    DATABASE_PASSWORD,
    toPassword,
    'The password, where DATABASE_URL has none; without it, the file database_password in DATA_DIR has it',
  ),
  database_max_connections: setting(
    'DATABASE_MAX_CONNECTIONS',
    toWhole(2, 1_000),
    10,
    'Connections that this instance keeps to the PostgreSQL server at most',
  ),
  blob_store: optional(
    'BLOB_STORE',
    toBlobStore,
    'Where files are kept: s3://bucket/prefix, or file:///folder; blobs in DATA_DIR when unset',
  ),
  s3_endpoint: optional('S3_ENDPOINT', toUrl, 'Where the bucket is served; AWS in S3_REGION when unset'),
  s3_region: setting('S3_REGION', toBucketKey, 'us-east-1', 'Region of the bucket; auto for R2'),
  s3_access_key_id: optional('S3_ACCESS_KEY_ID', toBucketKey, 'The key that the bucket is used with'),
  s3_secret_access_key: optional(
    'S3_SECRET_ACCESS_KEY',
    toBucketKey,
    'Its secret; without it, the file s3_secret_access_key in DATA_DIR has it',
  ),
  s3_path_style: optional(
    'S3_PATH_STYLE',
    toBoolean,
    'Whether the path names the bucket, not the host; on when S3_ENDPOINT is set, else off',
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
      "Proxy for calls to the marketplace's API, and for its photos and videos in imports; also read in small letters",
    ),
  ),
  no_proxy: shared(
    lazy(
      'NO_PROXY',
      toHosts,
      () => [],
      'Hosts that are called without the proxy, comma-separated; * for all; also read in small letters',
    ),
  ),
  extra_ca_certs: optional(
    'NODE_EXTRA_CA_CERTS',
    toPath,
    'File of certificates that Node trusts as well, such as that of a proxy that inspects TLS',
  ),
  etsy_keystring: optional(
    'ETSY_KEYSTRING',
    toWord,
    "The installation's application; left out where each shop brings its own",
  ),
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
  order_poll_seconds: setting(
    'ORDER_POLL_SECONDS',
    toWholeOr('off', 1, 86_400),
    60,
    'Shortest pause between two polls of the orders of a shop; off stops the polls',
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
    'Whether fees are confirmed over MCP, and over REST with an access token: by the seller, or with a second call. With `off`, nobody is asked',
  ),
  max_activations_per_day: setting(
    'MAX_ACTIVATIONS_PER_DAY',
    toWholeOr('unlimited', 0, 1_000_000),
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
    (environment) => findUploadFolders(process.platform, environment, homedir()),
    'Folders that a local assistant may upload from, comma-separated',
  ),
  master_key: optional('MASTER_KEY', toMasterKey, 'Seals tokens and secrets; without it a key file is made'),
  trust_proxy: setting(
    'TRUST_PROXY',
    toProxies,
    false,
    'Whose X-Forwarded-For counts: on for a proxy that alone can connect, or its addresses',
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
