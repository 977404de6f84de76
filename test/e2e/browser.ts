/**
 * Enough of a browser for logging in: it keeps cookies, follows redirects within the site, and submits forms.
 */
export class Browser {
  readonly #cookies = new Map<string, string>();
  url = new URL('about:blank');
  page = '';
  status = 0;
  headers = new Headers();
  /** The token of the last form that had one. */
  csrf_token = '';

  async open(url: URL | string): Promise<void> {
    await this.#load(new URL(url, this.url), {});
  }

  /**
   * Submits the page's only form with these fields in addition to its hidden ones; a button counts as a
   * field.
   */
  async submit(fields: Record<string, string>): Promise<void> {
    const action = /<form[^>]*\saction="([^"]*)"/.exec(this.page)?.[1] ?? '';
    const hidden = [...this.page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
    const body = new URLSearchParams(hidden.map(([, name = '', value = '']) => [name, decode(value)]));
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    await this.send(new URL(decode(action), this.url), Object.fromEntries(body));
  }

  async send(url: URL | string, fields: Record<string, string>): Promise<void> {
    const headers = { origin: this.url.origin };
    const body = new URLSearchParams(fields);
    await this.#load(new URL(url, this.url), { method: 'POST', body, headers });
  }

  async #load(url: URL, init: RequestInit): Promise<void> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = new Headers(init.headers);
    if (cookie) headers.set('cookie', cookie);
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const text of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      this.#cookies.set(name, value);
    }
    const location = response.headers.get('location');
    const next = location === null ? undefined : new URL(location, url);
    if (next && next.origin === url.origin) {
      await response.body?.cancel();
      return this.#load(next, {});
    }
    this.url = next ?? url;
    this.page = await readPage(response);
    this.csrf_token = /name="csrf_token" value="(\w+)"/.exec(this.page)?.[1] ?? this.csrf_token;
    this.status = response.status;
    this.headers = response.headers;
  }
}

/** A stream of events has no end to wait for. */
async function readPage(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text();
  await response.body?.cancel();
  return '';
}

function decode(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
