// Writes a session as a bundle that can be handed on: its transcript, from the disk or the archive, and what belongs to it. Every
// byte passes one place, where secrets are taken out and the home directory is written as ~; what was taken out is counted by
// kind and place. What is signed and would be changed is left out, since its program would refuse it.

import { join } from 'node:path';
import { eachFile, maxDepth } from '../../archive/keep-roots.ts';
import { eachCopy, TranscriptCopies, type Version } from '../../archive/layout.ts';
import { type Redactor, readUndamaged, redactFile } from '../../archive/redact-copies.ts';
import { toReason, UserError, usageError } from '../../errors.ts';
import { hint, parameter, recall } from '../../hints.ts';
import { BundleWriter } from '../../hub/bundle.ts';
import { readHubSettings } from '../../hub/settings.ts';
import { loadTools } from '../../indexing/reader.ts';
import { isFile } from '../../open-file.ts';
import type { LabelEntry } from '../../records.ts';
import { getSource } from '../../sources/index.ts';
import { parseJsonObject } from '../../sources/json/json-value.ts';
import { splitLines } from '../../sources/json/lines.ts';
import type { Cleaning } from '../../sources/json/redact.ts';
import type { CopiedFile, Source } from '../../sources/source.ts';
import { findLabelsPath, readLabelEntries } from '../../store/labels.ts';
import type { Store } from '../../store/open/open-store.ts';
import {
  findKnownTranscript,
  readSubagentTranscripts,
  type TranscriptPlace,
} from '../../store/read/known-files.ts';
import { readLines } from '../../store/read/read-conversation.ts';
import {
  type FoundSession,
  type ResumeTarget,
  readResumeTargets,
  readSessions,
} from '../../store/read/sessions.ts';
import type { SessionInfo } from '../../store/word-index.ts';
import { toPrintableLine } from '../../text/printable.ts';
import { redact, redactionVersion, toShortMarker } from '../../text/redact.ts';
import { findOnDisk, getContent, readFromDisk } from '../archive/restore.ts';
import type { Host } from '../host.ts';
import { readRepository } from '../repository.ts';
import type { ExportRequest } from '../requests.ts';

export interface ExportedSession {
  readonly session: SessionInfo;
  readonly by: string;
  /** Complete when the chunks were read, as is the rest. */
  readonly files: readonly string[];
  /** How often a secret of a kind was taken out. */
  readonly kinds: Readonly<Record<string, number>>;
  readonly places: readonly { readonly path: string; readonly line: number; readonly kind: string }[];
  /** Lines with something signed that was left out. */
  readonly leftOut: number;
  /** Lines in which the home directory was shortened. */
  readonly shortened: number;
  readonly chunks: AsyncIterable<Buffer>;
}

