import { Layout, PRODUCT, renderPage } from '../../pages/index.js';
import type { Service } from '../service.js';

/** What this is and where things are. */
export function buildHomePage({ version, base_url }: Pick<Service, 'version' | 'base_url'>): string {
  return renderPage(
    <Layout title={PRODUCT} width="narrow">
      <div class="stack">
        <h1>{PRODUCT}</h1>
        <p>
          Lists handmade and vintage products in many Etsy shops at once, for programs and for assistants.
        </p>
      </div>
      <dl class="facts">
        <dt>Documentation</dt>
        <dd>
          <a href="/docs">Every operation and every error code</a>
        </dd>
        <dt>REST</dt>
        <dd>
          <code>{base_url}/api/v1</code> (<a href="/api/v1/openapi.json">OpenAPI</a>)
        </dd>
        <dt>MCP</dt>
        <dd>
          <code>{base_url}/mcp</code>, Streamable HTTP
        </dd>
        <dt>Health</dt>
        <dd>
          <a href="/healthz">/healthz</a>, <a href="/readyz">/readyz</a>
        </dd>
        <dt>Version</dt>
        <dd>{version}</dd>
      </dl>
    </Layout>,
  );
}
