import type { JSONRPCMessage, JSONRPCResultResponse } from '@modelcontextprotocol/sdk/types.js';
import { isConstant } from '../../core/constant.js';
import { toText } from '../constant_text.js';

type Kept = {
  text?: string;
  /** The bytes of the text, and of the brace that closes the message around it. */
  ending?: Buffer;
};

/** Results that never change, in the forms in which they were needed. */
const kept = new WeakMap<object, Kept>();

/** From now on this result is turned into text once, however often it is sent. */
export function keepText(result: object): void {
  kept.set(result, {});
}

/** One message, or those of a batch. */
export function toMessageText(message: JSONRPCMessage | JSONRPCMessage[]): string {
  if (Array.isArray(message)) return `[${message.map(toMessageText).join(',')}]`;
  if (!('result' in message)) return JSON.stringify(message);
  return `${buildOpening(message)}${toResultText(message.result)}}`;
}

/** The same text in pieces, of which those that are kept are encoded once. */
export function toMessagePieces(message: JSONRPCMessage | JSONRPCMessage[]): (string | Buffer)[] {
  const known = 'result' in message ? kept.get(message.result) : undefined;
  if (!known || !('result' in message)) return [toMessageText(message)];
  known.ending ??= Buffer.from(`${JSON.stringify(message.result)}}`);
  return [buildOpening(message), known.ending];
}

function buildOpening({ id }: JSONRPCResultResponse): string {
  return `{"jsonrpc":"2.0","id":${typeof id === 'number' ? id : JSON.stringify(id)},"result":`;
}

function toResultText(result: JSONRPCResultResponse['result']): string {
  const known = kept.get(result);
  if (!known) return joinText(result);
  known.text ??= JSON.stringify(result);
  return known.text;
}

/** The answer of a tool may hold what is constant, which is text already. Its names are our own, with nothing to escape. */
function joinText(result: JSONRPCResultResponse['result']): string {
  if (!isConstant(result['structuredContent'])) return JSON.stringify(result);
  let text = '';
  for (const key in result) {
    const value = result[key];
    if (value !== undefined) text += `${text === '' ? '{' : ','}"${key}":${toText(value)}`;
  }
  return `${text}}`;
}