export async function exportSession(
  host: Host,
  store: Store,
  { id }: FoundSession,
  request: ExportRequest,
): Promise<ExportedSession> {
  const { at, now } = host;
  const target = readResumeTargets(store.db, [id]).get(id) as ResumeTarget;
  const session = readSessions(store.db, [target.targetId]).get(target.targetId) as SessionInfo;
  const source = getSource(target.agent);
  const shorten = toShortener(listHomes(host, target));
  const cleaner = new Cleaner(request.redact !== false, shorten);
  const redactor = await cleaner.toRedactor(source);
  const found = await collectFiles(host, store, target);
  const files = request.range === undefined ? found : await selectRange(store, target, found, request.range);
  const by = request.by ?? readHubSettings(at)?.owner ?? at.env.USER ?? at.env.USERNAME ?? 'somebody';
  // Of one that was handed on before, as it was written there.
  const cwd = source.findDirectory(target) ?? target.firstCwd;
  const repository = cwd === null ? null : readRepository(cwd);
  const paths: string[] = [];
  const manifest = {
    by,
    exportedAt: now().toISOString(),
    agent: target.agent,
    id: target.nativeId,
    // A title is often made from the first prompt, which may not be among the messages.
    title: session.title === null || request.range !== undefined ? null : cleaner.clean(session.title),
    range: request.range === undefined ? null : ([request.range.from, request.range.to] as const),
    isRedacted: request.redact !== false,
    cwd: cwd === null ? null : cleaner.clean(cwd),
    remote: repository?.remote == null ? null : cleaner.clean(repository.remote),
    branch: session.branch === null ? null : cleaner.clean(session.branch),
    commit: repository?.branch === session.branch ? (repository?.commit ?? null) : null,
    labels: request.withNotes ? listLabels(store, session, request, cleaner) : [],
  };
  async function* write(): AsyncGenerator<Buffer> {
    const bundle = new BundleWriter(target.agent, request.redact === false ? 0 : redactionVersion);
    const modifiedAtMs = Date.parse(session.modifiedAt ?? '') || now().getTime();
    let reading = '';
    try {
      for (const file of files) {
        reading = file.path;
        cleaner.startFile(reading);
        const { path, pieces } = redactFile(file, redactor);
        host.signal.throwIfAborted();
        // Folders are named after the directory that a session ran in.
        paths.push(shorten(`/${path}`).slice(1));
        yield* bundle.addFile(paths.at(-1) as string, pieces, modifiedAtMs);
      }
    } catch (error) {
      host.signal.throwIfAborted();
      throw new UserError(`${toPrintableLine(reading)} cannot be read: ${toReason(error)}`, {
        code: 'unreadable',
        hint: hint`read what is left of it with: ${recall('show', toPrintableLine(target.nativeId))}`,
        cause: error,
      });
    }
    yield* bundle.end(manifest);
  }
  const { kinds, places } = cleaner;
  return {
    session,
    by,
    files: paths,
    kinds,
    places,
    get leftOut() {
      return cleaner.leftOut;
    },
    get shortened() {
      return cleaner.shortened;
    },
    chunks: write(),
  };
}

/** Takes secrets out, shortens, and counts. */
class Cleaner {
  readonly kinds: Record<string, number> = {};
  readonly places: { path: string; line: number; kind: string }[] = [];
  leftOut = 0;
  shortened = 0;
  private path = '';
  private line = 0;
  private readonly redacts: boolean;
  private readonly shorten: (text: string) => string;

  constructor(redacts: boolean, shorten: (text: string) => string) {
    this.redacts = redacts;
    this.shorten = shorten;
  }

  startFile(path: string): void {
    [this.path, this.line] = [path, 0];
  }

  clean(text: string): string {
    return this.shorten(this.redacts ? redact(text, toShortMarker) : text);
  }

  async toRedactor({ files, name, loadReader, loadUnpack }: Source): Promise<Redactor> {
    const { redactLine } = await loadReader([], loadTools);
    if (files === null || redactLine === undefined)
      throw new UserError(`sessions of ${name} are not files of their own, and cannot be handed on`, {
        code: 'not-exportable',
        hint: hint`hand it on for reading: ${recall('show', '<ref>', '--html', '--output', 'session.html')}`,
        exitCode: 1,
      });
    const mark: Cleaning['mark'] = (kind, secret) => {
      this.kinds[kind] = (this.kinds[kind] ?? 0) + 1;
      this.places.push({ path: this.path, line: this.line, kind });
      return toShortMarker(kind, secret);
    };
    const cleaning: Cleaning = {
      mark: this.redacts ? mark : null,
      rewrite: this.shorten,
      onLeftOut: () => this.leftOut++,
    };
    const clean = (bytes: Buffer) => {
      this.line++;
      const text = bytes.toString();
      if (this.shorten(text) !== text) this.shortened++;
      return redactLine(bytes, cleaning);
    };
    return { files, clean, unpack: (await loadUnpack?.()) ?? ((file) => file) };
  }
}

/** The person's own, and that of the machine where the session was, if it shows. */
function listHomes({ at }: Host, { agent, root }: ResumeTarget): string[] {
  const [usual = ''] = getSource(agent).toDefaultRoots({ ...at, env: {} });
  const below = usual.startsWith(at.homeDir) ? usual.slice(at.homeDir.length) : null;
  const ofRoot = below !== null && root.endsWith(below) ? [root.slice(0, -below.length)] : [];
  return [...new Set([at.homeDir, ...ofRoot])].filter((home) => /^(?:[A-Za-z]:)?[\\/].*\w/.test(home));
}

