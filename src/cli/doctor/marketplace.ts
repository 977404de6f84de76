import { readFile } from 'node:fs/promises';
import type { Config } from '../../config.js';
import { toShownProxy } from '../../config/proxy.js';
import type { ApplicationExamination } from '../../compose/examination.js';
import { cleanForeign, quoteAnswer } from '../../core/text/foreign.js';
import type { MarketplaceError } from '../../core/ports/index.js';
import { CALLBACK_PATH } from '../../core/shops/connecting.js';
import type { FactsExamination } from '../../compose/published_document.js';
import { ok, problem, skipped, warning, type Check } from './check.js';

/**
 * Reports which proxy the marketplace is called through, and whether Node's additional trusted certificates
 * can be read.
 */
export async function checkProxy({
  marketplace_proxy,
  extra_ca_certs,
}: Pick<Config, 'marketplace_proxy' | 'extra_ca_certs'>): Promise<Check[]> {
  const checks: Check[] = [];
  if (marketplace_proxy !== undefined) {
    checks.push(ok('proxy', `The marketplace is called through ${toShownProxy(marketplace_proxy)}.`));
  }
  if (extra_ca_certs !== undefined && !(await isReadable(extra_ca_certs))) {
    checks.push(
      problem(
        'proxy',
        `NODE_EXTRA_CA_CERTS names ${extra_ca_certs}, which cannot be read, so Node ignores it.`,
        'Name a file of certificates in PEM form, or unset NODE_EXTRA_CA_CERTS.',
      ),
    );
  }
  return checks;
}

async function isReadable(file: string): Promise<boolean> {
  return readFile(file).then(
    () => true,
    () => false,
  );
}

/** Beyond this, tokens and activations are judged by a time that is not the marketplace's. */
const MAX_SKEW_MS = 60_000;

/** This many characters of a keystring identify an application. */
const SHOWN_CHARS = 8;

/**
 * Checks that each application's key is valid and approved, that the clocks agree, and that there are calls
 * left.
 * @param proxy the one that the marketplace is called through
 */
export function checkApplications(
  examined: readonly ApplicationExamination[] | undefined,
  proxy?: string,
): Check[] {
  if (!examined) {
    return [
      skipped(
        'application',
        'MARKETPLACE is sandbox, which has its own application; set etsy for the real marketplace.',
      ),
    ];
  }
  if (examined.length === 0) {
    return [
      warning(
        'application',
        'None is set: each shop brings its own. ETSY_KEYSTRING sets one for the installation.',
        'Run listing-service connect, which asks for it.',
      ),
    ];
  }
  return examined.flatMap((application) => checkApplication(application, proxy));
}

function checkApplication(examined: ApplicationExamination, proxy: string | undefined): Check[] {
  const { keystring, account_name } = examined;
  const checks = [
    ...checkKey(examined),
    checkApproval(examined, proxy),
    checkClock(examined),
    checkLimits(examined),
  ];
  if (account_name === undefined) return checks;
  const of = `${keystring.slice(0, SHOWN_CHARS)}… of ${cleanForeign(account_name)}`;
  return checks.map((check) => ({ ...check, name: `${check.name} ${of}` }));
}

/** Requests send `keystring:shared_secret`, so neither may contain the other. */
function checkKey({ keystring }: ApplicationExamination): Check[] {
  if (!keystring.includes(':')) return [];
  return [
    problem(
      'application key',
      'ETSY_KEYSTRING contains a colon: it seems to include the shared secret.',
      'Put the part before the colon into ETSY_KEYSTRING, and the part after it into ETSY_SHARED_SECRET.',
    ),
  ];
}

function checkApproval(
  { application, account_name }: ApplicationExamination,
  proxy: string | undefined,
): Check {
  if ('id' in application) return ok('application', `The marketplace knows application ${application.id}.`);
  const { error } = application;
  if (error.failure === 'unavailable') {
    const through = proxy === undefined ? '' : ` through the proxy ${toShownProxy(proxy)}`;
    return problem(
      'application',
      `The marketplace did not answer${through}: ${quoteAnswer(error)}.`,
      toConnectionRemedy(error, proxy !== undefined),
    );
  }
  return problem(
    'application',
    `The marketplace answered: ${quoteAnswer(error)}.`,
    toRemedy(error, account_name),
  );
}

function toConnectionRemedy({ message }: MarketplaceError, isProxied: boolean): string {
  if (/CERT|SIGNATURE/.test(message)) {
    return 'If this network inspects TLS, set NODE_EXTRA_CA_CERTS to its certificate file.';
  }
  return isProxied
    ? "Check HTTPS_PROXY, this computer's connection, and ETSY_API_URL if it is set. NO_PROXY lists hosts that are called without the proxy."
    : "Check this computer's connection, and ETSY_API_URL if it is set. If this network needs a proxy, set HTTPS_PROXY.";
}

