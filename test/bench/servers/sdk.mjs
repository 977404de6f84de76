// The official SDK's low-level server without additions, over its own stdio: one tool, whose answer is in a
// file.
import { readFileSync } from 'node:fs';
import { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const { result } = JSON.parse(readFileSync(process.argv[2], 'utf8'));

const server = new Server({ name: 'bare', version: '1' }, { capabilities: { tools: {} } });
server.setRequestHandler('tools/list', () => ({ tools: [] }));
server.setRequestHandler('tools/call', () => result);
await server.connect(new StdioServerTransport());
