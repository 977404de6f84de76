import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'prettier';
import { ROOT } from '../architecture/sources.js';

/** The parts of package.json that the other descriptions of the package repeat. */
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

/** The contents that the file must have. */
export function writeDescription(content: unknown, style: PackageJson['prettier']): Promise<string> {
  return format(JSON.stringify(content), { ...style, parser: 'json' });
}

/** The repository's URL for browsers. */
export function toRepositoryUrl({ repository }: PackageJson): string {
  return repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
}
