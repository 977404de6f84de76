import type { WorstCase } from './worst_cases.js';

/** The target of the worst cases. */
export type Door = { url: string; key: string };

/** The answer, read to its end. */
export async function sendCase({ url, key }: Door, face: WorstCase['face'], text: string): Promise<Response> {
  if (face === 'rest') return post(`${url}/api/v1/listings/create`, key, text);
  return post(`${url}/mcp`, key, text, face === 'mcp' ? toHeaders(text) : {});
}

async function post(
  url: string,
  key: string,
  body: string,
  more: Record<string, string> = {},
): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'x-service-api-key': key, ...more };
  const response = await fetch(url, { method: 'POST', headers, body });
  return new Response(await response.text(), response);
}

/** The headers that the revision requires with a message. */
function toHeaders(text: string): Record<string, string> {
  const head = text.slice(0, 500);
  const name = /"(?:name|uri)":"([^"]*)"/.exec(head)?.[1];
  return {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': /"method":"([^"]*)"/.exec(head)?.[1] ?? '',
    ...(name !== undefined && { 'mcp-name': name }),
  };
}
