import type { Browser } from 'playwright-core';

export declare function walkBundle(options: {
  start: { command: string; args: string[]; env: Record<string, string> };
  chromium: Browser;
  cli: string;
  way: 'returns' | 'pasted';
}): Promise<number>;
