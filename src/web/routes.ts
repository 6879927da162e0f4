// The routes of the page's server: parameters → request → the API function that the matching command calls → JSON. What changes
// something is a POST. The conversation is drawn by the renderer of the HTML export.

import type { ServerResponse } from 'node:http';
import type {
  Conversation,
  FoundMatch,
  Part,
  SearchAnswer,
  ShownCall,
  TranscriptImage,
} from '../api/answers.ts';
import type { Recall } from '../api/recall.ts';
import type { LabelRequest } from '../api/requests.ts';
import { UserError } from '../errors.ts';
import { type FilterName, filterNames, scopeNames } from '../filters.ts';
import { toHintText } from '../hints.ts';
import { toStatsJson } from '../render/activity.ts';
import type { HtmlText } from '../render/conversation/html-printer.ts';
import {
  formatCallName,
  kindNotes,
  listHeadFacts,
  nameSpeaker,
  nameSubagent,
  type Printer,
  printConversation,
  summarizeCalls,
} from '../render/conversation/printer.ts';
import { listIndexFacts, toDoctorJson } from '../render/doctor-report.ts';
import { toSearchJson, toSessionJson } from '../render/json.ts';
import { formatNothingNote, formatQueryNotes, formatResultNotes } from '../render/notes.ts';
import { formatNumbered } from '../render/quantities.ts';
import { explainRunning, formatForgetWarning } from '../render/resumption.ts';
import { findDeleted, toFilesJson, toListJson, toProjectsJson, toTitle } from '../render/sessions.ts';
import { toPrintable, toPrintableLine } from '../text/printable.ts';
import { toSnippet } from '../text/snippet.ts';
import { headers, limits, Refusal, send, sendJson } from './guard.ts';
import type { Live } from './live.ts';

export interface RoutesParts {
  readonly recall: Recall;
  readonly live: Live;
  readonly homeDir: string;
}

type Given = Pick<URLSearchParams, 'get'>;

/** Never refreshed here: another thread does that, and pages are told. */
const asIndexed = { refresh: false } as const;
const maxMessages = 200;
/** Two lines of the outline. */
const outlineChars = 120;
/** These the page shows elsewhere than among the facts. */
const shownElsewhere = [
  'project',
  'branch',
  'tags',
  'note',
  'resume',
  'copy',
  'copies',
  'belongs to',
  'pull request',
  'transcript',
];

/** What is asked by GET: each is a method of that name. */
export const questions = [
  'search',
  'home',
  'expiring',
  'session',
  'messages',
  'call',
  'images',
  'stats',
  'projects',
  'files',
  'doctor',
  'forgettable',
] as const satisfies readonly (keyof Routes)[];
/** What a POST changes. */
export const changes = ['restore', 'forget', 'label'] as const satisfies readonly (keyof Routes)[];

/** What the page gets, beyond the JSON of the commands (docs/json.md). */
export type Answers = {
  readonly [Name in (typeof questions)[number]]: Awaited<ReturnType<Routes[Name]>>;
};

export interface Done {
  readonly text: string;
  /** The command that resumes what was restored. */
  readonly command: string | null;
}

const isOneOf = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  (names as readonly string[]).includes(name);

export class Routes {
  private readonly parts: RoutesParts;
  private readonly recall: Recall;
  /** What draws the conversation that was asked for last. */
  private drawer: { readonly of: string; readonly text: HtmlText } | null = null;

  constructor(parts: RoutesParts) {
    this.parts = parts;
    this.recall = parts.recall;
  }

  /** False if there is no such route. */
  async answer(name: string, given: URLSearchParams, response: ServerResponse): Promise<boolean> {
    for (const value of given.values())
      if (value.length > limits.queryChars) throw new Refusal(413, `at most ${limits.queryChars} characters`);
    if (given.get('refresh') === '1') this.parts.live.refresh();
    if (name === 'image') await this.sendImage(given, response);
    else if (name === 'export') await this.sendExport(given, response);
    else if (name === 'events') await this.parts.live.open(response, given.get('follow'));
    else if (isOneOf(questions, name)) {
      const gone = new AbortController();
      response.on('close', () => gone.abort());
      sendJson(response, await this[name](given, gone.signal));
    } else return false;
    return true;
  }

  async change(
    name: string,
    body: Readonly<Record<string, unknown>>,
    response: ServerResponse,
  ): Promise<boolean> {
    if (!isOneOf(changes, name)) return false;
    if (typeof body.id !== 'string') throw new Refusal(400, 'id is missing');
    sendJson(response, await this[name](body.id, body));
    this.parts.live.tellChanged();
    return true;
  }

