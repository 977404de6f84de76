import { z } from 'zod/v3';

/*
 * What the registry of MCP servers (schema 2025-12-11) asks of a server.json that names one npm package over stdio. Its other
 * parts are left out, and unknown fields are refused, so that a misspelt one shows.
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

const packageOfNpm = z
  .object({
    registryType: z.literal('npm'),
    identifier: z.string(),
    version: exactVersion,
    runtimeHint: z.string(),
    transport: z.object({ type: z.literal('stdio') }).strict(),
    packageArguments: z.array(
      z.object({ ...input, type: z.literal('positional'), value: z.string() }).strict(),
    ),
    environmentVariables: z.array(z.object({ ...input, name: z.string().regex(/^[A-Z_]+$/) }).strict()),
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
    packages: z.array(packageOfNpm).length(1),
  })
  .strict();
