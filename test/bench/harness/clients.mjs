import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const CLIENT = join(import.meta.dirname, 'client.mjs');

/**
 * Opens a file of the folder clients in a separate process: it shares neither V8's heap nor its code with
 * whatever is measured alongside it, so neither slows the other down.
 *
 * @param {string} name
 * @param {unknown} settings the argument of its `open`
 */
export async function startClient(name, settings) {
  const child = fork(CLIENT, [name]);
  const ask = (message) =>
    new Promise((resolve, reject) => {
      const end = (code, signal) => reject(new Error(`${name} ended with ${code ?? signal}`));
      child.once('exit', end);
      child.once('message', (answer) => {
        child.off('exit', end);
        resolve(answer);
      });
      child.send(message);
    });
  await ask(settings);
  return {
    pid: child.pid,
    /** @param {unknown} argument */
    run: (argument = null) => ask(argument),
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      const [code, signal] = await ended;
      if (code !== 0) throw new Error(`${name} ended with ${code ?? signal}`);
    },
  };
}