  async search(given: Given, signal: AbortSignal) {
    const query = given.get('q') ?? '';
    const request = {
      ...readFilters(given, filterNames),
      query,
      sort: given.get('sort') === 'recent' ? ('recent' as const) : undefined,
      limit: getNumber(given, 'limit', { usual: 30, most: 300 }),
      positions: true,
      facets: given.get('facets') === '1',
    };
    const isTyping = given.get('typing') === '1' && !/\s$/.test(query);
    let found = await this.recall.search({ ...request, isTyping }, { ...asIndexed, signal });
    // The word that is being typed matches by its start only. Where nothing does, it may be misspelt.
    if (isTyping && found.hits.length === 0)
      found = await this.recall.search(request, { ...asIndexed, signal });
    const { hits: _, ...json } = toSearchJson(found, false);
    return {
      ...json,
      hits: found.hits.map((hit) => ({
        ...toSessionJson(hit),
        title: toTitle(hit.session),
        matchCount: hit.matchCount,
        passages: hit.matches.map((match) => toPassage(match, found)),
      })),
      /** What was understood, left out or not found, in sentences. */
      notes: [...formatQueryNotes(found, formatFilter), ...formatResultNotes(found, formatFilter)],
      nothing: describeNothing(found),
      facets: found.facets,
    };
  }

  async home() {
    return toListJson(await this.recall.list({ limit: 60 }, asIndexed));
  }

  async expiring() {
    const { isOn, expiryDays, expiringSoon } = await this.recall.archive.status();
    return { isOn: isOn === true, days: expiryDays, sessions: expiringSoon };
  }

  async session(given: Given) {
    const id = getText(given, 'id');
    const { head, start } = await this.recall.read(id, {}, asIndexed);
    const outline = await this.recall.outline(id, { match: given.get('match') ?? '' });
    const { session, details } = head;
    const { matches } = outline;
    const pullRequest = `${toPrintableLine(session.prRepository ?? '')}${session.prNumber === null ? '' : `#${session.prNumber}`}`;
    const { facts } = listHeadFacts(head, { homeDir: this.parts.homeDir, givenFlags: '' });
    return {
      /** As it was asked for: it may say which machine is meant. */
      id,
      session: toSessionJson(head),
      title: toTitle(session),
      facts: facts.filter(([name]) => !shownElsewhere.includes(name)),
      toolCallCount: details.toolCallCount,
      isDeleted: findDeleted(head).transcript,
      /** What speaks against resuming it now. */
      warning: explainRunning(head.resumption.live),
      pullRequest: {
        label: pullRequest || (details.prUrl ?? ''),
        url: /^https?:\/\//i.test(details.prUrl ?? '') ? details.prUrl : null,
      },
      owner: head.owner === null ? null : toRelated(head.owner),
      copies: head.copyNames.map(toRelated),
      subagents: start.steps.flatMap((step) => (step.type === 'subagent' ? [toRelated(step.subagent)] : [])),
      messageCount: outline.messageCount,
      prompts: outline.prompts.map(({ position, text }) => ({
        position,
        text: toPrintableLine(text).slice(0, outlineChars),
      })),
      matches: matches && {
        positions: matches.positions,
        callLines: matches.callLines,
        isPartial: matches.isPartial,
      },
    };
  }

  async messages(given: Given) {
    const id = getText(given, 'id');
    const from = getNumber(given, 'from', { usual: 1, most: 10_000_000 });
    const count = getNumber(given, 'count', { usual: 50, most: maxMessages });
    const text = await this.findText(id, given.get('match') ?? '');
    const range = { from, to: from + count - 1 };
    const conversation = await this.recall.read(id, { range, inlined: true }, asIndexed);
    const parts: ShownPart[] = [];
    for await (const { pieces } of this.recall.pages(conversation.start))
      for (const piece of pieces)
        if (piece.type === 'part') parts.push(...toShownPart(piece.part, conversation, text));
    return { parts };
  }

  /** What draws the texts of a conversation, with these words marked. */
  private async findText(id: string, match: string): Promise<HtmlText> {
    const { HtmlText } = await import('../render/conversation/html-printer.ts');
    const of = JSON.stringify([id, match]);
    if (this.drawer?.of === of) return this.drawer.text;
    const { matches } = match === '' ? { matches: null } : await this.recall.outline(id, { match });
    this.drawer = { of, text: new HtmlText(matches?.terms ?? []) };
    return this.drawer.text;
  }

  async call(given: Given) {
    const call = await this.recall.readCall(getText(given, 'id'), readPlace(given));
    return {
      given: call.given.map(({ name, text }) => ({ name: toPrintableLine(name), text: toPrintable(text) })),
      output: toPrintable(call.output ?? ''),
      imageCount: call.images.length,
      isCut: call.isCut,
    };
  }

