export function parseCookies(header = ''): Map<string, string> {
  return new Map(
    header.split(';').flatMap((pair) => {
      const [name, ...value] = pair.split('=');
      return name && value.length > 0 ? [[name.trim(), value.join('=').trim()] as const] : [];
    }),
  );
}
