import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { isConstant } from '../../core/constant.js';
import { toText } from '../constant_text.js';

/** Results that never change, and their text once it was needed. */
const kept = new WeakMap<object, string | undefined>();

/** From now on this result is turned into text once, however often it is sent. */
export function keepText(result: object): void {
  kept.set(result, undefined);
}

/** One message, or those of a batch. */
export function toMessageText(message: JSONRPCMessage | JSONRPCMessage[]): string {
  if (Array.isArray(message)) return `[${message.map(toMessageText).join(',')}]`;
  if (!('result' in message)) return JSON.stringify(message);
  return `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${toResultText(message.result)}}`;
}

function toResultText(result: object): string {
  if (!kept.has(result)) return joinText(result);
  const text = kept.get(result) ?? JSON.stringify(result);
  kept.set(result, text);
  return text;
}

/** The answer of a tool may hold what is constant, which is text already. */
function joinText(result: object): string {
  if (!('structuredContent' in result) || !isConstant(result.structuredContent))
    return JSON.stringify(result);
  const given = Object.entries(result).filter(([, value]) => value !== undefined);
  const parts = given.map(([key, value]) => `${JSON.stringify(key)}:${toText(value)}`);
  return `{${parts.join(',')}}`;
}
