// The routes of the page's server: parameters → request → the API function that the matching command calls → JSON. What changes
// something is a POST. The conversation is drawn by the renderer of the HTML export.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Conversation, Piece, SearchAnswer, ShownCall, TranscriptImage } from '../api/answers.ts';
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
  printConversation,
  summarizeCalls,
} from '../render/conversation/printer.ts';
import { toDoctorJson } from '../render/doctor-report.ts';
import { toSearchJson, toSessionJson } from '../render/json.ts';
import { formatNothingNote, formatQueryNotes, formatResultNotes } from '../render/notes.ts';
import { formatNumbered } from '../render/quantities.ts';
import { explainRunning, formatForgetWarning } from '../render/resumption.ts';
import { findDeleted, toFilesJson, toListJson, toProjectsJson, toTitle } from '../render/sessions.ts';
import { toPrintable, toPrintableLine } from '../text/printable.ts';
import { toSnippet } from '../text/snippet.ts';
import type {
  CallPage,
  DonePage,
  ExpiringPage,
  ForgettablePage,
  HomePage,
  MessagesPage,
  Passage,
  Related,
  SearchPage,
  SessionPage,
  ShownPart,
  StatsPage,
} from './answers.ts';
import { headers, limits, Refusal, send, sendJson } from './guard.ts';
import type { Live } from './live.ts';

export interface RoutesParts {
  readonly recall: Recall;
  readonly live: Live;
  readonly homeDir: string;
  readonly now: () => Date;
}

type Parameters = Pick<URLSearchParams, 'get'>;
type Answer = (parameters: Parameters, signal: AbortSignal) => Promise<unknown>;

/** Never refreshed here: another thread does that, and pages are told. */
const asIndexed = { refresh: false } as const;
const maxMessages = 200;
/** Two lines of the outline. */
const outlineChars = 120;

export class Routes {
  private readonly parts: RoutesParts;
  /** Of the conversations that were opened last, what is marked in them. */
  private readonly opened = new Map<string, HtmlText>();

  constructor(parts: RoutesParts) {
    this.parts = parts;
  }

  private readonly gets: Readonly<Record<string, Answer>> = {
    search: (given, signal) => this.search(given, signal),
    home: (given) => this.home(given),
    expiring: () => this.expiring(),
    session: (given) => this.session(given),
    messages: (given) => this.messages(given),
    call: (given) => this.call(given),
    images: async (given) => {
      const images = await this.recall.readImages(getText(given, 'id'), readPlace(given).line);
      return { count: images.length };
    },
    stats: (given) => this.stats(given),
    projects: async () => toProjectsJson(await this.recall.projects({ limit: 1000 }, asIndexed)),
    files: async (given) =>
      toFilesJson(
        await this.recall.fileHistory(
          { path: getText(given, 'path'), ...readScope(given), limit: 100 },
          asIndexed,
        ),
      ),
    doctor: async () => toDoctorJson(await this.recall.diagnose(), ''),
    forgettable: (given) => this.forgettable(given),
  };

  private readonly posts: Readonly<Record<string, (id: string, body: LabelRequest) => Promise<DonePage>>> = {
    restore: (id) => this.restore(id),
    forget: (id) => this.forget(id),
    label: async (id, { name, starred, tags, untag, note }) => {
      await this.recall.label(id, { name, starred, tags, untag, note });
      return { text: 'saved', command: null };
    },
  };

  private get recall(): Recall {
    return this.parts.recall;
  }

  /** False if there is no such route. */
  async answer(name: string, url: URL, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const given = url.searchParams;
    for (const value of given.values())
      if (value.length > limits.queryChars) throw new Refusal(413, `at most ${limits.queryChars} characters`);
    if (request.method !== 'GET') return false;
    if (name === 'image') await this.sendImage(given, response);
    else if (name === 'export') await this.sendExport(given, response);
    else if (name === 'events') await this.parts.live.open(response, given.get('follow'));
    else {
      const answer = Object.hasOwn(this.gets, name) ? this.gets[name] : undefined;
      if (answer === undefined) return false;
      const gone = new AbortController();
      response.on('close', () => gone.abort());
      sendJson(response, await answer(given, gone.signal));
    }
    return true;
  }

