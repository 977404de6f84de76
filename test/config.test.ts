import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listAdvice } from '../src/config/advice.js';
import { listRemoved } from '../src/config/removed.js';
import { findUploadFolders } from '../src/config/upload_folders.js';
import { listSettings, loadConfig } from '../src/config.js';

/** The sentences of the refusal. */
function refuse(environment: Record<string, string>): string[] {
  try {
    loadConfig({}, environment);
  } catch (error) {
    return (error as Error).message.split('\n');
  }
  return [];
}

function advise(environment: Record<string, string>): string[] {
  return listAdvice(loadConfig({}, environment));
}

describe('settings', () => {
  it('have sensible defaults', () => {
    const config = loadConfig({}, {});
    expect(config).toEqual({
      host: '127.0.0.1',
      port: 3000,
      role: 'both',
      base_url: 'http://localhost:3000',
      blob_store: undefined,
      s3_endpoint: undefined,
      s3_region: 'us-east-1',
      s3_access_key_id: undefined,
      s3_secret_access_key: undefined,
      s3_path_style: undefined,
      data_dir: expect.stringMatching(/marketplace-listing-service/),
      database_url: undefined,
      database_password: undefined,
      database_max_connections: 10,
      log_level: 'info',
      marketplace: 'sandbox',
      etsy_api_url: 'https://api.etsy.com',
      etsy_auth_url: 'https://www.etsy.com',
      https_proxy: undefined,
      no_proxy: [],
      extra_ca_certs: undefined,
      marketplace_proxy: undefined,
      etsy_keystring: undefined,
      etsy_shared_secret: undefined,
      etsy_webhook_secret: [],
      order_poll_seconds: 60,
      rate_limit_per_second: 2,
      rate_limit_per_day: 5000,
      egress_allow_cidrs: [],
      webhook_allow_http: false,
      confirm_spending: true,
      max_activations_per_day: 20,
      mcp_wait_seconds: 50,
      reconcile_settle_ms: 30_000,
      upload_roots: findUploadFolders(process.platform, {}, homedir()),
      master_key: undefined,
      trust_proxy: false,
      metrics_token: undefined,
      tools: undefined,
      read_only: false,
      sandbox_control: false,
      sandbox_latency_ms: 0,
      sandbox_rate: 10,
    });
  });

  it('are read from the environment', () => {
    const config = loadConfig(
      {},
      {
        HOST: '[::1]',
        PORT: '8080',
        DATA_DIR: '/srv/data',
        EGRESS_ALLOW_CIDRS: '10.0.0.0/8, ::1/128',
        UPLOAD_ROOTS: '/a,~/b',
        TRUST_PROXY: '10.0.0.1, 192.168.0.0/16',
        TOOLS: 'stores, listing_schema',
        READ_ONLY: 'ON',
        ETSY_WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw, MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
        ORDER_POLL_SECONDS: 'off',
        CONFIRM_SPENDING: 'off',
        MAX_ACTIVATIONS_PER_DAY: '0',
        LOG_LEVEL: '',
      },
    );
    expect(config).toMatchObject({
      host: '::1',
      base_url: 'http://localhost:8080',
      data_dir: '/srv/data',
      egress_allow_cidrs: ['10.0.0.0/8', '::1/128'],
      upload_roots: ['/a', join(homedir(), 'b')],
      trust_proxy: ['10.0.0.1', '192.168.0.0/16'],
      tools: ['stores', 'listing_schema'],
      read_only: true,
      etsy_webhook_secret: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      order_poll_seconds: undefined,
      confirm_spending: false,
      max_activations_per_day: 0,
      log_level: 'info',
    });
  });

  it('can lift the daily limit of fees with one word', () => {
    for (const word of ['unlimited', 'Unlimited']) {
      expect(loadConfig({}, { MAX_ACTIVATIONS_PER_DAY: word }).max_activations_per_day).toBeUndefined();
    }
    expect(refuse({ MAX_ACTIVATIONS_PER_DAY: 'none' })).toEqual([
      'MAX_ACTIVATIONS_PER_DAY must be a whole number from 0 to 1000000, or unlimited, not "none".',
    ]);
  });

  it('make links on localhost, whichever of its addresses the server listens on, unless BASE_URL says otherwise', () => {
    for (const HOST of ['127.0.0.1', '::1', '[::1]', 'localhost']) {
      expect(loadConfig({}, { HOST, PORT: '8080' }).base_url).toBe('http://localhost:8080');
    }
    expect(loadConfig({}, { HOST: '127.9.9.9' }).base_url).toBe('http://127.9.9.9:3000');
    expect(loadConfig({}, { BASE_URL: 'http://127.0.0.1:3000' }).base_url).toBe('http://127.0.0.1:3000');
  });

  it('are overridden by flags', () => {
    expect(loadConfig({ PORT: '4000' }, { PORT: '8080' }).port).toBe(4000);
  });

  it('that are wrong are refused all at once, each by its name and with the fix', () => {
    expect(
      refuse({
        PORT: '70000',
        READ_ONLY: 'maybe',
        BASE_URL: 'example.com',
        MARKETPLACE: 'ebay',
        EGRESS_ALLOW_CIDRS: '10.0.0.0',
        UPLOAD_ROOTS: 'pictures',
        MASTER_KEY: 'short',
        HOST: 'a b',
        TRUST_PROXY: 'proxy',
        ETSY_KEYSTRING: 'two words',
      }),
    ).toEqual([
      'HOST must be an IP address or a host name such as 127.0.0.1, not "a b".',
      'PORT must be a whole number from 0 to 65535, not "70000".',
      'BASE_URL must be an http or https address such as https://listings.example.com, not "example.com".',
      'MARKETPLACE must be one of sandbox, etsy, not "ebay".',
      'ETSY_KEYSTRING must be one word without spaces.',
      'EGRESS_ALLOW_CIDRS must be networks separated by commas, such as 10.0.0.0/8; "10.0.0.0" is not one.',
      'UPLOAD_ROOTS must be absolute folders separated by commas; "pictures" is not absolute.',
      'MASTER_KEY must be 32 bytes, as base64 or as 64 hexadecimal digits (openssl rand -base64 32 makes one).',
      'TRUST_PROXY must be on, off, or addresses and networks separated by commas, such as 10.0.0.0/8, not "proxy".',
      'READ_ONLY must be 1, 0, true, false, on or off, not "maybe".',
    ]);
  });

  it('are refused without repeating a password in them', () => {
    const wrong = {
      BASE_URL: 'https://me:pa55word@listings.example.com',
      S3_ENDPOINT: 'https://:pa55word@s3.example.com',
      ETSY_API_URL: 'https://api.example.com/?key=pa55word',
      ETSY_AUTH_URL: 'me:pa55word@example.com',
      BLOB_STORE: 's3://me:pa55word@bucket',
      DATABASE_URL: 'mysql://me:pa55word@db/listings',
      HOST: 'me:pa55word@host',
      EGRESS_ALLOW_CIDRS: 'me:pa55word@10.0.0.0/8',
      TRUST_PROXY: 'http://me:pa55word@proxy',
      MARKETPLACE: 'etsy:pa55word@host',
      ETSY_KEYSTRING: 'two pa55word',
      PORT: 'me:pa55word@3000',
    };
    const problems = refuse(wrong);
    expect(new Set(problems.map((line) => line.split(' ')[0]))).toEqual(new Set(Object.keys(wrong)));
    expect(problems.join()).not.toContain('pa55word');
    expect(refuse({ S3_ENDPOINT: wrong.S3_ENDPOINT })).toEqual([
      'S3_ENDPOINT must be an address without user, password, ? and #, such as https://listings.example.com.',
    ]);
  });

  it('that only work together are refused separately', () => {
    expect(refuse({ MARKETPLACE: 'etsy', ETSY_KEYSTRING: 'k' })).toEqual([
      expect.stringContaining('ETSY_KEYSTRING and ETSY_SHARED_SECRET must be set together'),
    ]);
    expect(refuse({ MARKETPLACE: 'etsy', ETSY_SHARED_SECRET: 's' })).toHaveLength(1);
    expect(refuse({ MARKETPLACE: 'etsy', DATA_DIR: '/nowhere' })).toEqual([]);
    expect(refuse({ HOST: '0.0.0.0' })).toEqual([expect.stringContaining('BASE_URL must be set')]);
    expect(refuse({ HOST: '0.0.0.0', BASE_URL: 'https://listings.example.com/' })).toEqual([]);
    expect(refuse({ HOST: '127.9.9.9' })).toEqual([]);
    expect(refuse({ HOST: 'localhost' })).toEqual([]);
  });

  it('name a bucket or a folder for files', () => {
    const key = { S3_ACCESS_KEY_ID: 'k', S3_SECRET_ACCESS_KEY: 's' };
    const read = (BLOB_STORE: string) => loadConfig({}, { ...key, BLOB_STORE }).blob_store;
    expect(read('s3://my.bucket/a/b-1_2/')).toEqual({ kind: 's3', bucket: 'my.bucket', prefix: 'a/b-1_2' });
    expect(read('s3://bucket')).toEqual({ kind: 's3', bucket: 'bucket', prefix: '' });
    expect(read('file:///srv/my%20files')).toEqual({ kind: 'folder', path: '/srv/my files' });
    for (const BLOB_STORE of [
      '/srv/files',
      's3://',
      's3://b/../c',
      's3://bucket/a//b',
      's3://bucket?x=1',
      'file://host/x',
      'file:///',
    ]) {
      expect(refuse({ ...key, BLOB_STORE })).toEqual([
        `BLOB_STORE must be s3://bucket/prefix of letters, digits and . _ - /, or file:///folder, not "${BLOB_STORE}".`,
      ]);
    }
    expect(refuse({ BLOB_STORE: 's3://bucket', S3_ACCESS_KEY_ID: 'k', DATA_DIR: '/nowhere' })).toEqual([
      expect.stringMatching(
        /^S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set when BLOB_STORE is a bucket/,
      ),
    ]);
  });

  it('put a separate password into the database URL if that has none', () => {
    expect(readAddress('postgres://me@db/listings')).toBe('postgres://me:a%25b%2Fc%20d@db/listings');
    expect(readAddress('postgres://me:own@db/listings')).toBe('postgres://me:own@db/listings');
    expect(readAddress('postgres://db/listings?password=own')).toBe('postgres://db/listings?password=own');
    expect(readAddress('postgres:///listings?host=/run')).toBe(
      'postgres:///listings?host=%2Frun&password=a%25b%2Fc+d',
    );
    expect(refuse({ DATABASE_URL: 'postgres://me:100%@db/listings' })).toEqual([
      'DATABASE_URL must be an address with a password in which each % is written as %25.',
    ]);
  });

  it('that are allowed but seldom intended cause a warning', () => {
    const https = { BASE_URL: 'https://listings.example' };
    expect(advise({})).toEqual([]);
    expect(advise({ ...https, TRUST_PROXY: 'on' })).toEqual([]);
    expect(advise({ ...https, HOST: '0.0.0.0', TRUST_PROXY: '10.0.0.1' })).toEqual([]);
    expect(advise({ BASE_URL: 'http://localhost:8080', HOST: '0.0.0.0' })).toEqual([]);
    expect(advise({ BASE_URL: 'http://192.168.1.5:3000', HOST: '0.0.0.0' })).toEqual([
      expect.stringContaining('https'),
    ]);
    expect(advise(https)).toEqual([expect.stringContaining('Set TRUST_PROXY=on')]);
    expect(advise({ ...https, HOST: '0.0.0.0', TRUST_PROXY: 'on' })).toEqual([
      expect.stringContaining("Set it to the proxy's addresses"),
    ]);
  });

  it('are listed for help', () => {
    expect(listSettings()).toContainEqual({
      variable: 'PORT',
      default: '3000',
      description: 'Port to listen on; 0 takes any free one',
    });
  });
});

