import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { marked, type Tokens } from 'marked';
import { ROOT } from '../architecture/sources.js';

const run = promisify(execFile);
/** The first start also compiles the service. Even on a busy machine, only a start that hangs takes longer. */
const START_MS = 400_000;

/** Someone with a separate home folder, a copy of the repository, and its README. */
export type Stranger = {
  home: string;
  repository: string;
  /** The block of shell commands with that number in a section of the README. */
  readCommand(section: string, number?: number): Promise<string>;
  /** Its output; throws if it exits with anything but 0. */
  run(command: string): Promise<string>;
  /** A process that stays up: its output once that contains the given text, and its orderly end. */
  start(command: string, ready: RegExp): Promise<{ printed: string; stop(): Promise<void> }>;
  /** Everything that was done and its result, in a file that remains. */
  record(did: string, got: unknown): Promise<void>;
  record_file: string;
  leave(): Promise<void>;
};

/**
 * The repository is what a clone would contain, including uncommitted changes. Its packages are links to
 * those of this checkout: `npm ci` is the one command that is replaced, by its last step, the build.
 */
export async function invite(): Promise<Stranger> {
  const folder = await mkdtemp(join(tmpdir(), 'stranger-'));
  const repository = join(folder, 'marketplace-listing-service');
  const home = join(folder, 'home');
  const bin = join(folder, 'bin');
  const record_file = join(await mkdtemp(join(tmpdir(), 'strangers-walk-')), 'walk.md');
  for (const path of [repository, home, bin]) await mkdir(path);
  await copyRepository(repository);
  await writeFile(join(bin, 'npm'), await buildNpm(), { mode: 0o755 });
  const env = { HOME: home, USERPROFILE: home, PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` };
  let recorded = '# A stranger’s walk\n';

  return {
    home,
    repository,
    record_file,
    readCommand: async (section, number = 0) =>
      findCommand(await readFile(join(repository, 'README.md'), 'utf8'), section, number),
    async run(command) {
      const { stdout } = await run('sh', ['-euc', command], { cwd: repository, env });
      return stdout;
    },
    async start(command, ready) {
      const child = spawn('sh', ['-euc', command], {
        cwd: repository,
        // Others may have the usual port; nothing else is set.
        env: { ...env, PORT: '0' },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      });
      let printed = '';
      let said = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
      const ended = once(child, 'close');
      const stop = async () => {
        // The shell, npm and the program it started.
        if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
        await ended;
      };
      const until = Date.now() + START_MS;
      while (!ready.test(printed)) {
        if (child.exitCode !== null || Date.now() > until) {
          await stop();
          throw new Error(`${command} did not start:\n${printed}\n${said}`);
        }
        await new Promise((done) => setTimeout(done, 50));
      }
      return { printed, stop };
    },
    async record(did, got) {
      const text = typeof got === 'string' ? got : JSON.stringify(got, undefined, 2);
      recorded += `\n## ${did}\n\n\`\`\`\n${hideSecrets(text).trim()}\n\`\`\`\n`;
      await writeFile(record_file, recorded);
    },
    leave: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The file remains, and may be shown. */
function hideSecrets(text: string): string {
  return text.replaceAll(/(\bmls_|\blink=)[\w-]+/g, '$1…');
}

async function copyRepository(to: string): Promise<void> {
  const { stdout } = await run('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: ROOT,
    maxBuffer: 16 * 1024 * 1024,
  });
  for (const file of stdout.split('\0').filter((name) => name !== '' && name !== 'node_modules')) {
    await mkdir(dirname(join(to, file)), { recursive: true });
    await cp(join(ROOT, file), join(to, file)).catch((cause: NodeJS.ErrnoException) => {
      // Removed and not committed yet.
      if (cause.code !== 'ENOENT') throw cause;
    });
  }
  const packages = [join(ROOT, 'node_modules'), join(to, 'node_modules')];
  // As links to the same files, or copies if the temporary folder is on another disk.
  await run('cp', ['-al', ...packages]).catch(async () => {
    await rm(join(to, 'node_modules'), { recursive: true, force: true });
    await run('cp', ['-a', ...packages]);
  });
}

async function buildNpm(): Promise<string> {
  const { stdout } = await run('sh', ['-c', 'command -v npm']);
  const npm = stdout.trim();
  return `#!/bin/sh\nif [ "$1" = ci ]; then exec '${npm}' run -s prepare; fi\nexec '${npm}' "$@"\n`;
}

function findCommand(readme: string, section: string, number: number): string {
  const tokens = marked.lexer(readme);
  const from = tokens.findIndex(
    (token) => token.type === 'heading' && (token as Tokens.Heading).text === section,
  );
  const rest = tokens.slice(from + 1);
  const end = rest.findIndex((token) => token.type === 'heading');
  const blocks: Tokens.Code[] = [];
  // Steps in a list can contain commands too.
  void marked.walkTokens(rest.slice(0, end < 0 ? undefined : end), (token) => {
    if (token.type === 'code' && token.lang === 'sh') blocks.push(token as Tokens.Code);
  });
  const command = from < 0 ? undefined : blocks[number]?.text;
  if (command === undefined) throw new Error(`the README has no command ${number} under ${section}`);
  return command;
}
