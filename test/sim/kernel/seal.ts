/* oxlint-disable unicorn/consistent-function-scoping -- what takes the place of a builtin stands where it is put in */
import { createRequire, syncBuiltinESMExports } from 'node:module';
import type { Chance } from './chance.js';
import type { Schedule } from './schedule.js';

const require = createRequire(import.meta.url);
const RealDate = Date;

/** The global clock, timers and generator of this process while a world runs. */
type Sealed = { schedule: Schedule; chance: Chance };

let sealed: Sealed | undefined;

/**
 * From now until the next call, libraries that use the process's own clock, timers and randomness get those of
 * the world.
 */
export function seal(world: Sealed): void {
  sealed = world;
}

function get(): Sealed {
  if (!sealed) throw new Error('no world lives yet');
  return sealed;
}

/** Node's own timer objects, as far as libraries use them. */
type Timer = {
  cancel: () => void;
  ref(): Timer;
  unref(): Timer;
  hasRef(): boolean;
  refresh(): Timer;
  close(): Timer;
};

function createTimer(start: () => () => void): Timer {
  let cancel = start();
  const timer: Timer = {
    cancel: () => cancel(),
    ref: () => timer,
    unref: () => timer,
    hasRef: () => true,
    refresh() {
      cancel();
      cancel = start();
      return timer;
    },
    close() {
      cancel();
      return timer;
    },
  };
  return timer;
}

type Callback = (...given: unknown[]) => void;

const setTimer = (run: Callback, delay_ms = 0, ...given: unknown[]): Timer =>
  createTimer(() => get().schedule.after(delay_ms, () => run(...given)));

const setRepeated = (run: Callback, delay_ms = 0, ...given: unknown[]): Timer => {
  let cancel = (): void => undefined;
  const again = (): void => {
    cancel = get().schedule.after(Math.max(1, delay_ms), () => {
      again();
      run(...given);
    });
  };
  return createTimer(() => {
    again();
    return () => cancel();
  });
};

const clear = (timer: Timer | undefined): void => timer?.cancel();

function delay<Value>(
  delay_ms?: number,
  value?: Value,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const refuse = (): void => {
      cancel();
      reject(new DOMException('The operation was aborted', 'AbortError'));
    };
    const cancel = get().schedule.after(delay_ms ?? 0, () => {
      signal?.removeEventListener('abort', refuse);
      resolve(value);
    });
    if (signal?.aborted) refuse();
    else signal?.addEventListener('abort', refuse, { once: true });
  });
}

class SealedDate extends RealDate {
  constructor(...given: unknown[]) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whatever Date takes
    super(...((given.length === 0 ? [get().schedule.now()] : given) as [number]));
  }
  static override now(): number {
    return get().schedule.now();
  }
}

/** Call it once, before the first module that could keep references to the globals. */
export function sealProcess(): void {
  const timers = {
    setTimeout: setTimer,
    setInterval: setRepeated,
    setImmediate: (run: Callback, ...given: unknown[]) => setTimer(run, 0, ...given),
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
  };
  const words = new Map<string, unknown>([...Object.entries(timers), ['Date', SealedDate]]);
  for (const [name, value] of words) Object.defineProperty(globalThis, name, { value, writable: true });
  Object.assign(require('node:timers') as object, timers);
  Object.assign(require('node:timers/promises') as object, {
    setTimeout: delay,
    setImmediate: (value?: unknown) => delay(0, value),
  });
  Object.defineProperty(performance, 'now', { value: () => get().schedule.now() });
  Object.defineProperty(AbortSignal, 'timeout', { value: abortAfter });
  Object.defineProperty(Math, 'random', { value: () => get().chance.real() });
  sealCrypto();
  sealFiles();
  sealCompression();
  syncBuiltinESMExports();
}

function abortAfter(delay_ms: number): AbortSignal {
  const controller = new AbortController();
  get().schedule.after(delay_ms, () =>
    controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
  );
  return controller.signal;
}

function sealCrypto(): void {
  const crypto = require('node:crypto') as Record<string, unknown>;
  const fill = <Target extends NodeJS.ArrayBufferView>(target: Target): Target => {
    const bytes = get().chance.bytes(target.byteLength);
    new Uint8Array(target.buffer, target.byteOffset, target.byteLength).set(bytes);
    return target;
  };
  const uuid = (): string => {
    const hex = get().chance.bytes(16).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  Object.assign(crypto, {
    randomBytes: (count: number) => get().chance.bytes(count),
    randomFillSync: fill,
    randomUUID: uuid,
    randomInt: (least: number, bound?: number) =>
      bound === undefined ? get().chance.below(least) : least + get().chance.below(bound - least),
  });
  Object.defineProperty(globalThis.crypto, 'randomUUID', { value: uuid });
  Object.defineProperty(globalThis.crypto, 'getRandomValues', { value: fill });
}

/** Other threads would compress in a different order each time. */
function sealCompression(): void {
  const zlib = require('node:zlib') as Record<string, unknown>;
  for (const name of ['brotliCompress', 'brotliDecompress']) {
    const atOnce = zlib[`${name}Sync`] as (...given: unknown[]) => unknown;
    zlib[name] = (...given: unknown[]) => {
      const answer = given.pop() as (error: null, result: unknown) => void;
      answer(null, atOnce(...given));
    };
  }
}

/**
 * The few real files are read and written synchronously, because the time a disk takes would change the order
 * each time.
 */
function sealFiles(): void {
  const files = require('node:fs') as Record<string, unknown>;
  const promises = require('node:fs/promises') as Record<string, unknown>;
  for (const name of ['access', 'writeFile', 'readFile', 'mkdir', 'rm', 'stat', 'readdir', 'rename']) {
    const atOnce = files[`${name}Sync`] as (...given: unknown[]) => unknown;
    promises[name] = async (...given: unknown[]) => atOnce(...given);
  }
}