function readAddress(DATABASE_URL: string): string | undefined {
  return loadConfig({}, { DATABASE_URL, PGPASSWORD: 'a%b/c d', DATA_DIR: '/nowhere' }).database_url;
}

function findProxy(environment: Record<string, string>): string | undefined {
  return loadConfig({}, { MARKETPLACE: 'etsy', ...environment }).marketplace_proxy;
}

describe('the proxy for the marketplace', () => {
  it('is HTTPS_PROXY, in upper or lower case (which wins), and only for the real marketplace', () => {
    const HTTPS_PROXY = 'http://secure.example:3128';
    expect(findProxy({ HTTPS_PROXY })).toBe('http://secure.example:3128/');
    expect(findProxy({ HTTPS_PROXY, ETSY_API_URL: 'http://api.example' })).toBe(
      'http://secure.example:3128/',
    );
    expect(findProxy({ HTTPS_PROXY, https_proxy: 'small.example:8080' })).toBe('http://small.example:8080/');
    expect(findProxy({ HTTPS_PROXY, MARKETPLACE: 'sandbox' })).toBeUndefined();
  });

  it.each([
    ['*', false],
    ['etsy.com', false],
    ['.etsy.com', false],
    ['*.ETSY.com', false],
    ['api.etsy.com:443', false],
    ['localhost 10.0.0.0/8 api.etsy.com', false],
    ['api.etsy.com:8443', true],
    ['tsy.com', true],
    ['www.etsy.com,', true],
  ])('with NO_PROXY=%s is used: %s', (no_proxy, isUsed) => {
    const https_proxy = 'http://proxy.example:3128/';
    expect(findProxy({ https_proxy, no_proxy })).toBe(isUsed ? https_proxy : undefined);
  });

  it('is refused if it is not an HTTP proxy, without quoting its password', () => {
    const [refusal] = refuse({ HTTPS_PROXY: 'socks5://dana:secret@proxy.example' });
    expect(refusal).toMatch(/^HTTPS_PROXY must be the address of an http or https proxy, such as /);
    expect(refusal).not.toContain('secret');
  });
});

it('settings in the environment that are no longer read are named', () => {
  expect(listRemoved({ ORDER_POLL: 'off', MAX_DRAFTS: '5', MAX_FETCHES: '', PORT: '8080' })).toEqual([
    'ORDER_POLL is no longer a setting and has no effect. To stop the polls, set ORDER_POLL_SECONDS=off.',
    'MAX_DRAFTS is no longer a setting and has no effect. The limit is fixed.',
  ]);
});
