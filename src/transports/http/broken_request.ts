import type { Socket } from 'node:net';
import { ServiceError, toErrorBody } from '../../core/errors.js';
import type { Service } from '../service.js';
import { SECURITY_HEADERS } from './security_headers.js';

/** Answers what never became a request: a malformed line, too many headers, a line that fell silent. */
export function answerBrokenRequest(
  error: NodeJS.ErrnoException,
  socket: Socket,
  { docs_url }: Pick<Service, 'docs_url'>,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(toErrorBody(describe(error.code), docs_url));
  const headers = {
    ...SECURITY_HEADERS,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`);
}

function describe(code: string | undefined): ServiceError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ServiceError('VALIDATION_FAILED', 'The request headers have more than 16 KiB.', {
      hint: 'Send fewer or shorter headers.',
    });
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ServiceError('VALIDATION_FAILED', 'The request did not arrive in time.', {
      hint: 'Send the whole request without long pauses.',
    });
  }
  return new ServiceError('VALIDATION_FAILED', 'This is not a well-formed HTTP request.', {
    hint: 'Check the request line, the headers and the length of the body.',
  });
}
