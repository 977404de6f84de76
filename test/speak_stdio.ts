import { PassThrough } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { createOffer } from '../src/transports/mcp/offer.js';
import { speakBeforeStart } from '../src/transports/mcp/stdio/starting.js';
import { speakStdio, type StdioOptions } from '../src/transports/mcp/stdio/lines.js';
import { buildTool } from '../src/transports/mcp/tools/tool.js';
import type { Service } from '../src/transports/index.js';

/**
 * MCP over two streams, assembled as in cli/serving/stdio.ts, with a running service. Resolves when the input
 * has ended.
 */
export function speakWith(service: Service, options: StdioOptions): Promise<void> {
  const offer = createOffer(service.tools.map(buildTool), service.is_read_only);
  const spoken = speakBeforeStart(offer, {
    version: service.version,
    start: () => Promise.resolve(service),
  });
  return speakStdio(spoken, options);
}

/**
 * A client's transport to the service over stdio, without a process. `ended` resolves once the service has
 * stopped reading.
 */
export function openStreams(service: Service): { transport: Transport; ended: Promise<void> } {
  const input = new PassThrough();
  const transport: Transport = {
    start: () => Promise.resolve(),
    send: (message) => Promise.resolve(void input.write(`${JSON.stringify(message)}\n`)),
    close: () => Promise.resolve(void input.end()),
  };
  const output = {
    write(lines: string) {
      for (const line of lines.trimEnd().split('\n')) {
        transport.onmessage?.(JSON.parse(line) as JSONRPCMessage);
      }
      return true;
    },
  };
  const ended = speakWith(service, { input, output }).then(() => transport.onclose?.());
  return { transport, ended };
}
