// The inputs and outputs of the tools, with descriptions that teach a model when to use which.

import { z } from 'zod';
import { type FilterName, filterNames, filters, scopeNames } from '../filters.ts';
import { roles } from '../records.ts';
import { toolMaximums } from '../render/brief/brief-sessions.ts';

/** A smaller answer could not say what was left out and how to get it. */
const minBudget = 500;

const budget = (defaultValue: number) =>
  z
    .int()
    .min(minBudget)
    .max(toolMaximums.budget)
    .default(defaultValue)
    .describe('Maximum number of characters in the answer. It says what was left out and how to get it.');

const limit = (defaultValue: number) =>
  z
    .int()
    .min(1)
    .max(toolMaximums.limit)
    .default(defaultValue)
    .describe('Maximum number of sessions in the answer.');

function buildFilterInputs<Name extends FilterName>(names: readonly Name[]) {
  const inputs = names.map((name) => {
    const { choices, description } = filters[name];
    const values = choices === undefined ? z.string() : z.enum(choices as readonly [string, ...string[]]);
    const sentence = `${description.replace(/^./, (letter) => letter.toUpperCase())}.`;
    return [name, values.optional().describe(sentence)];
  });
  return Object.fromEntries(inputs) as { [K in Name]: z.ZodOptional<z.ZodString> };
}

const filterInputs = buildFilterInputs(filterNames.filter((name) => filters[name].isForTools));

const session = {
  id: z.string(),
  title: z.string().nullable(),
  kind: z.string().optional(),
  project: z.string().nullable(),
  branch: z.string().optional(),
  modifiedAt: z.string().nullable(),
  messageCount: z.number(),
  isGone: z.literal(true).optional(),
  restorable: z.enum(['archive', 'text']).optional(),
  resume: z
    .string()
    .optional()
    .describe('The command line with which the user resumes it; do not run it yourself.'),
};
const remainder = { leftOut: z.number(), next: z.array(z.string()), note: z.string() };

export const search = {
  title: 'Search past sessions',
  description:
    'Finds past sessions with coding agents by what was said and done in them (also code, commands and error messages), best matches first, with the matching passages and references for reading more. Use it when the user refers to earlier work, or when a problem may have been solved before.',
  inputSchema: z.strictObject({
    query: z
      .string()
      .min(1)
      .describe(
        'Two or three distinctive words: names, identifiers, error texts. All must occur in one session, in any order and form. Also "a phrase", pre*, -not, a OR b. A whole sentence is treated as a description.',
      ),
    ...filterInputs,
    limit: limit(8),
    budget: budget(3000),
  }),
  outputSchema: z.object({
    tier: z.string(),
    total: z.number(),
    totalIsExact: z.boolean(),
    hits: z.array(
      z.object({
        ...session,
        matchCount: z.number(),
        passages: z.array(z.object({ reference: z.string(), who: z.string(), text: z.string() })),
      }),
    ),
    ...remainder,
  }),
};

export const read = {
  title: 'Read a past session',
  description:
    'Reads a past session, or the part of it around a message or around matching words. Use it after a search, before you say what was decided.',
  inputSchema: z.strictObject({
    id: z
      .string()
      .min(1)
      .describe(
        'A session or subagent: its id or the first eight characters. With ":12" after it, the messages around its twelfth one; references such as 66c737db:12 come from search_sessions.',
      ),
    match: z
      .string()
      .optional()
      .describe('Only messages that match these words, as in a search, and some messages around them.'),
    around: z.int().min(1).optional().describe('Only the messages around this one, given by its number.'),
    range: z.string().optional().describe('Only these messages: "12-40".'),
    last: z.int().min(1).optional().describe('Only this many messages from the end.'),
    role: z.enum(roles).optional().describe('Only what the user, or the assistant, said.'),
    subagents: z.boolean().optional().describe('Include what its subagents said.'),
    budget: budget(8000),
  }),
  outputSchema: z.object({
    session: z.object(session),
    messages: z.array(
      z.object({
        reference: z.string(),
        who: z.string(),
        day: z.string(),
        text: z.string(),
        isCut: z.boolean(),
      }),
    ),
    leftOut: z.object({ messages: z.number(), cut: z.number() }),
    next: z.array(z.string()),
    note: z.string(),
  }),
};

export const list = {
  title: 'List recent sessions',
  description:
    'Lists the latest sessions, optionally of one project, branch, file or period. Use it for “what did we do lately”.',
  inputSchema: z.strictObject({ ...filterInputs, limit: limit(10), budget: budget(3000) }),
  outputSchema: z.object({ total: z.number(), sessions: z.array(z.object(session)), ...remainder }),
};

export const fileHistory = {
  title: 'Find the sessions that touched a file',
  description:
    'Lists the sessions that read or changed a file, newest first, with the tools they used. Use it to learn why a file is the way it is.',
  inputSchema: z.strictObject({
    path: z
      .string()
      .min(1)
      .describe(
        'A path, the end of one (src/auth.ts), or a directory; ./ is relative to the current directory.',
      ),
    changedOnly: z
      .boolean()
      .optional()
      .describe('Only sessions that changed it, not those that only read it.'),
    ...buildFilterInputs(scopeNames),
    limit: limit(10),
    budget: budget(3000),
  }),
  outputSchema: z.object({
    total: z.number(),
    sessions: z.array(z.object({ ...session, tools: z.string() })),
    ...remainder,
  }),
};