  async change(
    name: string,
    body: Readonly<Record<string, unknown>>,
    response: ServerResponse,
  ): Promise<boolean> {
    const change = Object.hasOwn(this.posts, name) ? this.posts[name] : undefined;
    if (change === undefined) return false;
    if (typeof body.id !== 'string') throw new Refusal(400, 'id is missing');
    sendJson(response, await change(body.id, body));
    this.parts.live.tellChanged();
    return true;
  }

  private async search(given: Parameters, signal: AbortSignal): Promise<SearchPage> {
    const query = given.get('q') ?? '';
    const filters = Object.fromEntries(filterNames.map((name) => [name, given.get(name) ?? undefined]));
    const request = {
      ...filters,
      query,
      sort: given.get('sort') === 'recent' ? ('recent' as const) : undefined,
      limit: getNumber(given, 'limit', { usual: 30, most: 300 }),
      positions: true,
      facets: given.get('facets') === '1',
    };
    if (given.get('refresh') === '1') this.parts.live.refresh();
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
      notes: [...formatQueryNotes(found, formatFilter), ...formatResultNotes(found, formatFilter)],
      nothing: found.emptiness === null ? null : describeNothing(found),
      facets: found.facets,
    };
  }

  private async home(given: Parameters): Promise<HomePage> {
    if (given.get('refresh') === '1') this.parts.live.refresh();
    const listed = await this.recall.list({ limit: 60 }, asIndexed);
    const { homeDir, now } = this.parts;
    return { ...toListJson(listed), now: now().toISOString(), homeDir };
  }

  private async expiring(): Promise<ExpiringPage> {
    const { isOn, expiryDays, expiringSoon } = await this.recall.archive.status();
    return { isOn: isOn === true, days: expiryDays, sessions: expiringSoon };
  }

  private async session(given: Parameters): Promise<SessionPage> {
    const id = getText(given, 'id');
    const match = given.get('match') ?? '';
    const { head, start } = await this.recall.read(id, {}, asIndexed);
    const { messageCount, prompts, matches } = await this.recall.outline(id, { match });
    const { session, details } = head;
    const subagents = start.steps.flatMap((step) => (step.type === 'subagent' ? [step.subagent] : []));
    const label = session.prNumber === null ? '' : `#${session.prNumber}`;
    const isLink = /^https?:\/\//i.test(details.prUrl ?? '');
    const hasOwnPlace = ['resume', 'copy', 'copies', 'belongs to', 'pull request', 'transcript'];
    const { facts } = listHeadFacts(head, { homeDir: this.parts.homeDir, givenFlags: '' });
    return {
      session: toSessionJson(head),
      title: toTitle(session),
      facts: facts.filter(([name]) => !hasOwnPlace.includes(name)),
      toolCallCount: details.toolCallCount,
      isDeleted: findDeleted(head).transcript,
      warning: explainRunning(head.resumption.live),
      pullRequest:
        details.prUrl === null && label === ''
          ? null
          : {
              label: `${toPrintableLine(session.prRepository ?? '')}${label}`,
              url: isLink ? details.prUrl : null,
            },
      owner: head.owner === null ? null : toRelated(head.owner),
      copies: head.copyNames.map(toRelated),
      subagents: subagents.map(toRelated),
      messageCount,
      prompts: prompts.map((prompt) => ({
        ...prompt,
        text: toPrintableLine(prompt.text).slice(0, outlineChars),
      })),
      matches:
        matches === null
          ? null
          : { positions: matches.positions, callLines: matches.callLines, isPartial: matches.isPartial },
    };
  }

  private async messages(given: Parameters): Promise<MessagesPage> {
    const id = getText(given, 'id');
    const from = getNumber(given, 'from', { usual: 1, most: 10_000_000 });
    const count = getNumber(given, 'count', { usual: 50, most: maxMessages });
    const text = await this.findText(id, given.get('match') ?? '');
    const range = { from, to: from + count - 1 };
    const conversation = await this.recall.read(id, { range, inlined: true }, asIndexed);
    const parts: ShownPart[] = [];
    for await (const page of this.recall.pages(conversation.start))
      parts.push(...page.pieces.flatMap((piece) => toShownPart(piece, conversation, text)));
    return { parts };
  }

  /** What draws the texts of a conversation, with these words marked. */
  private async findText(id: string, match: string): Promise<HtmlText> {
    const { HtmlText } = await import('../render/conversation/html-printer.ts');
    const key = JSON.stringify([id, match]);
    const known = this.opened.get(key);
    if (known !== undefined) return known;
    const { matches } = match === '' ? { matches: null } : await this.recall.outline(id, { match });
    const text = new HtmlText(matches?.terms ?? []);
    const [oldest] = this.opened.keys();
    if (this.opened.size >= 8 && oldest !== undefined) this.opened.delete(oldest);
    this.opened.set(key, text);
    return text;
  }

  private async call(given: Parameters): Promise<CallPage> {
    const call = await this.recall.readCall(getText(given, 'id'), readPlace(given));
    return {
      given: call.given.map(({ name, text }) => ({ name: toPrintableLine(name), text: toPrintable(text) })),
      output: call.output === null || call.output === undefined ? null : toPrintable(call.output),
      imageCount: call.images.length,
      isCut: call.isCut,
    };
  }

  private async sendImage(given: Parameters, response: ServerResponse): Promise<void> {
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

  private async stats(given: Parameters): Promise<StatsPage> {
    const request = readScope(given);
    const activity = await this.recall.activity(request, asIndexed);
    const { facets } = await this.recall.search({ ...request, query: '', limit: 1, facets: true }, asIndexed);
    return { ...toStatsJson(activity), agents: facets?.agents ?? [], today: activity.today };
  }

  private async sendExport(given: Parameters, response: ServerResponse): Promise<void> {
    const id = getText(given, 'id');
    const format = given.get('format') ?? 'html';
    const isHtml = format === 'html';
    const request = { subagents: isHtml, putsSubagentsLast: format === 'json', inlined: format === 'json' };
    const conversation = await this.recall.read(id, request, asIndexed);
    const printer = await this.makePrinter(format);
    const types = { html: 'text/html', markdown: 'text/markdown', json: 'application/json' } as const;
    const type = types[format as keyof typeof types];
    const content = {
      ...headers,
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Disposition': 'attachment',
    };
    response.writeHead(200, content);
    for await (const text of printConversation(printer, conversation, (start) => this.recall.pages(start))) {
      if (response.destroyed) return;
      if (!response.write(`${text}\n`))
        await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
    }
    response.end();
  }

  private async makePrinter(format: string) {
    const { homeDir } = this.parts;
    const options = { homeDir, givenFlags: '' };
    if (format === 'html')
      return new (await import('../render/conversation/html-printer.ts')).HtmlPrinter({
        ...options,
        terms: [],
      });
    if (format === 'markdown') {
      const { MarkdownPrinter } = await import('../render/conversation/markdown-printer.ts');
      return new MarkdownPrinter({ ...options, showsTools: true });
    }
    if (format === 'json')
      return new (await import('../render/conversation/json-printer.ts')).JsonPrinter(false);
    throw new Refusal(400, 'format must be one of html, markdown, json');
  }

  private async forgettable(given: Parameters): Promise<ForgettablePage> {
    const id = getText(given, 'id');
    const { session, subagents } = await this.recall.forgettable(id);
    const { resumption } = await this.recall.resume(id);
    return {
      id: session.nativeId,
      title: toTitle(session),
      subagents,
      warning: formatForgetWarning(resumption),
    };
  }

  private async forget(id: string): Promise<DonePage> {
    const { forgotten, archived, due } = await this.recall.forget(await this.recall.forgettable(id));
    const kept = archived > 0 ? '; its copy in the archive is deleted, too' : '';
    const left = due.map(({ path, reason }) => `; ${toPrintableLine(path)}: ${reason}`).join('');
    return { text: `${formatNumbered(forgotten.messages, 'message')} removed${kept}${left}`, command: null };
  }

  private async restore(id: string): Promise<DonePage> {
    const { files, damages, resume, obstacle } = await this.recall.archive.restore(id);
    this.parts.live.refresh();
    const written = formatNumbered(files.filter(({ state }) => state === 'written').length, 'file');
    const loss = damages.length === 0 ? '' : '; a part of its copy is lost';
    return {
      text: `restored: ${written} written${loss}`,
      command: obstacle === null ? (resume?.command ?? null) : null,
    };
  }
}