  async images(given: Given) {
    return { count: (await this.recall.readImages(getText(given, 'id'), readPlace(given).line)).length };
  }

  async stats(given: Given) {
    const request = readFilters(given, scopeNames);
    const activity = await this.recall.activity(request, asIndexed);
    const { facets } = await this.recall.search({ ...request, query: '', limit: 1, facets: true }, asIndexed);
    return { ...toStatsJson(activity), agents: facets?.agents ?? [], today: activity.today };
  }

  async projects() {
    return toProjectsJson(await this.recall.projects({ limit: 1000 }, asIndexed));
  }

  async files(given: Given) {
    const request = { path: getText(given, 'path'), ...readFilters(given, scopeNames), limit: 100 };
    return toFilesJson(await this.recall.fileHistory(request, asIndexed));
  }

  async doctor() {
    const diagnosis = await this.recall.diagnose();
    return { ...toDoctorJson(diagnosis, ''), facts: listIndexFacts(diagnosis) };
  }

  async forgettable(given: Given) {
    const id = getText(given, 'id');
    const { session, subagents } = await this.recall.forgettable(id);
    const { resumption } = await this.recall.resume(id);
    return { title: toTitle(session), subagents, warning: formatForgetWarning(resumption) };
  }

  async forget(id: string): Promise<Done> {
    const { forgotten, archived, due } = await this.recall.forget(await this.recall.forgettable(id));
    const kept = archived > 0 ? '; its copy in the archive is deleted, too' : '';
    const left = due.map(({ path, reason }) => `; ${toPrintableLine(path)}: ${reason}`).join('');
    return { text: `${formatNumbered(forgotten.messages, 'message')} removed${kept}${left}`, command: null };
  }

  async restore(id: string): Promise<Done> {
    const { files, damages, resume, obstacle } = await this.recall.archive.restore(id);
    this.parts.live.refresh();
    const written = formatNumbered(files.filter(({ state }) => state === 'written').length, 'file');
    const loss = damages.length === 0 ? '' : '; a part of its copy is lost';
    const command = obstacle === null ? (resume?.command ?? null) : null;
    return { text: `restored: ${written} written${loss}`, command };
  }

  async label(id: string, { name, starred, tags, untag, note }: LabelRequest): Promise<Done> {
    await this.recall.label(id, { name, starred, tags, untag, note });
    return { text: 'saved', command: null };
  }

  private async sendImage(given: Given, response: ServerResponse): Promise<void> {
    const id = getText(given, 'id');
    const place = readPlace(given);
    const images: readonly TranscriptImage[] =
      given.get('nth') === null
        ? await this.recall.readImages(id, place.line)
        : (await this.recall.readCall(id, place)).images;
    const image = images[getNumber(given, 'image', { usual: 0, most: 100 })];
    if (image === undefined) throw new Refusal(404, 'no such image');
    send(response, 200, image.type, image.bytes);
  }

  private async sendExport(given: Given, response: ServerResponse): Promise<void> {
    const id = getText(given, 'id');
    const format = given.get('format') ?? 'html';
    const { type, printer } = await this.makePrinter(format);
    const isJson = format === 'json';
    const request = { subagents: format === 'html', putsSubagentsLast: isJson, inlined: isJson };
    const conversation = await this.recall.read(id, request, asIndexed);
    response.writeHead(200, {
      ...headers,
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Disposition': 'attachment',
    });
    for await (const text of printConversation(printer, conversation, (start) => this.recall.pages(start))) {
      if (response.destroyed) return;
      if (!response.write(`${text}\n`))
        await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
    }
    response.end();
  }

  private async makePrinter(format: string): Promise<{ readonly type: string; readonly printer: Printer }> {
    const options = { homeDir: this.parts.homeDir, givenFlags: '' };
    if (format === 'html') {
      const { HtmlPrinter } = await import('../render/conversation/html-printer.ts');
      return { type: 'text/html', printer: new HtmlPrinter({ ...options, terms: [] }) };
    }
    if (format === 'markdown') {
      const { MarkdownPrinter } = await import('../render/conversation/markdown-printer.ts');
      return { type: 'text/markdown', printer: new MarkdownPrinter({ ...options, showsTools: true }) };
    }
    if (format !== 'json') throw new Refusal(400, 'format must be one of html, markdown, json');
    const { JsonPrinter } = await import('../render/conversation/json-printer.ts');
    return { type: 'application/json', printer: new JsonPrinter(false) };
  }
}

