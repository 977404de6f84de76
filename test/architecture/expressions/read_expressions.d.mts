type Entry = { worst?: [string, string]; most?: number; because?: string; built?: true };
export const MOST_CHARS: number;
export function readExpressions(): string[];
export function readList(): Record<string, Entry>;
export function toExpression(text: string): RegExp | undefined;
export function buildWorst(worst: [string, string], chars: number): string;
export function run(expression: RegExp, text: string): void;
