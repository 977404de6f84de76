/**
 * Undefined if the text is not a URL. Does not use URL.canParse: in Node 20, once the engine has optimized its caller after
 * some thousand calls, it refuses every URL with a letter such as ü.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
