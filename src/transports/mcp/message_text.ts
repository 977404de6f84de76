import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** Results that never change, and their text once it was needed. */
const kept = new WeakMap<object, string | undefined>();

/** From now on this result is turned into text once, however often it is sent. */
export function keepText(result: object): void {
  kept.set(result, undefined);
}

/** One message, or those of a batch. */
export function toMessageText(message: JSONRPCMessage | JSONRPCMessage[]): string {
  if (Array.isArray(message)) return `[${message.map(toMessageText).join(',')}]`;
  if (!('result' in message) || !kept.has(message.result)) return JSON.stringify(message);
  const result = kept.get(message.result) ?? JSON.stringify(message.result);
  kept.set(message.result, result);
  return `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${result}}`;
}
