import { z } from 'zod/v3';

/*
 * The parts of the schema of the registry of MCP servers (2025-12-11) that our server.json uses, plus the
 * checks of its validator: an image has its version only in its address, and a bundle is at a release.
 * Unknown fields are refused, so a misspelling is noticed.
 */

const input = {
  description: z.string().optional(),
  format: z.enum(['string', 'number', 'boolean', 'filepath']).optional(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
  default: z.string().optional(),
  placeholder: z.string().optional(),
  value: z.string().optional(),
  choices: z.array(z.string()).optional(),
};

const exactVersion = z
  .string()
  .min(1)
  .max(255)
  .refine((text) => text !== 'latest' && !/^[~^<>=]|\.[x*]$/.test(text), 'names one version, not a range');

const started = {
  transport: z.object({ type: z.literal('stdio') }).strict(),
  runtimeHint: z.string(),
  packageArguments: z.array(
    z.object({ ...input, type: z.literal('positional'), value: z.string() }).strict(),
  ),
  environmentVariables: z.array(z.object({ ...input, name: z.string().regex(/^[A-Z_]+$/) }).strict()),
};

const packageOfNpm = z
  .object({ ...started, registryType: z.literal('npm'), identifier: z.string(), version: exactVersion })
  .strict();

const image = z
  .object({
    ...started,
    registryType: z.literal('oci'),
    identifier: z.string().regex(/^[a-z0-9.-]+\.[a-z]+\/[a-z0-9._/-]+:(?!latest$)[\w.-]+$/),
    runtimeArguments: z.array(
      z.object({ ...input, type: z.literal('named'), name: z.string().startsWith('--') }).strict(),
    ),
  })
  .strict();

const bundle = z
  .object({
    registryType: z.literal('mcpb'),
    identifier: z.string().regex(/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/releases\/download\/.+\.mcpb$/),
    version: exactVersion,
    /** The hash of the file at a release; written by the release command. */
    fileSha256: z
      .string()
      .regex(/^[a-f0-9]{64}$/)
      .optional(),
    transport: started.transport,
  })
  .strict();

export const serverSchema = z
  .object({
    $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
    name: z
      .string()
      .min(3)
      .max(200)
      .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
    title: z.string().min(1).max(100),
    description: z.string().min(1).max(100),
    repository: z.object({ url: z.string().url(), source: z.literal('github') }).strict(),
    version: exactVersion,
    packages: z.tuple([packageOfNpm, image, bundle]),
  })
  .strict();
