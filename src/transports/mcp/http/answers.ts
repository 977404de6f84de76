import {
  createMcpHandler,
  PerRequestHTTPServerTransport,
  SdkError,
  type AuthInfo,
  type JSONRPCNotification,
  type JSONRPCRequest,
} from '@modelcontextprotocol/server';
import { createServer, type Peer, type ServerParts } from '../server.js';

/** A message that the route admitted, with the headers that its revision defines. */
export type Admitted = {
  message: JSONRPCRequest | JSONRPCNotification;
  peer: Peer;
  headers: Partial<Record<string, string>>;
};

/**
 * Answers one message with JSON, or with an event stream once there is a notification.
 * @param signal aborted when the client cancels the request or disconnects; the result is then undefined
 */
type Answer = (admitted: Admitted, signal: AbortSignal) => Promise<Response | undefined>;

/** The SDK behind the HTTP route. Each request gets a server of its own, so requests share nothing. */
export function createAnswers(parts: ServerParts): Answer {
  const modern = createMcpHandler(({ authInfo }) => createServer(parts, readPeer(authInfo)), {
    legacy: 'reject',
  });

  return async ({ message, peer, headers }, signal) => {
    const request = buildRequest(headers, signal);
    if (peer.era === 'modern') {
      // The handler passes nothing else on to the server that it creates.
      const authInfo: AuthInfo = { token: '', clientId: '', scopes: [], extra: { peer } };
      const answer = await modern.fetch(request, { parsedBody: message, authInfo });
      return signal.aborted ? undefined : answer;
    }
    const transport = new PerRequestHTTPServerTransport({ classification: { era: 'legacy' } });
    await createServer(parts, peer).connect(transport);
    try {
      return await transport.handleMessage(message, { request });
    } catch (cause) {
      if (cause instanceof SdkError && signal.aborted) return undefined;
      throw cause;
    }
  };
}

function readPeer(authInfo: AuthInfo | undefined): Peer {
  return authInfo?.extra?.['peer'] as Peer;
}

/** The request in the form that the SDK reads. Its body has been parsed already. */
function buildRequest(headers: Admitted['headers'], signal: AbortSignal): Request {
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { ...(headers as Record<string, string>), 'content-type': 'application/json' },
  });
  // Node's Request follows a signal through a weak reference, which may not survive until the end of a call.
  return Object.defineProperty(request, 'signal', { value: signal });
}
