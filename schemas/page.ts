import { z } from 'zod/v3';

export const limitParameter = z.number().int().min(1).max(100).default(25).describe('Page size');
export const offsetParameter = z.number().int().min(0).max(1_000_000_000).default(0);