/** What a name may follow, so that it is not the end of another one: nothing of a name, or the escape of a control character. */
const before = String.raw`(?:(?<![\w.~-])|(?<=\\[nrtbf]|\\u[0-9a-f]{4}|\[[\d;]{0,12}m))`;

/** In plain text, in JSON, and as agents name folders after it. A name that only starts like it is another one. */
export function toShortener(homes: readonly string[]): (text: string) => string {
  const quote = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const forms = homes.flatMap((home) => [
    home,
    home.replaceAll('\\', '\\\\'),
    home.replaceAll('\\', '/'),
    home.replaceAll('/', '\\/'),
  ]);
  const slugs = homes.map((home) => home.replace(/[^A-Za-z0-9]/g, '-'));
  const toPattern = (texts: readonly string[]) => [...new Set(texts)].map(quote).join('|');
  if (homes.length === 0) return (text) => text;
  const plain = new RegExp(`${before}(?:${toPattern(forms)})(?![\\w-])`, 'g');
  const slug = new RegExp(`(?<=[/\\\\]-?)(?:${toPattern(slugs)})(?![A-Za-z0-9])`, 'g');
  return (text) => text.replace(plain, '~').replace(slug, '-');
}

function listLabels(
  store: Store,
  session: SessionInfo,
  { range }: ExportRequest,
  cleaner: Cleaner,
): LabelEntry[] {
  const isWanted = (position: number | null) =>
    range === undefined || (position !== null && position >= range.from && position <= range.to);
  const positions = new Map(session.labels.notes.map(({ message, position }) => [message, position]));
  return readLabelEntries(findLabelsPath(store.path), session).flatMap(({ value, ...entry }) => {
    const isKept = entry.message === null || isWanted(positions.get(entry.message) ?? null);
    return value === null || !isKept ? [] : [{ ...entry, value: cleaner.clean(value) }];
  });
}

/** The transcript first, then what belongs to it: its folder, its subagents, and what it cannot be resumed without. */
async function collectFiles(host: Host, store: Store, target: ResumeTarget): Promise<CopiedFile[]> {
  const { agent, nativeId, root, path, machineKey } = target;
  const { files, loadReader } = getSource(agent);
  const copies = new TranscriptCopies(host.archivePath, host.machine);
  const ofDisk = (folder: string, name: string): CopiedFile => ({
    path: name,
    chunks: () => readFromDisk(join(folder, name), files?.findForm(name) === 'lines'),
  });
  const findCopy = (place: TranscriptPlace) =>
    copies.find(agent, place.root, files?.toFormerPaths(place.path) ?? [], machineKey);
  const find = (place: TranscriptPlace): CopiedFile | null => {
    const there = machineKey === null ? (files?.toFormerPaths(place.path) ?? []) : [];
    const onDisk = there.find((each) => isFile(join(place.root, each)));
    if (onDisk !== undefined) return ofDisk(place.root, onDisk);
    const copy = findCopy(place);
    return copy === null ? null : ofCopy(copy);
  };
  const onDisk = machineKey === null ? findOnDisk(host, target) : null;
  const copy = path === null ? null : findCopy({ root, path });
  const content =
    onDisk === null && copy === null
      ? (await getContent({ host, store, target, directory: null, older: false, isIndexed: false }))
          .transcript
      : null;
  const transcript: CopiedFile =
    onDisk !== null
      ? ofDisk(onDisk.root.path, onDisk.path)
      : copy !== null
        ? ofCopy(copy)
        : { path: content?.path ?? '', chunks: () => content?.chunks(() => {}) ?? [] };
  const all = new Map([[transcript.path, transcript]]);
  const add = (file: CopiedFile | null) => {
    if (file !== null && !all.has(file.path)) all.set(file.path, file);
  };
  const folder = files?.toFolder(transcript.path, nativeId) ?? null;
  if (folder !== null && onDisk !== null)
    for (const name of eachFile(onDisk.root.path, folder, maxDepth))
      if (files?.findOwner(name) === files?.toOwner(nativeId)) add(ofDisk(onDisk.root.path, name));
  if (folder !== null && copy !== null)
    for (const each of eachCopy(copy.root, folder)) if (each.versions.length > 0) add(ofCopy(each));
  for (const place of readSubagentTranscripts(store.db, agent, nativeId)) add(find(place));
  for (const { path: name, chunks } of all.values()) {
    if (files?.findMeaning(name)?.transcript == null) continue;
    const { findNeeded } = await loadReader([name], loadTools);
    for (const id of findNeeded?.({ path: name, chunks }) ?? []) {
      const place = findKnownTranscript(store.db, agent, id);
      add(place === undefined ? null : find(place));
    }
  }
  return [...all.values()];
}

