import { isIP } from 'node:net';
import { parseUrl } from '../../core/text/parse_url.js';
import { MediaError } from '../../core/ports/media.js';
import type { AddressPolicy } from './address_policy.js';

type UrlPurpose = 'media' | 'webhook';

/** Which URLs from outside may be connected to, before any name is resolved. */
export type UrlPolicy = {
  /** Parses and checks. Throws MediaError invalid_url or blocked_address, which names all broken rules. */
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
    const schemes = purpose === 'media' || options.allow_http_webhooks ? ['https:', 'http:'] : ['https:'];
    const problems = [...listInvalid(url, schemes), ...listBlocked(url)];
    const [first] = problems;
    if (first) throw new MediaError(first.failure, problems.map(({ message }) => message).join(' '));
    return url;
  };

  function listBlocked(url: URL): MediaError[] {
    const host = toHost(url);
    const isName = isIP(host) === 0;
    const isExempt = isName ? addresses.has_exemptions : addresses.isExempt(host);
    const isInside = isName ? isLocalName(host) && !isExempt : !addresses.isAllowed(host);
    return [
      ...(PORTS.has(url.port) || isExempt ? [] : [blocked(WRONG_PORT)]),
      ...(isInside ? [blocked('The URL is not on the public internet.')] : []),
    ];
  }

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

function listInvalid(url: URL, schemes: readonly string[]): MediaError[] {
  const host = toHost(url);
  const rules: [boolean, string][] = [
    [url.href.length <= MAX_URL_CHARACTERS, TOO_LONG],
    [
      schemes.includes(url.protocol),
      `The URL must start with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}.`,
    ],
    [url.username === '' && url.password === '', 'The URL must not contain a user name or password.'],
    [isIP(host) !== 0 || isHostname(host), 'The host name in the URL is not valid.'],
  ];
  return rules.flatMap(([isMet, message]) => (isMet ? [] : [invalid(message)]));
}

function isHostname(host: string): boolean {
  return host.length <= 253 && host.split('.').every((label) => LABEL.test(label));
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

function blocked(message: string): MediaError {
  return new MediaError('blocked_address', message);
}

const MAX_URL_CHARACTERS = 2048;
const TOO_LONG = `The URL must have at most ${MAX_URL_CHARACTERS} characters.`;
const WRONG_PORT = 'The URL names a port that is not allowed; use 80, 443, 8080 or 8443.';
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
