import { z } from 'zod/v3';

/*
 * The parts of version 0.3 of the bundle manifest that manifest.json uses, as in @anthropic-ai/mcpb 2.1.2
 * (2026-11-28), without parts that schema only tolerates. Unknown fields are refused, so a misspelling is
 * noticed.
 */

const link = z.string().url().startsWith('https://');

const option = z.discriminatedUnion('type', [
  z
    .object({
      type: z.enum(['string', 'directory', 'file']),
      title: z.string(),
      description: z.string(),
      default: z.string().optional(),
      sensitive: z.boolean().optional(),
    })
    .strict(),
  z
    .object({ type: z.literal('boolean'), title: z.string(), description: z.string(), default: z.boolean() })
    .strict(),
  z
    .object({
      type: z.literal('number'),
      title: z.string(),
      description: z.string(),
      default: z.number(),
      min: z.number(),
      max: z.number(),
    })
    .strict(),
]);

export const manifestSchema = z
  .object({
    manifest_version: z.literal('0.3'),
    name: z.string(),
    display_name: z.string(),
    version: z.string(),
    description: z.string(),
    long_description: z.string(),
    author: z.object({ name: z.string() }).strict(),
    repository: z.object({ type: z.literal('git'), url: link }).strict(),
    homepage: link,
    documentation: link,
    support: link,
    icon: z.string().endsWith('.png'),
    license: z.string(),
    privacy_policies: z.array(link).min(1),
    keywords: z.array(z.string()),
    server: z
      .object({
        type: z.literal('node'),
        entry_point: z.string(),
        mcp_config: z
          .object({ command: z.string(), args: z.array(z.string()), env: z.record(z.string()) })
          .strict(),
      })
      .strict(),
    user_config: z.record(option),
    compatibility: z
      .object({
        platforms: z.array(z.enum(['darwin', 'win32', 'linux'])),
        runtimes: z.object({ node: z.string() }).strict(),
      })
      .strict(),
    prompts_generated: z.boolean(),
    tools: z.array(z.object({ name: z.string(), description: z.string() }).strict()),
  })
  .strict();