function ofCopy(copy: Parameters<typeof readUndamaged>[0] & { versions: readonly Version[] }): CopiedFile {
  return { path: copy.path, chunks: () => readUndamaged(copy, copy.versions[0] as Version) };
}

/**
 * Only what is sent to the model again: the lines of these messages and those between them, what was done after the last, and what
 * repeats it or the first. Before them a first line that says where the session ran; with them, the files that they name.
 */
async function selectRange(
  { db }: Store,
  { agent, kind, targetId, nativeId }: ResumeTarget,
  [transcript, ...beside]: readonly CopiedFile[],
  range: NonNullable<ExportRequest['range']>,
): Promise<CopiedFile[]> {
  const { files, loadReader } = getSource(agent);
  const { parseEntry, isSent, findNeeded } = await loadReader([transcript?.path ?? ''], loadTools);
  const isOfLines = transcript !== undefined && files?.findForm(transcript.path) === 'lines';
  const isWhole = isOfLines && (findNeeded?.(transcript) ?? []).length === 0;
  if (!isWhole || parseEntry === undefined || isSent === undefined)
    throw usageError(
      `${toPrintableLine(nativeId)} can only be handed on as a whole`,
      hint`leave out ${parameter('range')}`,
    );
  const lines = readLines(db, targetId);
  if (range.from > lines.length)
    throw usageError(`${toPrintableLine(nativeId)} has only ${lines.length} messages`);
  const [first = 0, last = 0] = [lines[range.from - 1], lines[Math.min(range.to, lines.length) - 1]];
  const [before = 0, after = Number.POSITIVE_INFINITY] = [lines[range.from - 2], lines[range.to]];
  const read = (line: Buffer) => {
    const value = parseJsonObject(line.toString());
    return { value, entry: value === null ? null : parseEntry(value, kind) };
  };
  function* eachLine() {
    let number = 0;
    for (const line of splitLines(transcript?.chunks() ?? [])) yield [++number, line] as const;
  }
  const ends: string[] = [];
  for (const [number, line] of eachLine())
    if (number === first || number === last) {
      const text = read(line).entry?.message?.text ?? '';
      ends.push(JSON.stringify(text.slice(0, 200)).slice(1, -1));
    }
  const isWanted = (number: number, line: Buffer): boolean => {
    if (number > 1 && (number <= before || number >= after)) return false;
    const { value, entry } = read(line);
    const isSilent = entry === null || (entry.message === null && entry.toolCalls.length === 0);
    if (number === 1 && isSilent && entry?.cwd != null) return true;
    if (value === null || (isSilent && !isSent(value))) return false;
    if (number >= first && number <= last) return true;
    const isWork = entry !== null && entry.toolCalls.length + entry.toolResults.length > 0;
    return isSent(value) && ((number > last && isWork) || ends.some((text) => line.includes(text)));
  };
  function* chunks(): Generator<Buffer> {
    for (const [number, line] of eachLine())
      if (isWanted(number, line)) yield Buffer.concat([line, Buffer.from('\n')]);
  }
  const toId = ({ path }: CopiedFile) => {
    const [id = ''] = path
      .slice(path.lastIndexOf('/') + 1)
      .replace(/^agent-/, '')
      .split('.');
    return id;
  };
  const unnamed = new Set(beside.map(toId));
  for (const line of chunks()) for (const id of unnamed) if (line.includes(id)) unnamed.delete(id);
  return [{ path: transcript.path, chunks }, ...beside.filter((file) => !unnamed.has(toId(file)))];
}
