import { isIP } from 'node:net';
import { parseUrl } from '../../core/text/parse_url.js';
import { MediaError } from '../../core/ports/media.js';
import type { AddressPolicy } from './address_policy.js';

type UrlPurpose = 'media' | 'webhook';

/** Which URLs from outside may be connected to, before any name is resolved. */
export type UrlPolicy = {
  /** Parses and checks. Throws MediaError invalid_url or blocked_address. */
  checkUrl: (text: string, purpose: UrlPurpose) => URL;
  /** Checks a redirect's target against the page that named it; media only. Throws like checkUrl. */
  checkRedirect: (location: string, from: URL) => URL;
  /** True if this name or port is allowed only for an address that the configuration exempts. */
  isExemptionNeeded: (url: URL) => boolean;
};

export function createUrlPolicy(options: {
  addresses: AddressPolicy;
  allow_http_webhooks: boolean;
}): UrlPolicy {
  const { addresses } = options;

  const judge = (url: URL, purpose: UrlPurpose): URL => {
    if (url.href.length > MAX_URL_CHARACTERS) throw invalid(TOO_LONG);
    checkScheme(url, purpose === 'media' || options.allow_http_webhooks);
    if (url.username !== '' || url.password !== '') {
      throw invalid('The URL must not contain a user name or password.');
    }
    const host = toHost(url);
    if (isIP(host) === 0) {
      checkHostname(host);
      if (isExemptionNeeded(url) && !addresses.has_exemptions) throw blocked(url);
    } else if (!addresses.isAllowed(host) || (isExemptionNeeded(url) && !addresses.isExempt(host))) {
      throw blocked(url);
    }
    return url;
  };

  return {
    checkUrl: (text, purpose) => judge(read(text), purpose),
    checkRedirect(location, from) {
      const url = read(location, from.href);
      if (from.protocol === 'https:' && url.protocol === 'http:') {
        throw invalid('The URL redirects from https to http, which is not followed.');
      }
      return judge(url, 'media');
    },
    isExemptionNeeded,
  };
}

/** The name or literal to connect to, without the brackets of IPv6. */
export function toHost(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
}

function read(text: string, base?: string): URL {
  if (text.length > MAX_URL_CHARACTERS) throw invalid(TOO_LONG);
  // The parser silently drops or rewrites these, so that the URL shown would not be the URL used.
  if (/[\s\\]/.test(text) || hasControl(text)) {
    throw invalid('The URL must not contain spaces, control characters or backslashes.');
  }
  const url = parseUrl(text, base);
  if (!url) throw invalid('The URL is not valid; write it in full, starting with https://.');
  return url;
}

function hasControl(text: string): boolean {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0).some(
    (code) => code < 0x20 || (code >= 0x7f && code < 0xa0),
  );
}

function checkScheme(url: URL, isHttpAllowed: boolean): void {
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isHttpAllowed)) return;
  throw invalid(`The URL must start with ${isHttpAllowed ? 'https:// or http://' : 'https://'}.`);
}

function checkHostname(host: string): void {
  const labels = host.split('.');
  const isValid = host.length <= 253 && labels.every((label) => LABEL.test(label));
  if (!isValid) throw invalid('The host name in the URL is not valid.');
}

function isExemptionNeeded(url: URL): boolean {
  const host = toHost(url);
  return !PORTS.has(url.port) || (isIP(host) === 0 && isLocalName(host));
}

/** A name that has a meaning on one network only. */
export function isLocalName(host: string): boolean {
  return !host.includes('.') || LOCAL_SUFFIXES.some((suffix) => host.endsWith(suffix));
}

function invalid(message: string): MediaError {
  return new MediaError('invalid_url', message);
}

function blocked(url: URL): MediaError {
  const message = PORTS.has(url.port)
    ? 'The URL leads to an address that is not on the public internet.'
    : 'The URL names a port that is not allowed; use 80, 443, 8080 or 8443.';
  return new MediaError('blocked_address', message);
}

const MAX_URL_CHARACTERS = 2048;
const TOO_LONG = `The URL must have at most ${MAX_URL_CHARACTERS} characters.`;
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** As URL prints them: the scheme's own port is the empty string. */
const PORTS: ReadonlySet<string> = new Set(['', '80', '443', '8080', '8443']);

const LOCAL_SUFFIXES = [
  '.local',
  '.localhost',
  '.localdomain',
  '.internal',
  '.intranet',
  '.private',
  '.lan',
  '.home',
  '.home.arpa',
  '.corp',
] as const;