/** What went wrong in words that a person can act on; anything else is a bug, and its details stay here. */
export function toFailure(error: unknown): { readonly status: number; readonly body: object } {
  const failure = (status: number, code: string, message: string, hint = '') => ({
    status,
    body: { error: { code, message, hint } },
  });
  if (error instanceof Refusal) return failure(error.status, 'refused', error.message);
  if (!(error instanceof UserError)) return failure(500, 'internal', 'internal error');
  const status = error.code === 'usage' ? 400 : error.exitCode === 1 ? 404 : 409;
  return failure(status, error.code, toHintText(error.wording), toHintText(error.hint ?? ''));
}

function getText(given: Parameters, name: string): string {
  const text = given.get(name) ?? '';
  if (text === '') throw new Refusal(400, `${name} is missing`);
  return text;
}

function getNumber(
  given: Parameters,
  name: string,
  { usual, most }: { usual: number; most: number },
): number {
  const text = given.get(name);
  if (text === null) return usual;
  const number = Number(text);
  if (!/^\d{1,9}$/.test(text) || number > most)
    throw new Refusal(400, `${name} must be a number up to ${most}`);
  return number;
}

function readPlace(given: Parameters) {
  return {
    line: getNumber(given, 'line', { usual: 0, most: 2 ** 20 }),
    nth: getNumber(given, 'nth', { usual: 0, most: 63 }),
    whole: given.get('whole') === '1',
  };
}

