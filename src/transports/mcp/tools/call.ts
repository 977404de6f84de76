import type { Call, Consent } from '../../../core/operations/call.js';
import { describeFeeQuestion } from '../../../core/listings/fees/fee_question.js';
import type { Progress } from '../../../core/ports/index.js';
import { isObject, MAX_TOKEN_CHARS } from '../incoming.js';
import { RefusedQuestion, type Reply, type RequestContext } from '../method.js';
import { ProtocolError, RPC } from '../protocol_error.js';
import { fits } from './short_answer.js';

/**
 * A request as the operations see it: translates the protocol's progress, cancellation and questions. Throws
 * a ProtocolError for a progress token that is too long.
 */
export function buildCall(context: RequestContext, meta: unknown, wait_ms: number): Call {
  const { caller, face, signal, client_name } = context;
  const onProgress = buildProgress(context, meta);
  const canAsk = canShowForms(context);
  return {
    caller,
    face,
    signal,
    wait_ms,
    client_name,
    showsWhole: fits,
    ...(onProgress && { onProgress }),
    ...(canAsk && { askConsent: buildConsent(context), showToPerson: buildNote(context) }),
  };
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
    // The protocol requires a number that only grows; shops that run in parallel may report one twice.
    if (done <= last) return;
    last = done;
    context.notify('notifications/progress', { progressToken, progress: done, total, message });
  };
}

/** Whether the client can show a question to its user. */
function canShowForms({ client_capabilities: { elicitation } }: RequestContext): boolean {
  // A client that names only `url` cannot show a form; one that names nothing can, according to the older
  // revision.
  return elicitation !== undefined && (!elicitation.url || elicitation.form !== undefined);
}

/** A question without fields. */
function buildNote({ ask }: RequestContext): (message: string) => Promise<void> {
  const requestedSchema = { type: 'object', properties: {} };
  let count = 0;
  return async (message) => {
    count += 1;
    await ask(`note_${count}`, { method: 'elicitation/create', params: { message, requestedSchema } });
  };
}

function buildConsent({ ask }: RequestContext): Consent {
  return async (question) => {
    const params = { message: describeFeeQuestion(question), requestedSchema: YES_OR_NO };
    try {
      return readAnswer(await ask('consent', { method: 'elicitation/create', params }));
    } catch (cause) {
      return cause instanceof RefusedQuestion ? 'dismissed' : 'unanswered';
    }
  };
}

/** Clients that reply automatically do so at once; a person has to read first. */
const TOO_FAST_MS = 2_000;

function readAnswer({ value, after_ms }: Reply): 'accepted' | 'declined' | 'dismissed' {
  const { action, content } = isObject(value) ? value : {};
  if (action === 'accept' && isObject(content) && content['confirm'] === true) return 'accepted';
  const isAnswer = action === 'decline' || action === 'accept';
  return isAnswer && after_ms > TOO_FAST_MS ? 'declined' : 'dismissed';
}

const YES_OR_NO = {
  type: 'object',
  properties: {
    confirm: { type: 'boolean', title: 'Yes, go ahead', description: 'Tick to agree to the cost.' },
  },
  required: ['confirm'],
};
