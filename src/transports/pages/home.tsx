import { LISTING_FEE } from '../../../schemas/marketplace_facts.js';
import { Copyable, Layout, PRODUCT, renderPage, Scripts } from '../../pages/index.js';
import { isLoopbackUrl } from '../http/allowed_hosts.js';
import { MCP_PATH } from '../mcp/http/routes.js';
import { API_PREFIX } from '../rest/rest.js';
import type { Service } from '../service.js';

type Presented = Pick<Service, 'version' | 'base_url' | 'is_sandbox' | 'is_read_only'>;

/** The start page: what this is, whether shops are real or the sandbox's, and links to each part. */
export function buildHomePage(presented: Presented): string {
  return renderPage(
    <Layout title={PRODUCT} head={<Scripts names={['copy']} />}>
      <div class="stack">
        <h1>{PRODUCT}</h1>
        <p class="prose lead">
          Describe a product once, and have it correct in every Etsy shop you have: checked before anything is
          written, never listed twice, changed and taken back when you say so. For sellers, for their
          assistants, and for programs.
        </p>
        <MarketplaceNotice {...presented} />
      </div>
      <PartLinks {...presented} />
      <Assistants {...presented} />
      <p class="note">
        Version {presented.version}. <a href="/healthz">Alive</a> and <a href="/readyz">ready for work</a> are
        for monitoring.
      </p>
    </Layout>,
  );
}

function MarketplaceNotice({ is_sandbox, is_read_only }: Presented) {
  return (
    <div class="notice" data-tone={is_sandbox ? 'ok' : 'wait'}>
      {is_sandbox ? (
        <p>
          <strong>Sandbox: nothing reaches Etsy, no money.</strong> Try everything.{' '}
          <a href="/docs/sellers#a-key-from-etsy">How a real shop is connected</a>
        </p>
      ) : (
        <p>
          <strong>Real shops on Etsy.</strong> What is put live here can be bought, and each listing costs{' '}
          {LISTING_FEE} per shop.
        </p>
      )}
      {is_read_only && <p>It runs read-only: everything can be looked at, nothing changed.</p>}
    </div>
  );
}

function PartLinks({ base_url }: Presented) {
  return (
    <div class="grid doors">
      <section class="card">
        <h2>
          <a href="/dashboard">Dashboard</a>
        </h2>
        <p>For sellers: listings as buyers see them, shops, photos, errors and how to fix them.</p>
      </section>
      <section class="card">
        <h2>
          <a href="/docs">Documentation</a>
        </h2>
        <p>Guides, each operation with samples to copy, events and error codes.</p>
      </section>
      <section class="card">
        <h2>REST</h2>
        <p>
          <code>{base_url + API_PREFIX}</code>
        </p>
        <p>
          With a key, or a client generated from <a href={`${API_PREFIX}/openapi.json`}>openapi.json</a>.{' '}
          <a href="/docs/developers">First call</a>
        </p>
      </section>
      <section class="card">
        <h2>MCP</h2>
        <p>
          <code>{base_url + MCP_PATH}</code>
        </p>
        <p>
          For assistants, over Streamable HTTP. <a href="#assistants">Connect one</a>
        </p>
      </section>
    </div>
  );
}

function Assistants({ base_url }: Presented) {
  return (
    <section class="stack" aria-labelledby="assistants">
      <h2 id="assistants">Connect an assistant</h2>
      <p class="prose">
        Any that takes the address of an MCP server needs this address alone; a browser opens, and you let it
        in or not.
      </p>
      <Copyable text={base_url + MCP_PATH} label="Copy the address" />
      <div class="grid">
        {listMcpClients(base_url).map(({ name, place, text, install }) => (
          <section class="card" key={name}>
            <h3>{name}</h3>
            {install === undefined ? null : (
              <p>
                <a href={install}>Install in {name}</a>
              </p>
            )}
            <p class="note">{install === undefined ? place : `or ${place}`}</p>
            <div class="copyable stack" data-copy={`Copy for ${name}`}>
              <pre tabIndex={0}>
                <code>{text}</code>
              </pre>
            </div>
          </section>
        ))}
        <section class="card">
          <h3>Claude Desktop</h3>
          {isLoopbackUrl(base_url) ? (
            <p>
              Starts the service by itself, without this address: <code>listing-service setup</code> in a
              terminal (in a clone of the project <code>node dist/src/cli.js setup</code>) tells it how. Then
              quit it wholly and start it again.
            </p>
          ) : (
            <p>Settings, Connectors, Add custom connector, with the address above.</p>
          )}
        </section>
      </div>
    </section>
  );
}

/**
 * How to configure an assistant's program for this service. `place`: where the text goes. `install`: a link
 * that the program opens.
 */
type McpClient = { name: string; place: string; text: string; install?: string };

const NAME = 'listing-service';

/**
 * Configurations for programs that reach MCP servers over HTTP. None contains a key: each program opens the
 * log-in in a browser itself.
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
