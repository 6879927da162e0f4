// One tool call with all that is known of it. The index has what it was given and what it answered, cut where that is long; the whole
// of it, and images, are in the transcript or in its copy, of which only the lines of this call are parsed.

import { UserError } from '../../errors.ts';
import { loadTools } from '../../indexing/reader.ts';
import { getSource } from '../../sources/index.ts';
import { isObject, type JsonObject } from '../../sources/json/json-value.ts';
import { splitLines, tryParseLine } from '../../sources/json/lines.ts';
import { findImages } from '../../sources/transcript/find-images.ts';
import { toInputText, toOutputText } from '../../sources/transcript/tool-call.ts';
import type { Store } from '../../store/open/open-store.ts';
import { isRedacting } from '../../store/read/index-facts.ts';
import { readConversation, type StoredCall } from '../../store/read/read-conversation.ts';
import type { FoundSession } from '../../store/read/sessions.ts';
import { listCallTexts, readToolTexts } from '../../store/read/tool-texts.ts';
import { toGivenValues, toShownText } from '../../text/tool-text.ts';
import type { CallDetail, TranscriptImage } from '../answers.ts';
import { readTranscript } from '../archive/restore.ts';
import type { Host } from '../host.ts';
import type { CallRequest } from '../requests.ts';

export async function readCall(
  host: Host,
  store: Store,
  session: FoundSession,
  { line, nth, whole = false }: CallRequest,
): Promise<CallDetail> {
  const call = findCall(store, session, line, nth);
  const listed = listCallTexts(store.db, session.id, { from: line, to: line }).filter(
    ({ callSeq, callNth }) => callSeq === line && callNth === nth,
  );
  const texts = readToolTexts(
    store.db,
    listed.map(({ id }) => id),
    (stored) => stored,
  );
  const [input, output] = [false, true].map((isOutput) => {
    const found = listed.find((text) => text.isOutput === isOutput);
    return found === undefined ? null : (texts.get(found.id) ?? null);
  });
  const written = await findWritten(host, store, session, call);
  const isCut = [input, output].some((text) => text != null && /\f… \d+ characters left out …\v/.test(text));
  const given = (whole ? written?.input : null) ?? input ?? null;
  const answer = (whole ? written?.output : null) ?? output ?? null;
  return {
    ...call,
    input: given === null ? null : toShownText(given),
    output: answer === null ? null : toShownText(answer),
    given: given === null ? [] : toGivenValues(given),
    images: written?.images ?? [],
    isCut: isCut && !whole && written !== null,
  };
}

/** The images on the line of a message. */
export async function readImages(
  host: Host,
  store: Store,
  session: FoundSession,
  line: number,
): Promise<TranscriptImage[]> {
  for await (const each of eachLine(host, store, session)) {
    if (each.number < line) continue;
    return each.number === line ? findImages(tryParseLine(each.bytes)) : [];
  }
  return [];
}

function findCall({ db }: Store, { id, nativeId }: FoundSession, line: number, nth: number): StoredCall {
  for (const row of readConversation(db, id, { from: line, to: line }))
    if (row.type === 'call' && row.call.nth === nth) return row.call;
  throw new UserError(`there is no such tool call in ${nativeId}`, { code: 'no-such-call', exitCode: 1 });
}

/** Most answers follow at once; one that took longer is found by its id. */
const maxLinesToAnswer = 4000;

interface Written {
  readonly input: string;
  readonly output: string | null;
  readonly images: readonly TranscriptImage[];
}

/** As the transcript has it; null where there is none, or where its lines are not those that were indexed. */
async function findWritten(
  host: Host,
  store: Store,
  session: FoundSession,
  call: StoredCall,
): Promise<Written | null> {
  const reader = await getSource(session.agent).loadReader([], loadTools);
  const { parseEntry, redactLine } = reader;
  if (parseEntry === undefined) return null;
  const clean = isRedacting(store.db) ? redactLine : undefined;
  const parse = (bytes: Buffer): JsonObject | null => {
    const value = tryParseLine(clean?.(bytes) ?? bytes);
    return isObject(value) ? value : null;
  };
  let id: string | null = null;
  let input = '';
  for await (const { number, bytes } of eachLine(host, store, session)) {
    if (number < call.seq) continue;
    if (number > call.seq + maxLinesToAnswer) break;
    if (number === call.seq) {
      const line = parse(bytes);
      const found = line === null ? undefined : parseEntry(line, session.kind)?.toolCalls[call.nth];
      if (found?.name !== call.name) return null;
      ({ id } = found);
      input = found.given === undefined ? found.input : toInputText(found.given);
      if (id === null) break;
    } else if (id !== null && bytes.includes(id)) {
      const line = parse(bytes);
      const result =
        line === null
          ? undefined
          : parseEntry(line, session.kind)?.toolResults.find((each) => each.id === id);
      const images = findImages(line, id);
      if (result === undefined && images.length === 0) continue;
      return { input, output: result === undefined ? null : toOutputText(result.output), images };
    }
  }
  return id === null && input === '' ? null : { input, output: null, images: [] };
}

interface NumberedLine {
  readonly number: number;
  readonly bytes: Buffer;
}

/** From the file or its copy in the archive; nothing where the session has no lines of its own. */
async function* eachLine(host: Host, store: Store, session: FoundSession): AsyncGenerator<NumberedLine> {
  const transcript = await tryTranscript(host, store, session);
  if (transcript === null) return;
  let number = 0;
  for (const bytes of splitLines(transcript)) yield { number: ++number, bytes };
}

async function tryTranscript(
  host: Host,
  store: Store,
  session: FoundSession,
): Promise<Iterable<Buffer> | null> {
  try {
    const { nativeId, from, chunks } = await readTranscript(host, store, session, {});
    const isOwn = nativeId === session.nativeId && (from === 'present' || from === 'archive');
    return isOwn ? chunks : null;
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}
