// Sends what a hub does not have yet of this machine's copies.
//
//  1. What was forgotten is withdrawn first.
//  2. The names of all segments are compared with those that the hub has of the same files: they hold checksums, so nothing
//     has to be remembered about what was sent.
//  3. What is missing is sealed, or redacted where it is shared, and put in batches, each whole or not at all. With a segment
//     that covers others, those are taken away.
//
// Killed at any moment, the next push sends what is missing. A segment that is damaged here is named, and the rest goes on.

import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { type Copy, formatSegmentName, type Segment, toPlace, type Version } from '../archive/layout.ts';
import { type Redactor, readUndamaged, redactFile } from '../archive/redact-copies.ts';
import { type Damage, pack, readSegment, toChecksum } from '../archive/segments.ts';
import type { SessionCopies } from '../archive/session-copies.ts';
import { toReason } from '../errors.ts';
import { readForeignFile } from '../open-file.ts';
import type { AgentName, LabelEntry, Progress } from '../records.ts';
import { redactionVersion } from '../text/redact.ts';
import type { Carrier, HubSegment, HubSession, SentName } from './carrier.ts';
import type { HubKey } from './hub-key.ts';
import { pushLabels } from './labels.ts';
import {
  isCovered,
  type RepositoryFacts,
  toPathName,
  toSegmentName,
  toSessionName,
  writeParcel,
} from './parcel.ts';

