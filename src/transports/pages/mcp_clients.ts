import { MCP_PATH } from '../mcp/http/routes.js';

/** How an assistant's program is configured for this service. `place`: where the text goes. `install`: a link that the program opens. */
type McpClient = { name: string; place: string; text: string; install?: string };

const NAME = 'listing-service';

/**
 * Configurations for programs that reach MCP servers over HTTP. None holds a key: each program opens the log-in in a browser by
 * itself.
 * @param base_url without a trailing slash
 */
export function listMcpClients(base_url: string): McpClient[] {
  const url = base_url + MCP_PATH;
  return [
    {
      name: 'Claude Code',
      place: 'in a terminal',
      text: `claude mcp add --transport http ${NAME} ${url}`,
    },
    {
      name: 'Cursor',
      place: 'in ~/.cursor/mcp.json',
      text: format({ mcpServers: { [NAME]: { url } } }),
      install: `cursor://anysphere.cursor-deeplink/mcp/install?${new URLSearchParams({
        name: NAME,
        config: Buffer.from(JSON.stringify({ url })).toString('base64'),
      })}`,
    },
    {
      name: 'VS Code',
      place: 'in .vscode/mcp.json of a folder',
      text: format({ servers: { [NAME]: { type: 'http', url } } }),
      install: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: NAME, type: 'http', url }))}`,
    },
  ];
}

function format(config: object): string {
  return JSON.stringify(config, undefined, 2);
}
