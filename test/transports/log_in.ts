import { createHash, randomBytes } from 'node:crypto';
import { Browser } from '../e2e/browser.js';
import type { serveSample } from './sample.js';

export const REDIRECT = 'https://app.example/cb?own=1';

/** The base URL of the service in the samples. */
export const BASE_URL = 'http://shop.example';
export const RESOURCE = `${BASE_URL}/mcp`;

export type Answered = { status: number; headers: Headers; body: Record<string, unknown> };

/** Sends a form the way a program does. */
export async function post(
  url: string,
  fields: Record<string, string> | [string, string][],
  headers: Record<string, string> = {},
): Promise<Answered> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), headers });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}

export async function register(url: string, metadata: unknown): Promise<Answered> {
  const response = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  });
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, body };
}

/** A registered client of a running sample, written without an OAuth library so that it can break each rule. */
export async function openClient(
  { url, key }: Pick<Awaited<ReturnType<typeof serveSample>>, 'url' | 'key'>,
  client_name = 'Hand-written',
) {
  const { body } = await register(url, { client_name, redirect_uris: [REDIRECT] });
  const client_id = String(body['client_id']);
  const code_verifier = randomBytes(32).toString('base64url');
  const right = {
    client_id,
    redirect_uri: REDIRECT,
    response_type: 'code',
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 's t&a=te',
    resource: RESOURCE,
  };

  /** undefined omits a parameter. */
  function buildUrl(changes: Record<string, string | undefined> = {}, more = ''): string {
    const entries = Object.entries({ ...right, ...changes }).filter(
      (pair): pair is [string, string] => pair[1] !== undefined,
    );
    return `${url}/oauth/authorize?${new URLSearchParams(entries)}${more}`;
  }

  /** A signed-in browser that shows the consent page. */
  async function openConsent(): Promise<Browser> {
    const browser = new Browser();
    await browser.open(buildUrl());
    await browser.submit({ key });
    return browser;
  }

  async function getCode(): Promise<string> {
    const browser = await openConsent();
    await browser.submit({ decision: 'allow' });
    return browser.url.searchParams.get('code') ?? '';
  }

  const exchange = (code: string, changes: Record<string, string> = {}) =>
    post(`${url}/oauth/token`, {
      grant_type: 'authorization_code',
      client_id,
      code,
      code_verifier,
      redirect_uri: REDIRECT,
      resource: RESOURCE,
      ...changes,
    });

  const refresh = (refresh_token: unknown, changes: Record<string, string> = {}) =>
    post(`${url}/oauth/token`, {
      grant_type: 'refresh_token',
      client_id,
      refresh_token: String(refresh_token),
      resource: RESOURCE,
      ...changes,
    });

  const logIn = async () => {
    const { body: tokens } = await exchange(await getCode());
    return { access_token: String(tokens['access_token']), refresh_token: String(tokens['refresh_token']) };
  };

  return { client_id, code_verifier, right, buildUrl, openConsent, getCode, exchange, refresh, logIn };
}
