import { Agent, request } from 'node:http';

/* The same call in each face's format. */

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

export const SHOP_ID = 48213377;
const TOOL = 'store_details_cached';
export const TOOL_PARAMS = { name: TOOL, arguments: { shop_id: SHOP_ID } };

export const INITIALIZE = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
};

export function toLine(method, params = {}, id = 1) {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

/** Over HTTP in the revision 2026-07-28. */
export function buildStateless(key, method, params = {}) {
  return {
    method: 'POST',
    path: '/mcp',
    headers: {
      ...HEADERS,
      'x-service-api-key': key,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(params.name && { 'mcp-name': params.name }),
    },
    body: toLine(method, { ...params, _meta: META }),
  };
}

/** Over HTTP in the revision 2025-11-25, after a handshake, which is made here. */
export async function buildWithHandshake(url, key, method, params = {}) {
  const headers = { ...HEADERS, 'x-service-api-key': key };
  const introduced = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers,
    body: toLine(INITIALIZE.method, INITIALIZE.params),
  });
  await introduced.text();
  const versioned = { ...headers, 'mcp-protocol-version': '2025-11-25' };
  await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: versioned,
    body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
  });
  return { method: 'POST', path: '/mcp', headers: versioned, body: toLine(method, params) };
}

export function buildRest(key) {
  return {
    method: 'GET',
    path: `/api/v1/stores/${SHOP_ID}/details`,
    headers: { 'x-service-api-key': key },
    body: '',
  };
}

/**
 * Sends one request this many times over this many connections. Throws unless every answer is a 200; returns
 * the last body.
 */
export async function flood(url, { method, path, headers, body }, count, connections) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const length = body === '' ? {} : { 'content-length': Buffer.byteLength(body) };
  let left = count;
  let last = '';
  const send = () =>
    new Promise((resolve, reject) => {
      const sent = request(
        `${url}${path}`,
        { agent, method, headers: { ...headers, ...length } },
        (answer) => {
          const chunks = [];
          answer.on('data', (chunk) => chunks.push(chunk));
          answer.on('end', () => {
            last = Buffer.concat(chunks).toString();
            if (answer.statusCode === 200) resolve();
            else reject(new Error(`${method} ${path}: ${answer.statusCode} ${last}`));
          });
        },
      );
      sent.on('error', reject).end(body);
    });
  const work = async () => {
    while (left > 0) {
      left -= 1;
      await send();
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  agent.destroy();
  return last;
}