function toRemedy(
  { failure, retry_after_seconds }: MarketplaceError,
  account_name: string | undefined,
): string {
  if (failure === 'rate_limited')
    return `Wait ${Math.ceil(retry_after_seconds ?? 1)} seconds, and try again.`;
  if (account_name !== undefined) {
    return 'Check at etsy.com/developers/your-apps that the application is approved, or reconnect its shop with its keystring and shared secret.';
  }
  return 'Check ETSY_KEYSTRING and ETSY_SHARED_SECRET, and check at etsy.com/developers/your-apps that the application is approved.';
}

function checkClock({ clock_skew_ms }: ApplicationExamination): Check {
  if (clock_skew_ms === undefined) return skipped('clock', 'Not compared: the marketplace did not answer.');
  const seconds = Math.round(Math.abs(clock_skew_ms) / 1000);
  if (Math.abs(clock_skew_ms) <= MAX_SKEW_MS) {
    return ok('clock', seconds <= 1 ? "It agrees with the marketplace's." : `It is ${seconds} seconds off.`);
  }
  return problem(
    'clock',
    `It is ${seconds} seconds ${clock_skew_ms > 0 ? 'behind' : 'ahead of'} the marketplace's.`,
    "Synchronize this computer's clock with NTP.",
  );
}

function checkLimits({ limits }: ApplicationExamination): Check {
  const { per_second, per_day, remaining_today } = limits;
  if (remaining_today === null) return skipped('limits', 'The marketplace did not report them.');
  const left = `${remaining_today} of ${per_day ?? 'an unknown number of'} calls are left today`;
  const message = `${left}, ${per_second ?? 'an unknown number'} a second.`;
  if (remaining_today > (per_day ?? 0) / 10) return ok('limits', message);
  return warning(
    'limits',
    message,
    "The last hundredth is reserved for people's requests. Each call is available again after 24 hours. To request a higher limit, go to etsy.com/developers.",
  );
}

const LOOPBACK_IPS = new Set(['127.0.0.1', '[::1]']);

/** Checks that a marketplace would redirect sellers to the callback address. */
export function checkCallbackAddress(base_url: string): Check {
  const address = `${base_url}${CALLBACK_PATH}`;
  const { protocol, hostname } = new URL(address);
  if (protocol === 'https:') {
    return ok('callback address', `${address} must be registered with the application, exactly as shown.`);
  }
  if (LOOPBACK_IPS.has(hostname)) {
    return warning(
      'callback address',
      `${address} has an IP address, which the marketplace does not accept for callback addresses.`,
      'Set BASE_URL to the same address with localhost, or leave it out.',
    );
  }
  if (hostname === 'localhost') {
    return ok(
      'callback address',
      `${address} must be registered with the application, exactly as shown.`,
      'If the marketplace accepts only https, put the service behind https and set BASE_URL to its address.',
    );
  }
  return problem(
    'callback address',
    `${address} is neither https nor on this computer, so the marketplace does not send sellers to it.`,
    'Put the service behind https and set BASE_URL to its address.',
  );
}

const YEAR_MS = 365 * 24 * 60 * 60_000;

const UPDATE = 'Install the newest release, which has newer rules.';

/** Checks that our copy of the marketplace's rules is not too old. */
export function checkFacts({ as_of }: { as_of: string }, now: Date): Check {
  if (now.getTime() - Date.parse(as_of) > YEAR_MS) {
    return warning(
      'rules',
      `This release's marketplace rules are from ${as_of}, more than a year ago.`,
      UPDATE,
    );
  }
  return ok('rules', `This release's marketplace rules are from ${as_of}.`);
}

/** Checks that our copy of the marketplace's rules matches what it publishes now. */
export function checkPublished(examined: FactsExamination): Check[] {
  const { source } = examined;
  if ('unreachable' in examined) {
    return [
      skipped(
        'published rules',
        `Not compared: ${source} could not be fetched (${examined.unreachable}). If this computer is offline, download it elsewhere and pass the file with --document.`,
      ),
    ];
  }
  if ('unreadable' in examined) {
    return [
      problem(
        'published rules',
        `Not compared: ${source} could not be read: ${examined.unreadable}.`,
        `Pass the file or address of the marketplace's OpenAPI document.`,
      ),
    ];
  }
  if (examined.differences.length === 0) {
    return [ok('published rules', `The rules in ${source} match this release.`)];
  }
  return examined.differences.map((difference) => warning('published rules', difference, UPDATE));
}