export interface PushOptions {
  readonly carrier: Carrier;
  readonly key: HubKey;
  readonly machine: string;
  readonly sessions: readonly SessionCopies[];
  readonly forgotten: readonly { readonly agent: AgentName; readonly session: string }[];
  readonly labels: readonly LabelEntry[];
  readonly isShared: (session: SessionCopies) => boolean;
  readonly readFacts: (session: SessionCopies) => RepositoryFacts & { readonly modifiedAtMs: number };
  readonly loadRedactor: (agent: AgentName) => Promise<Redactor>;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

export interface PushReport {
  readonly sessions: number;
  readonly segments: number;
  readonly bytes: number;
  readonly damages: readonly Damage[];
}

const batchSegments = 50;
const batchBytes = 1024 * 1024;
const pathsAtOnce = 5000;

export async function push(options: PushOptions): Promise<PushReport> {
  const { carrier, key, signal } = options;
  const report = { segments: 0, bytes: 0, damages: [] as Damage[] };
  const sent = new Set<SessionCopies>();
  if (options.forgotten.length > 0)
    await carrier.forget(
      options.forgotten.flatMap(({ agent, session }) => [
        { agent, name: toSessionName(key, { agent, session }), isTeam: false },
        ...(carrier.knowsTeams ? [{ agent, name: session, isTeam: true }] : []),
      ]),
    );
  const due = await findDue(options);
  const bytesTotal = due.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  let [filesDone, bytesDone] = [0, 0];
  let batch: HubSegment[] = [];
  let replaced: SentName[] = [];
  let bytes = 0;
  const flush = async () => {
    if (batch.length === 0) return;
    await carrier.put(batch, replaced);
    report.segments += batch.length;
    report.bytes += bytes;
    [batch, replaced, bytes] = [[], [], 0];
  };
  for (const file of due) {
    signal.throwIfAborted();
    for await (const { segment, covered } of file.read((damage) => report.damages.push(damage))) {
      batch.push(segment);
      // In the same transaction: at no time is something missing.
      replaced.push(...covered);
      bytes += segment.bytes.length;
      sent.add(file.session);
      if (batch.length >= batchSegments || bytes >= batchBytes) await flush();
    }
    filesDone++;
    bytesDone += file.sizeBytes;
    options.onProgress({ filesDone, filesTotal: due.length, bytesDone, bytesTotal });
  }
  await flush();
  await pushLabels(carrier, key, options.machine, options.labels);
  return { ...report, sessions: sent.size };
}

export interface DueFile {
  readonly session: SessionCopies;
  readonly sizeBytes: number;
  read(onDamage: (damage: Damage) => void): AsyncGenerator<DueSegment>;
}

/** `covered`: what the hub has and no longer needs when it has this. */
interface DueSegment {
  readonly segment: HubSegment;
  readonly covered: readonly SentName[];
}

/** The files of which the hub lacks something. Those for the team come after their private forms. */
export async function findDue(options: PushOptions): Promise<DueFile[]> {
  const { carrier, key } = options;
  const files = options.sessions.flatMap((session) =>
    session.files
      .filter(({ versions }) => versions.length > 0)
      .map((copy) => ({ session, copy, path: toPathName(key, toPlaced(session, copy)) })),
  );
  const shared = carrier.knowsTeams ? files.filter(({ session }) => options.isShared(session)) : [];
  const paths = [...files.map(({ path }) => path), ...shared.map(({ copy }) => toTeamPath(copy))];
  const known = new Map<string, readonly string[]>();
  for (let i = 0; i < paths.length; i += pathsAtOnce)
    for (const [path, names] of await carrier.has(paths.slice(i, i + pathsAtOnce))) known.set(path, names);
  return [
    ...files.flatMap((file) => planPrivate(options, file, known.get(file.path) ?? [])),
    ...shared.flatMap(({ session, copy }) =>
      planShared(options, session, copy, known.get(toTeamPath(copy)) ?? []),
    ),
  ];
}

const toPlaced = ({ agent, owner }: SessionCopies, { root, path }: Copy) => ({
  agent,
  session: owner,
  root: root.path,
  path,
});

interface OwnFile {
  readonly session: SessionCopies;
  readonly copy: Copy;
  readonly path: string;
}

function planPrivate(options: PushOptions, file: OwnFile, known: readonly string[]): DueFile[] {
  const { key, machine } = options;
  const { session, copy, path } = file;
  const placed = toPlaced(session, copy);
  // Every version is worth having. A further one is sent with its start last: until then, the older counts.
  const wanted = copy.versions
    .flatMap(({ version, segments }) => (version > 1 ? segments.toReversed() : segments))
    .map((segment) => ({ segment, name: toSegmentName(key, machine, placed, segment) }));
  const missing = wanted.filter(({ name }) => !known.includes(name));
  if (missing.length === 0) return [];
  const names = new Set(wanted.map(({ name }) => name));
  const others = known.filter((name) => !names.has(name));
  return [
    {
      session,
      sizeBytes: missing.reduce((sum, { segment }) => sum + segment.to - segment.from, 0),
      async *read(onDamage) {
        const { modifiedAtMs, ...facts } = options.readFacts(session);
        for (const { segment, name } of missing) {
          const found = readPacked(copy, segment);
          if ('reason' in found) {
            // Merged with others since the names were listed: the next push sends what it has become.
            if (found.reason !== null)
              onDamage({ path: `${copy.folder}/${segment.name}`, reason: found.reason });
            continue;
          }
          const { packed, mtimeMs } = found;
          const parcel = { ...placed, name: segment.name, modifiedAtMs: mtimeMs, ...facts, packed };
          const sealed = await key.seal(writeParcel(parcel));
          const row = toHubSession(session.agent, toSessionName(key, placed), modifiedAtMs);
          const covered = others
            .filter((other) => isCovered(other, segment))
            .map((other) => ({ path, name: other }));
          yield { segment: { session: row, path, name, isRedacted: false, bytes: sealed }, covered };
        }
      },
    },
  ];
}

function toHubSession(agent: AgentName, name: string, modifiedAtMs: number): HubSession {
  const modifiedAt = new Date(modifiedAtMs).toISOString();
  return { agent, name, modifiedAt, isTeam: false, gitRemote: null, cwd: null };
}

/** Only what agrees with its checksum. `reason` is null where it is no longer there. */
function readPacked(
  copy: Copy,
  segment: Segment,
): { packed: Buffer; mtimeMs: number } | { reason: string | null } {
  const path = `${copy.folder}/${segment.name}`;
  try {
    const packed = readForeignFile(path);
    const stretch = readSegment(copy, segment);
    return 'damage' in stretch
      ? { reason: stretch.damage.reason }
      : { packed, mtimeMs: statSync(path).mtimeMs };
  } catch (error) {
    return { reason: (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : toReason(error) };
  }
}

/** For the team a file has the name that it has here, with its machine's folder. */
const toTeamPath = ({ root, path }: Copy) => `${root.agent}@${root.path}/${path}`;

/**
 * Only the newest version, redacted by the rules of today. Its name ends with a digest of what it was made from, so that nobody
 * has to redact it again to see whether the hub has it.
 */
function planShared(
  options: PushOptions,
  session: SessionCopies,
  copy: Copy,
  known: readonly string[],
): DueFile[] {
  const version = copy.versions[0] as Version;
  const origin = [redactionVersion, ...version.segments.map(({ name }) => name)].join('\n');
  const mark = `~${createHash('sha256').update(origin).digest('hex').slice(0, 16)}`;
  if (known.length > 0 && known.every((name) => name.endsWith(mark))) return [];
  const teamPath = toTeamPath(copy);
  return [
    {
      session,
      sizeBytes: version.sizeBytes,
      async *read(onDamage) {
        const { modifiedAtMs, ...facts } = options.readFacts(session);
        const redactor = await options.loadRedactor(session.agent);
        let redacted: ReturnType<typeof redactFile>;
        try {
          redacted = redactFile({ path: copy.path, chunks: () => readUndamaged(copy, version) }, redactor);
        } catch (error) {
          // What is shared is whole.
          onDamage({ path: `${copy.folder}/${copy.stem}`, reason: toReason(error) });
          return;
        }
        const row = {
          ...toHubSession(session.agent, session.owner, modifiedAtMs),
          isTeam: true,
          gitRemote: facts.remote,
          cwd: facts.cwd,
        };
        const fingerprint = version.segments.at(-1)?.fingerprint ?? '';
        const { stem } = toPlace(copy.root, redacted.path);
        const placed = { ...toPlaced(session, copy), path: redacted.path };
        const names: string[] = [];
        const pieces = [...redacted.pieces];
        for (const [i, { from, bytes }] of pieces.entries()) {
          const range = { version: version.version, from, to: from + bytes.length };
          const name = formatSegmentName(stem, {
            ...range,
            checksum: toChecksum(bytes),
            fingerprint,
            redactionVersion,
          });
          const parcel = { ...placed, name, modifiedAtMs, ...facts, packed: await pack(bytes) };
          names.push(`${name}${mark}`);
          const sent = { path: teamPath, name: `${name}${mark}` };
          const others = i < pieces.length - 1 ? [] : known.filter((each) => !names.includes(each));
          yield {
            segment: { session: row, ...sent, isRedacted: true, bytes: writeParcel(parcel) },
            covered: others.map((each) => ({ path: teamPath, name: each })),
          };
        }
      },
    },
  ];
}
