import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ipaddr from 'ipaddr.js';

/*
 * Functions that turn the text of an environment variable into a typed value. Each throws an Error whose message ends the sentence
 * "VARIABLE must be ...".
 */

export function toWhole(min: number, max: number): (text: string) => number {
  return (text) => {
    if (isWhole(text, min, max)) return Number(text);
    throw new Error(`a whole number from ${min} to ${max}, not ${quote(text)}`);
  };
}

/** @param word read as undefined */
export function toWholeOr(word: string, min: number, max: number): (text: string) => number | undefined {
  return (text) => {
    if (text.toLowerCase() === word) return undefined;
    if (isWhole(text, min, max)) return Number(text);
    throw new Error(`a whole number from ${min} to ${max}, or ${word}, not ${quote(text)}`);
  };
}

function isWhole(text: string, min: number, max: number): boolean {
  return /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max;
}

export function toBoolean(text: string): boolean {
  if (['1', 'true', 'on'].includes(text.toLowerCase())) return true;
  if (['0', 'false', 'off'].includes(text.toLowerCase())) return false;
  throw new Error(`1, 0, true, false, on or off, not ${quote(text)}`);
}

export function toOneOf<const Value extends string>(values: readonly Value[]): (text: string) => Value {
  return (text) => {
    const found = values.find((value) => value === text);
    if (found !== undefined) return found;
    throw new Error(`one of ${values.join(', ')}, not ${quote(text)}`);
  };
}

export function toUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The text after these may be a secret, so the value is not repeated.
  if (url && (url.username || url.password || url.search || url.hash)) {
    throw new Error('an address without user, password, ? and #, such as https://listings.example.com');
  }
  if (url && /^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, '');
  throw new Error(`an http or https address such as https://listings.example.com, not ${quote(text)}`);
}

/**
 * The address of an HTTP proxy; a bare host and port mean http. A wrong value is not repeated, since it may
 * contain a password.
 */
export function toProxy(text: string): string {
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url.href;
  throw new Error(
    'the address of an http or https proxy, such as http://proxy.example.com:3128; others, such as socks5, are not supported, and an empty value means none',
  );
}

/** Hosts, separated by commas or spaces. */
export function toHosts(text: string): string[] {
  return text.split(/[,\s]+/).filter((part) => part !== '');
}

/**
 * Where files are stored: a folder, or a bucket and the prefix of its keys, which has no slash at either end
 * and may be empty.
 */
type BlobStore = { kind: 'folder'; path: string } | { kind: 's3'; bucket: string; prefix: string };

export function toBlobStore(text: string): BlobStore {
  const [, bucket, path = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(\/[\w./-]{0,500})?$/i.exec(text) ?? [];
  const prefix = path.replace(/^\/|\/$/g, '');
  // Empty parts, `.` and `..` are refused, because servers and proxies differ in how they resolve them.
  const isPlain = prefix === '' || prefix.split('/').every((part) => !['', '.', '..'].includes(part));
  if (bucket !== undefined && isPlain) return { kind: 's3', bucket, prefix };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'file:' && url.host === '' && !url.search && !url.hash && url.pathname.length > 1) {
    return { kind: 'folder', path: resolve(fileURLToPath(url)) };
  }
  throw new Error(`s3://bucket/prefix of letters, digits and . _ - /, or file:///folder, not ${quote(text)}`);
}

/** A wrong value is not repeated in the message: it may be a secret in the wrong place. */
export function toBucketKey(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new Error('one word without spaces');
}

export function toHost(text: string): string {
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  if (ipaddr.isValid(bare) || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(bare)) return bare;
  throw new Error(`an IP address or a host name such as 127.0.0.1, not ${quote(text)}`);
}

export function toPath(text: string): string {
  const path = text.startsWith('~/') ? join(homedir(), text.slice(2)) : text;
  return resolve(path);
}

export function toPaths(text: string): string[] {
  return split(text).map((part) => {
    const path = part.startsWith('~/') ? join(homedir(), part.slice(2)) : part;
    if (isAbsolute(path)) return path;
    throw new Error(`absolute folders separated by commas; ${quote(part)} is not absolute`);
  });
}

export function toCidrs(text: string): string[] {
  return split(text).map((part) => {
    if (ipaddr.isValidCIDR(part)) return part;
    throw new Error(`networks separated by commas, such as 10.0.0.0/8; ${quote(part)} is not one`);
  });
}

/** Whether proxies are trusted, or the addresses of those that are. */
export function toProxies(text: string): boolean | string[] {
  try {
    return toBoolean(text);
  } catch {
    return split(text).map((part) => {
      if (ipaddr.isValid(part) || ipaddr.isValidCIDR(part)) return part;
      throw new Error(
        `on, off, or addresses and networks separated by commas, such as 10.0.0.0/8, not ${quote(text)}`,
      );
    });
  }
}

export function toNames(text: string): string[] {
  const names = split(text);
  const wrong = names.find((name) => !/^[a-z][a-z_-]*$/.test(name));
  if (wrong === undefined && names.length > 0) return names;
  throw new Error(
    `lowercase names separated by commas, such as listing-builder,stores_list, not ${quote(wrong ?? text)}`,
  );
}

/** Any characters. */
export function toPassword(text: string): string {
  return text;
}

export function toWord(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new Error('one word without spaces');
}

/** A wrong value is not repeated in the message, since it is a secret. */
export function toSecretWord(text: string): string {
  if (/^[\x21-\x7e]{16,}$/.test(text)) return text;
  throw new Error('16 characters or more, without spaces (openssl rand -hex 16 makes some)');
}

/** The forms that `parseMasterKey` of the store takes. A wrong value is not repeated in the message, since it is a secret. */
export function toMasterKey(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text) || /^[0-9A-Za-z+/]{43}=?$/.test(text)) return text;
  throw new Error('32 bytes, as base64 or as 64 hexadecimal digits (openssl rand -base64 32 makes one)');
}

/** A wrong value is not repeated in the message, since it is a secret. */
export function toSecrets(text: string): string[] {
  return split(text).map((part) => {
    const base64 = part.replace(/^whsec_/, '');
    if (/^[A-Za-z0-9+/]+={0,2}$/.test(base64) && Buffer.from(base64, 'base64').length >= 16) return part;
    throw new Error('one or more signing secrets separated by commas, each as whsec_ and base64');
  });
}

function split(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** An address may have a password before its @, which would end up in logs. */
function quote(text: string): string {
  return text.includes('@') ? 'the value that is set' : `"${text.slice(0, 100)}"`;
}

/** A wrong value is not repeated in the message, since it contains a password. */
export function toDatabaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && BAD_PERCENT.test(url.password)) {
    throw new Error('an address with a password in which each % is written as %25');
  }
  if (url && /^postgres(ql)?:$/.test(url.protocol) && url.pathname.length > 1) return text;
  throw new Error(
    'an address such as postgres://user:password@db.example.com:5432/listings?sslmode=verify-full',
  );
}

/** Encoding never produces this. */
const BAD_PERCENT = /%(?![0-9a-f]{2})/i;
