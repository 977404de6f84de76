// The official SDK's low-level server alone, over its own stdio: one tool, whose answer is in a file.
import { readFileSync } from 'node:fs';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const { result } = JSON.parse(readFileSync(process.argv[2], 'utf8'));

const server = new Server({ name: 'bare', version: '1' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [] }));
server.setRequestHandler(CallToolRequestSchema, () => result);
await server.connect(new StdioServerTransport());
