/**
 * Undefined where the text is no address. URL.canParse is not asked: in Node 20 it refuses every address with a letter such as ü
 * from the time that the engine has optimized its caller, after some thousand calls.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
