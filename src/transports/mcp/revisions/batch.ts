import type { JSONRPCResponse } from '@modelcontextprotocol/sdk/types.js';
import type { Exchange } from './exchange.js';
import { isRequest, readId, toMessage } from '../incoming.js';
import { buildRpcFailure, ProtocolError, RPC } from '../protocol_error.js';
import { isInitialize, type OtherMessage, type RequestSource, type Session } from './revision_2025.js';

const MAX_MESSAGES = 50;

type BatchOptions = {
  session: Session;
  exchange: Exchange;
  /** As of a request that comes alone. */
  from?: RequestSource;
  receiveOther: (message: OtherMessage) => void;
};

/**
 * Several messages in one array, as revisions up to 2025-03-26 have it: the answers come as one array too, once all are there.
 * Returns how to cancel what still runs.
 */
export function receiveBatch(
  values: unknown[],
  { session, exchange, from, receiveOther }: BatchOptions,
): () => void {
  const answers: JSONRPCResponse[] = [];
  const cancels: (() => void)[] = [];
  // One more than the requests, so that nothing is over before all have been looked at.
  let open = 1;
  const finish: Exchange['finish'] = (answer) => {
    if (answer) answers.push(...[answer].flat());
    open -= 1;
    if (open === 0) exchange.finish(answers.length > 0 ? answers : undefined);
  };
  for (const value of values) {
    try {
      receiveOne(value);
    } catch (cause) {
      if (!(cause instanceof ProtocolError)) throw cause;
      answers.push(buildRpcFailure(readId(value), cause));
    }
  }
  finish(undefined);
  return () => {
    for (const cancel of cancels) cancel();
  };

  function receiveOne(value: unknown): void {
    const message = toMessage(value);
    if (!isRequest(message)) return receiveOther(message);
    if (isInitialize(message)) {
      throw new ProtocolError(RPC.invalid_request, 'initialize comes alone.');
    }
    open += 1;
    cancels.push(session.receiveRequest(message, { send: exchange.send, finish }, from));
  }
}

/** Throws a ProtocolError when the whole of it is refused. */
export function checkBatch(values: unknown[], takes_batches: boolean): void {
  if (!takes_batches) {
    const message = 'Batches are not taken in this revision: send one message at a time.';
    throw new ProtocolError(RPC.invalid_request, message);
  }
  if (values.length === 0 || values.length > MAX_MESSAGES) {
    throw new ProtocolError(RPC.invalid_request, `A batch has 1 to ${MAX_MESSAGES} messages.`);
  }
}
