import type { VNode } from 'preact';
import type { Core } from '../../core/core.js';
import { toExpiredKey, type ExpiredKeyError } from '../../core/identity/accounts.js';
import type { NewSession } from '../../core/identity/sessions.js';
import { KeyFields, KeyProblem, Layout, type SessionCookie } from '../../pages/index.js';
import { Notice } from '../components/notice.js';
import type { Page } from '../page.js';
import { redirect, show } from '../replies.js';
import { PREFIX } from '../routes.js';

type Parts = { core: Pick<Core, 'accounts' | 'sessions'>; cookie: SessionCookie };

type SignInParts = Parts & {
  /** Called when someone without a link is asked for a code. Omitted if people sign in with an API key. */
  onCodeWanted?: (() => void) | undefined;
};

/**
 * The sign-in page, for an API key or for the one-time link that `listing-service serve` and `listing-service
 * sign-in` print. The link only shows a button, and only the button uses the link up, so a browser or a
 * messenger that prefetches the page does not.
 */
export function createSignIn({ core, cookie, onCodeWanted }: SignInParts): Page {
  const form = onCodeWanted === undefined ? 'key' : 'code';
  return {
    path: '/sign-in',
    is_public: true,
    async get({ request, is_sandbox }) {
      const to = toOwnPath(request.query.get('to'));
      const token = cookie.read(request);
      if (token !== undefined && (await core.sessions.find(token))) return redirect(to);
      const link = request.query.get('link');
      const hasEnded = request.query.get('ended') === '1';
      if (link !== null && (await core.sessions.isLinkOpen(link))) {
        return show(<SignInPage {...{ is_sandbox, to, link, form }} />);
      }
      onCodeWanted?.();
      const problem = link === null ? undefined : <LinkProblem />;
      return show(<SignInPage {...{ is_sandbox, to, problem, form }} has_ended={hasEnded} />);
    },
    async post({ request, is_sandbox, form: { fields } }) {
      const to = toOwnPath(fields.get('to'));
      const link = fields.get('link');
      const code = form === 'code' ? fields.get('code') : null;
      const opened = await open({ link, code, key: fields.get('key') ?? '' });
      if (opened && 'token' in opened) {
        // The new cookie replaces the old one, so the old session ends: its visitor could no longer sign out
        // of it.
        await core.sessions.end(cookie.read(request) ?? '');
        return redirect(to, { 'set-cookie': cookie.write(opened) });
      }
      if (!opened) await request.countGuess();
      const problem =
        link !== null ? (
          <LinkProblem />
        ) : code !== null ? (
          <p>This code is wrong, was used, or its 15 minutes are over.</p>
        ) : (
          <KeyProblem expired_at={opened?.expired_at} />
        );
      return show(<SignInPage {...{ is_sandbox, to, problem, form }} />, { status: 401 });
    },
  };

  function open({ link, code, key }: { link: string | null; code: string | null; key: string }) {
    if (link !== null) return core.sessions.createByLink(link);
    return code === null ? openByKey(key) : core.sessions.createByCode(code);
  }

  async function openByKey(key: string): Promise<NewSession | ExpiredKeyError | undefined> {
    const found = await core.accounts.findKey(key.trim()).catch(toExpiredKey);
    if (!found || 'expired_at' in found) return found;
    return core.sessions.create(found.account_id, found.key_id);
  }
}

/** Ends the session, here and in the browser. */
export function createSignOut({ core, cookie }: Parts): Page {
  return {
    path: '/sign-out',
    async post({ request }) {
      await core.sessions.end(cookie.read(request) ?? '');
      return redirect(`${PREFIX}/sign-in`, { 'set-cookie': cookie.clear() });
    },
  };
}

function LinkProblem() {
  return <p>This sign-in link has been used, or its 15 minutes are over. Sign in as described below.</p>;
}

/**
 * The path to go to after signing in: a page of the dashboard, in characters that a header may contain. Any
 * other value becomes the start page, since an address in a link must not lead to another site.
 */
function toOwnPath(path: string | null): string {
  if (path === null || !/^\/dashboard(?:[/?][^\\\s]*)?$/.test(path)) return PREFIX;
  // The path is resolved as the browser will resolve it, since `..` can lead out of the dashboard.
  const { pathname, search } = new URL(path, 'http://localhost');
  return pathname === PREFIX || pathname.startsWith(`${PREFIX}/`) ? pathname + search : PREFIX;
}

type Props = {
  is_sandbox: boolean;
  to: string;
  /** The credential that a visitor without a link uses. */
  form: 'key' | 'code';
  link?: string;
  problem?: VNode | undefined;
  /** A form was sent after the session had expired. */
  has_ended?: boolean;
};

function SignInPage({ is_sandbox, to, form, link, problem, has_ended = false }: Props) {
  const Form = form === 'code' ? CodeForm : KeyForm;
  return (
    <Layout title="Sign in" width="narrow" is_sandbox={is_sandbox}>
      <h1>Sign in</h1>
      {has_ended && (
        <Notice tone="wait">
          <p>Your session has ended. Nothing was done; sign in and do it again.</p>
        </Notice>
      )}
      {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
      {link === undefined ? <Form to={to} /> : <LinkForm to={to} link={link} />}
    </Layout>
  );
}

function LinkForm({ to, link }: { to: string; link: string }) {
  return (
    <form class="card" method="post" action={`${PREFIX}/sign-in`}>
      <input type="hidden" name="to" value={to} />
      <input type="hidden" name="link" value={link} />
      <p>This link opens the dashboard in this browser. It works once.</p>
      <div>
        <button type="submit">Open the dashboard</button>
      </div>
    </form>
  );
}

function CodeForm({ to }: { to: string }) {
  return (
    <form class="card" method="post" action={`${PREFIX}/sign-in`}>
      <input type="hidden" name="to" value={to} />
      <p>
        Ask your assistant: “Which of my shops are connected?” It then shows you a code of six digits, or
        writes it into its log of MCP servers.
      </p>
      <p class="note">
        A code works once, for 15 minutes. For a new code, open this page again, then ask your assistant
        again.
      </p>
      <div class="field">
        <label for="code">Code</label>
        <input id="code" name="code" type="text" inputMode="numeric" autocomplete="off" required />
      </div>
      <div>
        <button type="submit">Open the dashboard</button>
      </div>
    </form>
  );
}

function KeyForm({ to }: { to: string }) {
  return (
    <>
      <form class="card" method="post" action={`${PREFIX}/sign-in`}>
        <input type="hidden" name="to" value={to} />
        <KeyFields>It begins with mls_ and was shown when it was made.</KeyFields>
      </form>
      <section class="stack tight">
        <h2>No API key?</h2>
        <p>You do not need one: a sign-in link opens the dashboard too, once and within 15 minutes.</p>
        <p>
          If someone else runs this service for you, ask them for a sign-in link. If it runs on your own
          computer, open a terminal there and enter <code>listing-service sign-in</code> (in a clone of the
          project <code>node dist/src/cli.js sign-in</code>). It prints a link: open it in this browser.
        </p>
      </section>
    </>
  );
}
