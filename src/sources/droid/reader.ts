// Reads sessions of Droid: a line that describes the session, then messages made of blocks.

import type { SessionKind } from '../../records.ts';
import { field, isTrue, type JsonObject, objectField, stringField, timeField } from '../json/json-value.ts';
import { addBlocks, withoutReminders } from '../transcript/blocks.ts';
import { type Entry, newEntry, toNames, toTitleFact } from '../transcript/entry.ts';
import { readsLines } from '../transcript/read-transcript.ts';

export const droidReader = readsLines({ subagentTools: ['Task'], parseEntry });

const quiet = toNames('agent_turn_outcome todo_state');

function parseEntry(line: JsonObject, kind: SessionKind): Entry | null {
  const type = stringField(line, 'type');
  if (type === null) return null;
  const entry = newEntry(type);
  const message = objectField(line, 'message');
  if (type === 'session_start') {
    entry.cwd = stringField(line, 'cwd');
    // Otherwise it is the first prompt, cut.
    if (isTrue(line, 'isSessionTitleManuallySet'))
      entry.facts = toTitleFact('customTitle', stringField(line, 'title'));
  } else if (type === 'message') {
    entry.uuid = stringField(line, 'id');
    entry.timestamp = timeField(line, 'timestamp');
    entry.model = stringField(message, 'modelId');
    addBlocks(entry, stringField(message, 'role'), field(message, 'content'), kind, withoutReminders);
  } else entry.isUnknownType = !quiet.has(type);
  return entry;
}
