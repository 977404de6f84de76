import { createSite } from '../../src/compose/site.js';
import { createHttpFace } from '../../src/transports/index.js';
import { startService, type TestService } from '../service.js';

export type PageAnswer = { status: number; headers: Headers; location: string; text: string };

/** By name, or in order if a name occurs more than once. */
type Fields = Record<string, string> | [string, string][];

/** A browser without a screen: keeps its cookies, follows nothing automatically. */
export type Visitor = {
  get(path: string): Promise<PageAnswer>;
  /** Submits a form, with its token unless another one is given. */
  post(path: string, fields?: Fields, headers?: Record<string, string>): Promise<PageAnswer>;
  /** Submits a form with a file, unchanged. */
  postForm(path: string, form: FormData): Promise<PageAnswer>;
  /** The form token of the pages this visitor has seen. */
  getToken(): string;
  getCookie(): string;
};

export type TestDashboard = {
  service: TestService;
  url: string;
  account_id: string;
  /** A visitor who has not signed in. */
  createVisitor(): Visitor;
  signIn(): Promise<Visitor>;
  /** `keep`: as with a service. */
  close(options?: { keep?: boolean }): Promise<void>;
};

/** The service in this process, over HTTP. */
export async function startDashboard(
  environment: Record<string, string> = {},
  options: Parameters<typeof startService>[1] = {},
): Promise<TestDashboard> {
  const service = await startService(environment, options);
  const { app } = service;
  const face = await createHttpFace(app.service, {
    host: '127.0.0.1',
    port: Number(environment['PORT'] ?? 0),
    trust_proxy: false,
    site: await createSite(app),
  });
  const url = `http://127.0.0.1:${face.port}`;
  const { account_id } = await app.core.accounts.getDefault();
  return {
    service,
    url,
    account_id,
    createVisitor: () => createVisitor(url),
    async signIn() {
      const visitor = createVisitor(url);
      const { token } = await app.core.sessions.createLink(account_id);
      await visitor.post('/dashboard/sign-in', { link: token });
      await visitor.get('/dashboard');
      return visitor;
    },
    async close(ending) {
      await face.close(1_000);
      await service.close(ending);
    },
  };
}

function createVisitor(url: string): Visitor {
  const cookies = new Map<string, string>();
  let token = '';

  const getCookie = () => [...cookies].map((pair) => pair.join('=')).join('; ');

  async function ask(path: string, init: RequestInit): Promise<PageAnswer> {
    const response = await fetch(url + path, {
      redirect: 'manual',
      ...init,
      headers: {
        ...(cookies.size > 0 && { cookie: getCookie() }),
        ...(init.headers as Record<string, string> | undefined),
      },
    });
    const text = await response.text();
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(/[=;]/);
      cookies.set(name, value);
    }
    token = /name="csrf_token" value="([0-9a-f]{64})"/.exec(text)?.[1] ?? token;
    const { status, headers } = response;
    return { status, headers, text, location: headers.get('location') ?? '' };
  }

  return {
    get: (path) => ask(path, {}),
    post: (path, fields = {}, headers = {}) =>
      ask(path, {
        method: 'POST',
        body: toForm(token, fields),
        headers: { origin: url, ...headers },
      }),
    postForm: (path, body) => ask(path, { method: 'POST', body, headers: { origin: url } }),
    getToken: () => token,
    getCookie,
  };
}

/** The text of a page's main part, without its markup. */
export function toText(page: string): string {
  return page
    .replace(/^.*<main/s, '<main')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
}

function toForm(csrf_token: string, fields: Fields): URLSearchParams {
  const form = new URLSearchParams(fields);
  if (!form.has('csrf_token')) form.set('csrf_token', csrf_token);
  return form;
}
