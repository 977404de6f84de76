import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../core/errors.js';
import type { Service } from '../service.js';
import { createHostCheck } from './allowed_hosts.js';

const ALWAYS_OPEN: readonly string[] = ['/healthz', '/readyz'];

type ForeignOptions = {
  host: string;
  metrics_token?: string | undefined;
  /** Routes that look themselves and refuse in the words of their protocol. */
  own_checks: readonly string[];
};

/**
 * Refuses on every route what another site makes a browser send here: under a name of that site's own which it points at this
 * computer (Host), by a form or script (Origin), or from within a page (Sec-Fetch-*). Probes ask under any name, and so do
 * programs with the token of /metrics.
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

/** Browsers say so where the address is https or this computer; nothing else sends this header. */
function isForeign({ 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return site === 'cross-site' || site === 'same-site';
}

/** A person's browser goes to the page, and shows it: no image, no frame, and nothing fetched ahead. */
function isVisit(headers: IncomingHttpHeaders): boolean {
  return (
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document' &&
    headers['sec-purpose'] === undefined
  );
}
