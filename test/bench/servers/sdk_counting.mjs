// The official SDK's low-level server over its own stdio, which counts and logs each call. One tool, whose answer is in a file.
import { readFileSync } from 'node:fs';
import { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { openCounter } from './counting.mjs';

const [answer, file] = process.argv.slice(2);
const { result } = JSON.parse(readFileSync(answer, 'utf8'));
const count = openCounter(file);

const server = new Server({ name: 'bare', version: '1' }, { capabilities: { tools: {} } });
server.setRequestHandler('tools/list', () => ({ tools: [] }));
server.setRequestHandler('tools/call', () => {
  count();
  return result;
});
await server.connect(new StdioServerTransport());
