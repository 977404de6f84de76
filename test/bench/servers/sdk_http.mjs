// The official SDK's low-level server over its own HTTP, without sessions: one tool, whose answer is in a file. Prints its port.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const { result } = JSON.parse(readFileSync(process.argv[2], 'utf8'));

const http = createServer((request, response) => void answer(request, response));
http.listen(0, '127.0.0.1', () => process.stdout.write(`${http.address().port}\n`));

/** As its documentation has it: a server and a transport for each request. */
async function answer(request, response) {
  const server = new Server({ name: 'bare', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [] }));
  server.setRequestHandler(CallToolRequestSchema, () => result);
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  response.on('close', () => {
    void transport.close();
    void server.close();
  });
  await server.connect(transport);
  await transport.handleRequest(request, response);
}
