import { createOffer } from '../src/transports/mcp/offer.js';
import { speakBeforeStart } from '../src/transports/mcp/stdio/starting.js';
import { speakStdio, type StdioOptions } from '../src/transports/mcp/stdio/lines.js';
import { buildTool } from '../src/transports/mcp/tools/tool.js';
import type { Service } from '../src/transports/index.js';

/** MCP over two streams, put together as cli/serving/stdio.ts does it, with a service that runs already. Resolves when the input has ended. */
export function speakWith(service: Service, options: StdioOptions): Promise<void> {
  const offer = createOffer(service.tools.map(buildTool), service.is_read_only);
  const spoken = speakBeforeStart(offer, {
    version: service.version,
    start: () => Promise.resolve(service),
  });
  return speakStdio(spoken, options);
}
