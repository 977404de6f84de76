import { BROWSER_COOKIE } from '../src/core/shops/connecting.js';

type ConsentPage = {
  /** Submits the page's form as a browser would, and returns its redirect, which is not followed. */
  submit(choice: { user_id?: number; decision?: 'allow' | 'deny' }): Promise<string>;
};

/** Opens the sandbox's consent page and reads its form. */
export async function openConsentPage(consent_url: string): Promise<ConsentPage> {
  const response = await fetch(consent_url, { redirect: 'manual' });
  const page = await response.text();
  if (response.status !== 200) throw new Error(`no consent page: ${response.status} ${page}`);
  const action = new URL(/<form method="post" action="([^"]+)"/.exec(page)?.[1] ?? '', consent_url);
  const hidden = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  const chosen = /<input type="radio" name="user_id" value="(\d+)" checked>/.exec(page)?.[1];
  return {
    async submit({ user_id, decision = 'allow' }) {
      const form = new URLSearchParams(hidden.map(([, name = '', value = '']) => [name, decode(value)]));
      form.set('user_id', user_id === undefined ? (chosen ?? '') : String(user_id));
      form.set('decision', decision);
      const answer = await fetch(action, { method: 'POST', body: form, redirect: 'manual' });
      const target = answer.headers.get('location');
      if (target === null) throw new Error(`no redirect: ${answer.status} ${await answer.text()}`);
      return target;
    },
  };
}

/** The result of the callback route for the address that a consent leads to. */
export function readAnswer(callback_url: string, browser_key?: string) {
  const query = new URL(callback_url).searchParams;
  const read = (name: string): string | undefined => query.get(name) ?? undefined;
  return {
    state: read('state'),
    code: read('code'),
    error: read('error'),
    error_description: read('error_description'),
    browser_key,
  };
}

/** Follows the callback in the browser that holds the cookie. */
export async function follow(callback_url: string, browser_key?: string): Promise<Response> {
  const headers: Record<string, string> =
    browser_key === undefined ? {} : { cookie: `other=1; ${BROWSER_COOKIE}=${browser_key}` };
  return fetch(callback_url, { headers, redirect: 'manual' });
}

function decode(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
