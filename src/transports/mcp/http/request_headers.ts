import type { IncomingHttpHeaders } from 'node:http';
import type { JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';
import { ProtocolError, RPC } from '../protocol_error.js';

/** Methods whose subject stands in Mcp-Name too, and the parameter that has it. */
const NAMED: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/**
 * Whether the headers say what the body says, as the revision of 2026-07-28 wants it: what stands between us and the client may have
 * decided by them. Throws a ProtocolError that names the header.
 */
export function checkHeaders(headers: IncomingHttpHeaders, request: JSONRPCRequest, version: string): void {
  const { method, params } = request;
  check('MCP-Protocol-Version', headers['mcp-protocol-version'], version);
  check('Mcp-Method', headers['mcp-method'], method);
  const source = NAMED[method];
  const name = source === undefined ? undefined : params?.[source];
  // A name that is no text is told of by the method itself.
  if (typeof name === 'string') check('Mcp-Name', headers['mcp-name'], name, decode);
}

function check(
  header: string,
  text: string | string[] | undefined,
  expected: string,
  read = (given: string): string | undefined => given,
): void {
  const problem =
    typeof text !== 'string'
      ? 'is missing'
      : read(text) !== expected
        ? 'does not say what the body says'
        : undefined;
  if (problem) throw new ProtocolError(RPC.header_mismatch, `The header ${header} ${problem}.`);
}

/** `=?base64?...?=` for what is not plain ASCII. Undefined when it is encoded wrongly, or should have been encoded. */
function decode(text: string): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(text)?.[1];
  if (encoded === undefined) return /^[\x20-\x7e\t]*$/.test(text) ? text : undefined;
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.toString('base64') !== encoded) return undefined;
  return bytes.toString('utf8');
}
