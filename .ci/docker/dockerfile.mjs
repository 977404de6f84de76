// Parses the subset of Dockerfile syntax that ours uses; throws for anything unknown, so that nothing is
// skipped.

/**
 * The stages, in order. Each has the image it starts from, its name, and its instructions, each {keyword,
 * flags, text}. ARG counts before the first stage, with its default, and only for the images. An
 * instruction's flags are those before its text, such as {from: 'build'}.
 */
export function parseDockerfile(source) {
  const lines = source
    .split('\n')
    .filter((line) => !/^\s*(#|$)/.test(line))
    .join('\n')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n');
  const stages = [];
  const args = new Map();
  for (const line of lines) {
    const [, keyword, flag_text = '', text] = /^([A-Z]+)\s+((?:--\S+\s+)*)(.*)$/.exec(line) ?? unknown(line);
    if (keyword === 'ARG' && stages.length === 0) {
      const [, name, value] = /^(\w+)=(\S+)$/.exec(text) ?? unknown(line);
      args.set(name, value);
      continue;
    }
    if (keyword === 'FROM') {
      const [named, as, name] = text.split(/\s+/);
      const image = named.replaceAll(/\$\{(\w+)\}/g, (_whole, arg) => args.get(arg) ?? unknown(line));
      if (as !== undefined && as !== 'AS') unknown(line);
      stages.push({ image, name, instructions: [] });
      continue;
    }
    const flags = Object.fromEntries(
      [...flag_text.matchAll(/--([\w-]+)=(\S+)/g)].map(([, name, value]) => [name, value]),
    );
    (stages.at(-1) ?? unknown(line)).instructions.push({ keyword, flags, text });
  }
  return stages;
}

/**
 * The words of an exec form; the shell form of an instruction that starts a process is refused, since no
 * signal would reach the process.
 */
export function parseExec(text) {
  if (!text.startsWith('[')) throw new Error(`The exec form is wanted: ${text}`);
  return JSON.parse(text);
}

/** The variables of an ENV. */
export function parseEnv(text) {
  return Object.fromEntries(
    text.split(/\s+/).map((pair) => /^(\w+)=(\S*)$/.exec(pair)?.slice(1) ?? unknown(pair)),
  );
}

/** For a .dockerignore that excludes everything except some names: those names. */
export function parseAllowed(source) {
  const [first, ...rest] = source.split('\n').filter((line) => line.trim() !== '');
  if (first !== '*') unknown(first);
  return rest.map((line) => /^!([\w./-]+)$/.exec(line)?.[1] ?? unknown(line));
}

function unknown(text) {
  throw new Error(`This is not understood: ${text}`);
}
