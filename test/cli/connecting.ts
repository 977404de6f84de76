import { spawn } from 'node:child_process';
import { CLI, type Environment } from '../surfaces/faces.js';

export type Connecting = {
  consent_url: string;
  /** The process's result: its exit code and all output. */
  end: Promise<{ code: number | null; stdout: string; stderr: string }>;
  /** Writes to its stdin and closes it. */
  write(text: string): void;
  stop(): void;
};

/** Starts `connect` as a process and resolves once it has printed the consent page. */
export async function startConnect(env: Environment, args: string[] = []): Promise<Connecting> {
  const child = spawn(process.execPath, [CLI, 'connect', '--no-browser', ...args], {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const end = new Promise<{ code: number | null; stdout: string; stderr: string }>((done) => {
    child.once('close', (code) => done({ code, stdout, stderr }));
  });
  const consent_url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      const printed = /^(https?:\S+)\n/m.exec(stdout)?.[1];
      if (printed !== undefined) resolve(printed);
    });
    child.once('close', () => reject(new Error(`connect did not start: ${stderr}`)));
  });
  return {
    consent_url,
    end,
    write: (text) => void child.stdin.end(text),
    stop: () => void child.kill('SIGINT'),
  };
}
