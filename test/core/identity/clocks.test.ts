import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createAccounts } from '../../../src/core/identity/accounts.js';
import { checkAuthorization } from '../../../src/core/identity/grants/authorization.js';
import { createGrants } from '../../../src/core/identity/grants/grants.js';
import { createSessions } from '../../../src/core/identity/sessions.js';
import { createContinuations } from '../../../src/core/operations/continuations.js';
import { createUploads } from '../../../src/core/uploads/uploads.js';
import { createEndpoints } from '../../../src/core/webhooks/endpoints.js';
import { systemRandomness } from '../../../src/world/randomness.js';
import { makeMedia } from '../../media/sample.js';
import { createTestClock, createTestIds } from '../../store/ports.js';
import { createTwoAccounts, openWorld, START } from '../../store/world.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const REDIRECT = 'https://app.example/cb';
const VERIFIER = 'v'.repeat(43);
const QUOTAS = {
  drafts: 10,
  draft_bytes: 1_000_000,
  upload_bytes: 1_000_000,
  open_plans: 100,
  sheets: 100,
  saved_filters: 20,
};

/** A process whose clock is wrong by the given time. `advance`: moves the database's time. */
async function openProcess(by_ms: number) {
  const { store, clock: shared, log } = await openWorld();
  const { mine } = await createTwoAccounts(store);
  const { media, blobs } = await makeMedia();
  const clock = createTestClock(new Date(Date.parse(START) + by_ms).toISOString());
  const ports = { store, log, media, blobs, clock, randomness: systemRandomness, ids: createTestIds() };
  const settings = { base_url: 'https://listings.example', upload_roots: [], quotas: QUOTAS };
  return {
    mine,
    advance: (duration_ms: number) => shared.advance(duration_ms),
    accounts: createAccounts(ports),
    sessions: createSessions(ports),
    grants: createGrants(ports, settings),
    continuations: createContinuations(ports),
    uploads: createUploads(ports, settings),
    endpoints: createEndpoints({ ...ports, webhook_sender: { createSecret: buildSecret, send: refuse } }),
  };
}

type Process = Awaited<ReturnType<typeof openProcess>>;

let secrets = 0;
function buildSecret(): string {
  secrets += 1;
  return `whsec_${secrets}`;
}

function refuse(): never {
  throw new Error('nothing is sent here');
}

async function allow({ grants, mine }: Process): Promise<{ client_id: string; code: string }> {
  const client = await grants.register({ client_name: 'Assistant', redirect_uris: [REDIRECT] });
  const parameters = {
    response_type: 'code',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
    resource: [],
  };
  const asked = checkAuthorization(client, REDIRECT, parameters, grants.resources);
  return { client_id: client.client_id, code: await grants.allow(mine, asked) };
}

async function works(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    (value) => value !== undefined && value !== false,
    () => false,
  );
}

/** Each creates something that expires, and returns whether it still works; `life_ms`: its lifetime. */
const KINDS: Record<string, { life_ms: number; make(process: Process): Promise<() => Promise<boolean>> }> = {
  'a session': {
    life_ms: 7 * DAY_MS,
    async make({ sessions, mine }) {
      const { token } = await sessions.create(mine);
      return () => works(sessions.find(token));
    },
  },
  'a sign-in link': {
    life_ms: 15 * MINUTE_MS,
    async make({ sessions, mine }) {
      const { token } = await sessions.createLink(mine);
      return () => works(sessions.isLinkOpen(token));
    },
  },
  'an API key': {
    life_ms: HOUR_MS,
    async make({ accounts, mine }) {
      const { key } = await accounts.createKey(mine, 'guest', { life_ms: HOUR_MS });
      return () => works(accounts.findKey(key));
    },
  },
  'an authorization code': {
    life_ms: MINUTE_MS,
    async make(process) {
      const { client_id, code } = await allow(process);
      return () => works(process.grants.exchangeCode({ client_id, code, code_verifier: VERIFIER }));
    },
  },
  'an access token': {
    life_ms: HOUR_MS,
    async make(process) {
      const { client_id, code } = await allow(process);
      const tokens = await process.grants.exchangeCode({ client_id, code, code_verifier: VERIFIER });
      return () => works(process.grants.authenticate(tokens.access_token));
    },
  },
  'a refresh token': {
    life_ms: 30 * DAY_MS,
    async make(process) {
      const { client_id, code } = await allow(process);
      const { refresh_token } = await process.grants.exchangeCode({
        client_id,
        code,
        code_verifier: VERIFIER,
      });
      return () => works(process.grants.refresh({ client_id, refresh_token }));
    },
  },
  'a confirmation': {
    life_ms: 10 * MINUTE_MS,
    async make({ continuations, mine }) {
      const { continuation } = await continuations.issue(mine, 'subject', 'memory', 10 * MINUTE_MS);
      return async () => (await continuations.resume(mine, 'subject', continuation))?.is_expired === false;
    },
  },
  'an upload address': {
    life_ms: 15 * MINUTE_MS,
    async make({ uploads, mine }) {
      const caller = { account_id: mine, credential: 'api_key' as const, credential_id: 'test' };
      const call = { caller, face: 'mcp_http' as const };
      const { upload_url = '' } = await uploads.create({ type: 'image' }, call as never);
      return () => works(uploads.findLink(upload_url.split('/').at(-1) ?? ''));
    },
  },
  'a rotated secret': {
    life_ms: DAY_MS,
    async make({ endpoints, mine }) {
      const url = 'https://receiver.example/';
      const { secret = '' } = await endpoints.set(mine, { url });
      await endpoints.set(mine, { url, rotate_secret: true });
      return async () => endpoints.listSecrets(await endpoints.getUsable(mine)).includes(secret);
    },
  },
};

describe.each([
  ['behind', -40 * DAY_MS],
  ['ahead', 40 * DAY_MS],
])('on a process whose clock is far %s', (_way, by_ms) => {
  it.each(Object.entries(KINDS))(
    '%s lasts its time, by the clock that all processes share',
    async (_name, kind) => {
      const young = await openProcess(by_ms);
      const isYoung = await kind.make(young);
      young.advance(kind.life_ms - 1_000);
      expect(await isYoung()).toBe(true);

      const old = await openProcess(by_ms);
      const isOld = await kind.make(old);
      old.advance(kind.life_ms);
      expect(await isOld()).toBe(false);
    },
  );
});
