// The official SDK's low-level server with nothing added, over its stdio transport. Lists no tools; every call
// returns the result in the given file.
import { readFileSync } from 'node:fs';
import { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const { result } = JSON.parse(readFileSync(process.argv[2], 'utf8'));

const server = new Server({ name: 'bare', version: '1' }, { capabilities: { tools: {} } });
server.setRequestHandler('tools/list', () => ({ tools: [] }));
server.setRequestHandler('tools/call', () => result);
await server.connect(new StdioServerTransport());
