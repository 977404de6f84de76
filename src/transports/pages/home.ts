import type { Service } from '../service.js';
import { buildPage, html } from './html.js';

/** What this is and where things are. */
export function buildHomePage({ version, base_url }: Pick<Service, 'version' | 'base_url'>): string {
  return buildPage(
    'Marketplace Listing Service',
    html`<h1>Marketplace Listing Service</h1>
      <p>Lists handmade and vintage products in many Etsy shops at once, for programs and for assistants.</p>
      <ul>
        <li><a href="/docs">Documentation</a>: every operation and every error code</li>
        <li>REST: <code>${base_url}/api/v1</code> (<a href="/api/v1/openapi.json">OpenAPI</a>)</li>
        <li>MCP, Streamable HTTP: <code>${base_url}/mcp</code></li>
        <li>Health: <a href="/healthz">/healthz</a>, <a href="/readyz">/readyz</a></li>
      </ul>
      <p class="note">
        Version ${version}. The term 'Etsy' is a trademark of Etsy, Inc. This application uses the Etsy API
        but is not endorsed or certified by Etsy.
      </p>`,
  );
}
