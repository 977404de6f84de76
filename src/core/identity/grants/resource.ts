const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The identifiers of the only resource that tokens are valid for (RFC 8707): the MCP endpoint under BASE_URL. On this
 * computer it has several names, and a client insists on the one that its user typed.
 */
export function listResources(base_url: string): readonly string[] {
  const { protocol, hostname, port, pathname } = new URL(base_url);
  const names = LOOPBACK.includes(hostname) ? LOOPBACK.filter((name) => name !== hostname) : [];
  const end = `${port && `:${port}`}${pathname.replace(/\/$/, '')}/mcp`;
  return [hostname, ...names].map((name) => `${protocol}//${name}${end}`);
}

/** The resource under the host that a request names, otherwise the first. */
export function chooseResource(resources: readonly string[], host: string | undefined): string {
  return resources.find((resource) => new URL(resource).host === host?.toLowerCase()) ?? resources[0] ?? '';
}