/** What went wrong in words that a person can act on; anything else is a bug, and its details stay here. */
export function toFailure(error: unknown) {
  const failure = (status: number, code: string, message: string, hint = '') => ({
    status,
    body: { error: { code, message, hint } },
  });
  if (error instanceof Refusal) return failure(error.status, 'refused', error.message);
  if (!(error instanceof UserError)) return failure(500, 'internal', 'internal error');
  const status = error.code === 'usage' ? 400 : error.exitCode === 1 ? 404 : 409;
  return failure(status, error.code, toHintText(error.wording), toHintText(error.hint ?? ''));
}

function getText(given: Given, name: string): string {
  const text = given.get(name) ?? '';
  if (text === '') throw new Refusal(400, `${name} is missing`);
  return text;
}

function getNumber(given: Given, name: string, { usual, most }: { usual: number; most: number }): number {
  const text = given.get(name);
  if (text === null) return usual;
  const number = Number(text);
  if (!/^\d{1,9}$/.test(text) || number > most)
    throw new Refusal(400, `${name} must be a number up to ${most}`);
  return number;
}

function readPlace(given: Given) {
  return {
    line: getNumber(given, 'line', { usual: 0, most: 2 ** 20 }),
    nth: getNumber(given, 'nth', { usual: 0, most: 63 }),
    whole: given.get('whole') === '1',
  };
}

function readFilters(given: Given, names: readonly FilterName[]) {
  return Object.fromEntries(names.map((name) => [name, given.get(name) ?? undefined]));
}

/** As it is typed into the box of the page. */
function formatFilter(name: string, value: string): string {
  return `${name}:${/\s/.test(value) ? `"${value}"` : value}`;
}

function describeNothing(found: SearchAnswer) {
  const { emptiness } = found;
  if (emptiness === null) return null;
  const note = formatNothingNote({
    emptiness,
    message: `nothing found for “${toPrintableLine(found.query).slice(0, 200)}”`,
    hint: 'fewer or different words, a prefix such as migrat*, or fewer filters',
    isOfTime: found.time?.isAlone ?? false,
    folders: [],
    isUpToDate: true,
  });
  const [message = '', hint = ''] = toHintText(note, '').split('\n  try: ');
  return { message: message.replace(/^recall: /, ''), hint };
}

const passageChars = 280;

function toPassage(match: FoundMatch, { terms }: SearchAnswer) {
  const { message, subagent, toolText, call, position } = match;
  const done = toolText ?? call;
  const isSubagent = subagent?.kind === 'subagent';
  return {
    /** The number of the message, to link to; null where only a name matched. */
    position: message.id === 0 ? null : position,
    who: isSubagent ? nameSubagent(subagent) : message.role,
    subagentId: isSubagent ? subagent.nativeId : null,
    tool:
      done === null ? null : toPrintableLine(`${done.tool ?? ''} ${done.kind === 'tool-output' ? '→' : ''}`),
    isError: done !== null && done.kind !== 'tool-input' && done.isError,
    text: toSnippet(toPrintable(message.text || (done?.target ?? '')), terms, passageChars),
  };
}

function toRelated({ nativeId, title }: { nativeId: string; title: string | null }) {
  return { id: nativeId, title: toTitle({ title }) };
}

type ShownPart = ReturnType<typeof toShownPart>[number];

function toShownPart(part: Part, { head, start }: Conversation, text: HtmlText) {
  const { project } = head.session;
  switch (part.type) {
    case 'turn': {
      const { type, speaker, timestamp, position } = part;
      return [{ type, speaker, name: nameSpeaker(speaker, head.session), timestamp, position }];
    }
    case 'message':
    case 'recap': {
      const { type, message, position } = part;
      const isOfUser = type === 'message' && message.role === 'user';
      const note =
        type === 'recap'
          ? `a recap of ${formatNumbered(message.text.split(/\s+/).length, 'word')}`
          : (kindNotes[message.kind] ?? '');
      // Nothing in it is markup of a transcript: the renderer of the HTML export makes it.
      const html =
        isOfUser && message.kind !== 'task' ? text.fromTyped(message.text) : text.fromMarkdown(message.text);
      const hasImages = isOfUser && start.session.kind !== 'subagent' && message.text.includes('[Image');
      return [{ type, position, line: message.seq, note, html, hasImages }];
    }
    case 'calls': {
      const calls = part.calls.map((call) => toCall(call, project));
      return [{ type: part.type, summary: summarizeCalls(part.calls, project), calls }];
    }
    case 'subagent': {
      const { nativeId, messageCount } = part.subagent;
      const name = nameSubagent(part.subagent);
      return [{ type: part.type, id: nativeId, name, title: toTitle(part.subagent), messageCount }];
    }
    default:
      return [];
  }
}

function toCall(call: ShownCall, project: string | null) {
  const name = toPrintableLine(call.name);
  const target = formatCallName(call, project, 400).slice(name.length).trim();
  return { line: call.seq, nth: call.nth, name, target, isError: call.isError };
}
