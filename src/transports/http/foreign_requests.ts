import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../core/errors.js';
import type { Service } from '../service.js';
import { createHostCheck } from './allowed_hosts.js';

const ALWAYS_OPEN: readonly string[] = ['/healthz', '/readyz'];

type ForeignOptions = {
  host: string;
  metrics_token?: string | undefined;
  /** Routes that do these checks themselves and refuse in the format of their protocol. */
  own_checks: readonly string[];
};

/**
 * Refuses on every route the requests that another site makes a browser send: under a domain of that site
 * that it points at this computer (Host), from a form or script (Origin), or from within a page
 * (Sec-Fetch-*). Probes may use any host name, and so may programs with the token for /metrics.
 */
export function refuseForeignRequests(
  server: FastifyInstance,
  { base_url }: Pick<Service, 'base_url'>,
  { host, metrics_token, own_checks }: ForeignOptions,
): void {
  const isAllowedHost = createHostCheck(base_url, host);
  const open = new Set([...ALWAYS_OPEN, ...own_checks, ...(metrics_token === undefined ? [] : ['/metrics'])]);

  server.addHook('onRequest', (request, _reply, done) => {
    done(open.has(request.routeOptions.url ?? '') ? undefined : findRefusal(request));
  });

  function findRefusal({ headers, method }: FastifyRequest): ServiceError | undefined {
    if (!isAllowedHost(headers)) {
      return new ServiceError(
        'NOT_FOUND',
        { code: 'host_refused', params: {} },
        { hint: `Use ${base_url}: BASE_URL is the address under which the service is reached.` },
      );
    }
    if (isForeign(headers) && (method !== 'GET' || !isVisit(headers))) {
      return new ServiceError(
        'NOT_FOUND',
        { code: 'other_site_refused', params: {} },
        { hint: 'Open the address itself.' },
      );
    }
    return undefined;
  }
}

/** Browsers send this header if the address is https or this computer; no other client sends it. */
function isForeign({ 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return site === 'cross-site' || site === 'same-site';
}

/** A browser navigates to the page and shows it: no image, no frame, no prefetch. */
function isVisit(headers: IncomingHttpHeaders): boolean {
  return (
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document' &&
    headers['sec-purpose'] === undefined
  );
}