function readScope(given: Parameters) {
  return Object.fromEntries(scopeNames.map((name: FilterName) => [name, given.get(name) ?? undefined]));
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

function toPassage(match: SearchAnswer['hits'][number]['matches'][number], { terms }: SearchAnswer): Passage {
  const { message, subagent, toolText, call, position } = match;
  const done = toolText ?? call;
  const text = message.text || (done?.target ?? '');
  const isSubagent = subagent?.kind === 'subagent';
  return {
    position: message.id === 0 ? null : position,
    who: isSubagent ? nameSubagent(subagent) : message.role,
    subagentId: isSubagent ? subagent.nativeId : null,
    tool:
      done === null ? null : toPrintableLine(`${done.tool ?? ''} ${done.kind === 'tool-output' ? '→' : ''}`),
    isError: done !== null && done.kind !== 'tool-input' && done.isError,
    text: toSnippet(toPrintable(text), terms, passageChars).map(
      (piece) => [piece.text, piece.isMatch] as const,
    ),
  };
}

function toRelated({ nativeId, title }: { nativeId: string; title: string | null }): Related {
  return { id: nativeId, title: toTitle({ title }) };
}

function toShownPart(piece: Piece, { head, start }: Conversation, text: HtmlText): ShownPart[] {
  if (piece.type !== 'part') return [];
  const { part } = piece;
  const { project } = head.session;
  switch (part.type) {
    case 'turn': {
      const { speaker, timestamp, position } = part;
      return [{ type: 'turn', speaker, name: nameSpeaker(speaker, head.session), timestamp, position }];
    }
    case 'message': {
      const { message, position } = part;
      const isTyped = message.role === 'user' && message.kind !== 'task';
      const html = isTyped ? text.fromTyped(message.text) : text.fromMarkdown(message.text);
      const hasImages =
        message.role === 'user' && start.session.kind !== 'subagent' && message.text.includes('[Image');
      const note = kindNotes[message.kind] ?? '';
      return [{ type: 'message', position, line: message.seq, note, html, hasImages }];
    }
    case 'recap': {
      const { message, position } = part;
      const note = `a recap of ${formatNumbered(message.text.split(/\s+/).length, 'word')}`;
      const html = text.fromMarkdown(message.text);
      return [{ type: 'recap', position, line: message.seq, note, html, hasImages: false }];
    }
    case 'calls': {
      const calls = part.calls.map((call) => toCall(call, project));
      const errors = calls.filter(({ isError }) => isError).length;
      return [{ type: 'calls', summary: summarizeCalls(part.calls, project), errors, calls }];
    }
    case 'subagent': {
      const { nativeId, messageCount } = part.subagent;
      const title = toTitle(part.subagent);
      return [{ type: 'subagent', id: nativeId, name: nameSubagent(part.subagent), title, messageCount }];
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
