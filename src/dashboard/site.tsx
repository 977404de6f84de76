import type { Core } from '../core/core.js';
import { ServiceError, toErrorBody, toRefused } from '../core/errors.js';
import { type Invoke } from '../core/operations/invoke.js';
import { toServiceError } from '../core/operations/service_error.js';
import type { Operation } from '../core/operations/operation.js';
import { buildReadOnly } from '../core/operations/read_only.js';
import type { Log, WindowCountStore, Refused } from '../core/ports/index.js';
import type { Session } from '../core/identity/sessions.js';
import {
  type PageForm,
  type PageRequest,
  type PageResponse,
  type SessionCookie,
  type Site,
} from '../pages/index.js';
import { createOperations, RefusedError } from './operations.js';
import { ErrorPage } from './error_page.js';
import type { Answer, OwnPage, OwnVisit, Page, PublicPage, Visit } from './page.js';
import { redirect, show } from './replies.js';
import { createRoutes, PREFIX, toFormPath } from './routes.js';
import { createCountVisit } from './visit_limits.js';

export type SiteParts = {
  core: Core;
  operations: readonly Operation[];
  invoke: Invoke;
  log: Log;
  docs_url: string;
  is_read_only: boolean;
  is_sandbox: boolean;
  window_counts: WindowCountStore;
  cookie: SessionCookie;
  pages: readonly Page[];
};

/** Finds the page, checks that the visitor may see it, and shows each error as a page. */
export function createSite(parts: SiteParts): Site {
  const { core, log, cookie, docs_url, is_sandbox } = parts;
  const findPage = createRoutes(parts.pages);
  const countVisit = createCountVisit(parts.window_counts);
  const closing = new AbortController();

  async function answer(request: PageRequest, session: Session | undefined): Promise<Answer> {
    const match = findPage(request.path);
    const visit: Visit = {
      request: { ...request, signal: AbortSignal.any([request.signal, closing.signal]) },
      params: match?.params ?? {},
      is_sandbox,
    };
    const page = match?.page;
    if (page?.is_public) return answerPublic(page, visit);
    if (!session) return redirect(`${PREFIX}/sign-in?${new URLSearchParams(toReturn(request))}`);
    if (!page)
      throw new ServiceError('NOT_FOUND', {
        code: 'page_not_found',
        params: { path: request.path.slice(0, 200) },
      });
    const { account_id, key_id, csrf_token } = session;
    const restriction = session.is_read_only ? ({ of: 'signed_in_key' } as const) : undefined;
    if (page.is_past_gate && request.method === 'POST' && (parts.is_read_only || restriction)) {
      throw buildReadOnly(undefined, parts.is_read_only ? undefined : restriction);
    }
    await countVisit(account_id, request.method, page);
    return answerOwn(page, {
      ...visit,
      account_id,
      key_id,
      csrf_token,
      core,
      operations: createOperations(parts, {
        account_id,
        credential: 'session',
        credential_id: csrf_token,
        restriction,
      }),
    });
  }

  /** Where to go after signing in. A POST is not repeated, and the visitor is told so. */
  function toReturn({ method, path, query }: PageRequest): Record<string, string> {
    if (method === 'POST') return { to: toFormPath(path, findPage), ended: '1' };
    const text = query.toString();
    return { to: path + (text && `?${text}`) };
  }

  function fail(cause: unknown, session: Session | undefined): PageResponse {
    if (cause instanceof RefusedError) return showError(cause.error);
    const error = toServiceError(cause);
    if (error.status === 500) log.error('page failed', { error: error.cause ?? error });
    return showError(toRefused(toErrorBody(error, docs_url), error.issues), error.retry_after_seconds);

    function showError(refused: Refused, retry_after_seconds?: number): PageResponse {
      const page = show(<ErrorPage error={refused} session={session} is_sandbox={is_sandbox} />, {
        status: refused.status,
      });
      if (retry_after_seconds === undefined) return page;
      return { ...page, headers: { ...page.headers, 'retry-after': String(retry_after_seconds) } };
    }
  }

  return {
    prefix: PREFIX,
    async handle(request) {
      let session: Session | undefined;
      try {
        const token = cookie.read(request);
        session = token === undefined ? undefined : await core.sessions.find(token);
        const answered = await answer(request, session);
        return 'status' in answered ? answered : show(answered);
      } catch (cause) {
        return fail(cause, session);
      }
    },
    close: () => closing.abort(),
  };
}

async function answerPublic(page: PublicPage, visit: Visit): Promise<Answer> {
  const { method, readForm } = visit.request;
  if (method === 'GET' && page.get) return page.get(visit);
  if (method === 'POST' && page.post) return page.post({ ...visit, form: await readForm({ max_files: 0 }) });
  throw buildWrongMethod();
}

async function answerOwn(page: OwnPage, visit: OwnVisit): Promise<Answer> {
  const { method, readForm } = visit.request;
  if (method === 'GET' && page.get) return page.get(visit);
  if (method === 'POST' && page.post) {
    const form = await readForm({ max_files: page.max_files ?? 0, ...page.form });
    checkToken(form, visit.csrf_token);
    return page.post({ ...visit, form });
  }
  throw buildWrongMethod();
}

function checkToken({ fields }: PageForm, csrf_token: string): void {
  if (fields.get('csrf_token') === csrf_token) return;
  throw new ServiceError('VALIDATION_FAILED', { code: 'session_differs', params: {} });
}

function buildWrongMethod(): ServiceError {
  return new ServiceError('NOT_FOUND', { code: 'page_method_wrong', params: {} });
}
