import type { VNode } from 'preact';
import { buildPolicy, renderPage, type PageResponse } from '../pages/index.js';

/** Headers of pages: forms need the Origin header, which no-referrer would blank; browsers must not store pages. */
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': buildPolicy(),
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** A whole page, with additional headers if it needs them. */
export function show(
  page: VNode,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): PageResponse {
  return { status, headers: { ...PAGE_HEADERS, ...headers }, body: renderPage(page) };
}

/** After a POST: the browser loads the page again, so that a reload repeats nothing. */
export function redirect(location: string, headers: Record<string, string> = {}): PageResponse {
  return { status: 303, headers: { location, 'cache-control': 'no-store', ...headers }, body: '' };
}

/** `pulse`: nothing new; keeps connections alive and shows whether the browser is still connected. */
export type ServerEvent = { event: string; data: string } | 'pulse';

/** Server-sent events, as they arrive. */
export function stream(events: AsyncIterable<ServerEvent>): PageResponse {
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' },
    body: write(events),
  };
}

async function* write(events: AsyncIterable<ServerEvent>): AsyncGenerator<string> {
  for await (const next of events) {
    if (next === 'pulse') {
      yield ':\n\n';
      continue;
    }
    const { event, data } = next;
    const lines = data.split('\n').map((line) => `data: ${line}\n`);
    yield `event: ${event}\n${lines.join('')}\n`;
  }
}

/** @param max_age_s how long only this browser may cache it */
export function picture(bytes: Buffer, content_type: string, max_age_s: number): PageResponse {
  const headers = { 'content-type': content_type, 'cache-control': `private, max-age=${max_age_s}` };
  return { status: 200, headers, body: bytes };
}
