import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'prettier';
import { ROOT } from '../architecture/sources.js';

/** Of package.json, what the descriptions of the package for others repeat. */
export type PackageJson = {
  name: string;
  version: string;
  description: string;
  author: string;
  license: string;
  keywords: string[];
  repository: { type: string; url: string };
  mcpName: string;
  bin: Record<string, string>;
  prettier: Record<string, unknown>;
  dependencies: Record<string, string>;
};

/** A JSON file at the root. */
export async function readDescription<Content>(name: string): Promise<Content> {
  return JSON.parse(await readFile(join(ROOT, name), 'utf8')) as Content;
}

/** As the file is to hold it. */
export function writeDescription(content: unknown, style: PackageJson['prettier']): Promise<string> {
  return format(JSON.stringify(content), { ...style, parser: 'json' });
}

/** Where browsers find the repository. */
export function toRepositoryUrl({ repository }: PackageJson): string {
  return repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
}
