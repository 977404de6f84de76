const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The identifiers of the one thing that tokens are good for (RFC 8707): the MCP endpoint under BASE_URL. On this computer
 * it goes by several names, and a client insists on the one that its user typed.
 */
export function listResources(base_url: string): readonly string[] {
  const { protocol, hostname, port, pathname } = new URL(base_url);
  const names = LOOPBACK.includes(hostname) ? LOOPBACK.filter((name) => name !== hostname) : [];
  const end = `${port && `:${port}`}${pathname.replace(/\/$/, '')}/mcp`;
  return [hostname, ...names].map((name) => `${protocol}//${name}${end}`);
}

/** The one under the host that a request names; else the first. */
export function chooseResource(resources: readonly string[], host: string | undefined): string {
  return resources.find((resource) => new URL(resource).host === host?.toLowerCase()) ?? resources[0] ?? '';
}
