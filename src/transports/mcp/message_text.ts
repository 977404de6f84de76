import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** Results that never change, and their text. */
const kept = new WeakMap<object, string>();

/** From now on this result is turned into text once, however often it is sent. */
export function keepText(result: object): void {
  kept.set(result, JSON.stringify(result));
}

export function isKept(result: object): boolean {
  return kept.has(result);
}

/** One message, or those of a batch. */
export function toMessageText(message: JSONRPCMessage | JSONRPCMessage[]): string {
  if (Array.isArray(message)) return `[${message.map(toMessageText).join(',')}]`;
  const result = 'result' in message ? kept.get(message.result) : undefined;
  if (result === undefined || !('id' in message)) return JSON.stringify(message);
  return `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${result}}`;
}
