import type { Call, Consent, Progress } from '../../../core/operations/call.js';
import { CancellableCall } from '../../cancelling.js';
import { isObject, MAX_TOKEN_CHARS } from '../incoming.js';
import type { RequestContext } from '../method.js';
import { ProtocolError, RPC } from '../protocol_error.js';

/**
 * A request as the operations see it: what the protocol has for progress, cancelling and asking, in their words. Throws a
 * ProtocolError for a progress token beyond measure.
 */
export function buildCall(context: RequestContext, meta: unknown, wait_ms: number): Call {
  const { caller, face, cancelling } = context;
  const onProgress = buildProgress(context, meta);
  const askConsent = buildConsent(context);
  const call = new CancellableCall(caller, face, cancelling);
  call.wait_ms = wait_ms;
  if (onProgress) call.onProgress = onProgress;
  if (askConsent) call.askConsent = askConsent;
  return call;
}

function buildProgress(context: RequestContext, meta: unknown): ((progress: Progress) => void) | undefined {
  const progressToken = isObject(meta) ? meta['progressToken'] : undefined;
  if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return undefined;
  if (typeof progressToken === 'string' && progressToken.length > MAX_TOKEN_CHARS) {
    const problem = `_meta.progressToken has more than ${MAX_TOKEN_CHARS} characters.`;
    throw new ProtocolError(RPC.invalid_params, problem);
  }
  let last = -1;
  return ({ done, total, message }) => {
    // The protocol wants a number that only grows; shops that run side by side may report one twice.
    if (done <= last) return;
    last = done;
    context.notify('notifications/progress', { progressToken, progress: done, total, message });
  };
}

/** Undefined when the client cannot show a question to its person. */
function buildConsent({ client_capabilities, ask }: RequestContext): Consent | undefined {
  const { elicitation } = client_capabilities;
  // A client that names only `url` cannot show a form; one that names nothing can, by the older revision.
  if (!elicitation || (elicitation.url && !elicitation.form)) return undefined;
  return async (message) => {
    let answer: unknown;
    try {
      const params = { message, requestedSchema: YES_OR_NO };
      answer = await ask('consent', { method: 'elicitation/create', params });
    } catch {
      return 'unanswered';
    }
    const content = isObject(answer) && answer['action'] === 'accept' ? answer['content'] : undefined;
    return isObject(content) && content['confirm'] === true ? 'accepted' : 'declined';
  };
}

const YES_OR_NO = {
  type: 'object',
  properties: {
    confirm: { type: 'boolean', title: 'Yes, go ahead', description: 'Tick to agree to the cost.' },
  },
  required: ['confirm'],
};
