import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { isObject } from '../incoming.js';

/** Where a request of the stateless revisions names its own. */
export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

/**
 * Whether a message belongs to a revision without sessions (2026-07-28 and later). The body decides: it names a version, or asks for
 * server/discover, which older revisions do not have. The header only decides for what names nothing; every client sends initialize
 * in its old meaning.
 */
export function isStateless(message: JSONRPCMessage, version_header: string | undefined): boolean {
  const is_named_new = isNewerThanSessions(version_header);
  if (!('method' in message)) return is_named_new;
  const meta = message.params?.['_meta'];
  if (isObject(meta) && meta[VERSION_KEY] !== undefined) return true;
  return message.method === 'server/discover' || (is_named_new && message.method !== 'initialize');
}

export function isNewerThanSessions(version_header: string | undefined): boolean {
  return version_header !== undefined && version_header >= '2026';
}
