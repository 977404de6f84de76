import { createHash } from 'node:crypto';
import type { Result, ServerContext } from '@modelcontextprotocol/server';
import { toCanonicalJson } from '../../core/text/canonical_json.js';
import type { Resumed } from '../../core/operations/continuations.js';
import type { Service } from '../service.js';
import { ANSWER_MS, type Params, type Question, type Reply, type RequestContext } from './method.js';
import { ProtocolError, RPC } from './protocol_error.js';

/**
 * Questions to the person, in the revision that keeps no call open: the response holds the questions, and the
 * client repeats the call with the replies. The state of the questions goes out and comes back encrypted in
 * `requestState`, so a reply counts only for the same account, call and question, once, and for 45 seconds.
 */
type Questions = {
  ask: RequestContext['ask'];
  /**
   * Returns the response with the questions that have no reply yet; undefined if there are none. Throws a
   * ProtocolError if a reply arrives twice.
   */
  conclude(): Promise<Result | undefined>;
};

/**
 * The content of `requestState`, by the key of the question. `asked`: digests of the questions that the
 * client has been shown. `settled`: replies received in earlier rounds.
 */
type Memory = { asked: Record<string, string>; settled: Record<string, { digest: string; reply: Reply }> };

/**
 * Reads the replies in a request. Throws a ProtocolError if its `requestState` was not issued for this call.
 */
export async function openQuestions(
  { params: { _meta, ...params }, mcpReq }: { params: Params; mcpReq: ServerContext['mcpReq'] },
  account_id: string,
  continuations: Service['continuations'],
): Promise<Questions> {
  const subject = [mcpReq.method, params];
  const replies: Params = mcpReq.inputResponses ?? {};
  const resumed = await resume(mcpReq.requestState<string>(), account_id, subject, continuations);
  // Without a `requestState` nothing shows which questions the replies belong to, so all are asked again.
  const { asked, settled } = resumed ? (resumed.memory as Memory) : { asked: {}, settled: {} };
  const pending = new Map<string, Question>();
  let taking: Promise<boolean> | undefined;

  return {
    async ask(key, question) {
      if (resumed?.is_expired) throw new ProtocolError(RPC.invalid_params, TOO_LATE);
      const digest = toDigest(question);
      if (settled[key]?.digest === digest) return settled[key].reply;
      const value = replies[key];
      if (asked[key] !== digest || value === undefined) {
        pending.set(key, question);
        throw new ProtocolError(RPC.invalid_params, 'The client has yet to be asked.');
      }
      taking ??= resumed?.take() ?? Promise.resolve(false);
      if (!(await taking)) throw new ProtocolError(RPC.invalid_params, USED);
      const reply = { value, after_ms: ANSWER_MS - (resumed?.left_ms ?? 0) };
      settled[key] = { digest, reply };
      return reply;
    },

    async conclude() {
      if ((await taking) === false) {
        throw new ProtocolError(RPC.invalid_params, USED);
      }
      if (pending.size === 0) return undefined;
      const digests = [...pending].map(([key, question]) => [key, toDigest(question)] as const);
      const memory: Memory = { asked: Object.fromEntries(digests), settled };
      const { continuation } = await continuations.issue(account_id, subject, memory, ANSWER_MS);
      return {
        resultType: 'input_required',
        inputRequests: Object.fromEntries(pending),
        requestState: continuation,
      };
    },
  };
}

const USED = 'This requestState was used before: call again without requestState and inputResponses.';
const TOO_LATE = 'The reply came too late: call again without requestState and inputResponses.';

async function resume(
  state: string | undefined,
  account_id: string,
  subject: unknown,
  continuations: Service['continuations'],
): Promise<Resumed | undefined> {
  if (state === undefined) return undefined;
  const resumed = await continuations.resume(account_id, subject, state);
  if (resumed) return resumed;
  const message =
    'This requestState was not given out for this call, or was changed: repeat the call with the same arguments, or without requestState and inputResponses.';
  throw new ProtocolError(RPC.invalid_params, message);
}

function toDigest(question: Question): string {
  return createHash('sha256').update(toCanonicalJson(question)).digest('hex');
}
