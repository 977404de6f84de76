// Reads a Dockerfile as far as ours goes; throws for what it does not know, so that nothing is passed over.

/**
 * The stages, in order. Of each: the image it starts from, its name, and its instructions, each {keyword, flags, text}.
 * ARG counts before the first stage, with its default, and for the images alone.
 * An instruction's flags are those before its text, such as {from: 'build'}.
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

/** The words of an exec form; the shell form of what starts a process is refused, since no signal reaches it. */
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

/** Of a .dockerignore that leaves out everything but what it names: those names. */
export function parseAllowed(source) {
  const [first, ...rest] = source.split('\n').filter((line) => line.trim() !== '');
  if (first !== '*') unknown(first);
  return rest.map((line) => /^!([\w./-]+)$/.exec(line)?.[1] ?? unknown(line));
}

function unknown(text) {
  throw new Error(`This is not understood: ${text}`);
}
