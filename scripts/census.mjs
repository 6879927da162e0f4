// Counts a Claude home a second time, the plain way (read everything, JSON.parse every line, straight from the rules
// of FORMAT.md), and compares the result with what `recall index` stored. It shares no code with src/ on purpose: a
// difference means that one of the two reads the format wrongly.
// Usage: node scripts/census.mjs [--verbose] <claude-dir> <index.db>; exit 1 on any difference.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

const verbose = process.argv.includes('--verbose');
const [home, indexFile] = process.argv.slice(2).filter((argument) => argument !== '--verbose');
if (!home || !indexFile || !existsSync(home) || !existsSync(indexFile)) {
  console.error('usage: node scripts/census.mjs [--verbose] <claude-dir> <index.db>');
  process.exit(2);
}

const words = (text) => text.split(/\s+/);
const knownTypes = words(`assistant user progress attachment system queue-operation file-history-snapshot
  file-history-delta last-prompt ai-title custom-title agent-name summary permission-mode mode bridge-session frame-link
  fork-context-ref cost-state continued-in worktree-state relocated started result pr-link tool_use tool_result`);
const wrapperTags =
  words(`system-reminder local-command-caveat local-command-stdout local-command-stderr bash-stdout
  bash-stderr command-name command-message command-contents ide_opened_file ide_selection ide_diagnostics
  user-prompt-submit-hook task-notification`);
const wrapperBlock = new RegExp(`<(${wrapperTags.join('|')})>[\\s\\S]*?</\\1>`, 'g');
const machineTexts = ['Caveat:', '[Request interrupted', '[SUGGESTION MODE', 'Base directory for this skill'];
const machineOpenings = [...[...wrapperTags, 'command-args'].map((tag) => `<${tag}>`), ...machineTexts];
const commandOpenings = ['<command-name>', '<command-message>', '<command-args>'];
const recapOpening = 'This session is being continued from a previous conversation';
const targetKeys = words(`file_path notebook_path path command pattern url query description skill
  subagent_type`);
const talkTypes = ['user', 'assistant', 'tool_use', 'tool_result'];
const uuidTypes = ['user', 'assistant', 'system', 'attachment'];
const titleKeys = { 'custom-title': 'customTitle', 'agent-name': 'agentName', 'ai-title': 'aiTitle' };
const machineryAgent = /^(acompact|aprompt_suggestion|aside_question)-/;

function list(folder, pattern) {
  const path = join(home, folder);
  const entries = existsSync(path) ? readdirSync(path, { withFileTypes: true }) : [];
  const wanted = (entry) => (pattern.source.endsWith('jsonl$') ? entry.isFile() : entry.isDirectory());
  return entries.filter((entry) => wanted(entry) && pattern.test(entry.name)).map((entry) => entry.name);
}

function findTranscripts() {
  const found = [];
  const add = (folder, name, kind, parent, slug) => {
    const id = name.slice(kind === 'agent' ? 'agent-'.length : 0, -'.jsonl'.length);
    const isMachinery = kind === 'agent' && machineryAgent.test(id);
    found.push({ path: `${folder}/${name}`, kind, id, parent, slug, isMachinery });
  };
  for (const slug of list('projects', /./)) {
    const folder = `projects/${slug}`;
    for (const name of list(folder, /\.jsonl$/)) {
      add(folder, name, name.startsWith('agent-') ? 'agent' : 'main', null, slug);
    }
    for (const parent of list(folder, /./)) {
      const agents = `${folder}/${parent}/subagents`;
      const workflows = list(`${agents}/workflows`, /^wf_/).map((name) => `${agents}/workflows/${name}`);
      for (const place of [agents, ...workflows]) {
        for (const name of list(place, /^agent-.*\.jsonl$/)) add(place, name, 'agent', parent, slug);
      }
    }
  }
  const [exports, histories] = ['transcripts', 'pre-compact-session-histories'];
  for (const name of list(exports, /^ses_.*\.jsonl$/)) add(exports, name, 'transcript', null, null);
  for (const name of list(histories, /\.jsonl$/)) add(histories, name, 'precompact', null, null);
  return found;
}

function readText(path) {
  const file = join(home, path);
  return existsSync(file) ? readFileSync(file, 'utf8').replace(/^\ufeff/, '') : '';
}

const readJson = (path) => parseJson(readText(path)) ?? {};

/** The value, or undefined where the text is not JSON. */
function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const sane = (text) => text.replaceAll('\0', '').toWellFormed();
const cut = (text, length) => (text.length > length ? text.slice(0, length).toWellFormed().trimEnd() : text);
const filled = (value) => (typeof value === 'string' && value.trim() !== '' ? sane(value) : null);

function textBlocks(content) {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  if (!Array.isArray(blocks)) return [];
  return blocks.flatMap((block) => (block?.type === 'text' && filled(block.text)) || []);
}

/** What the person typed of one block: `{kind, text}`, or null where a machine wrote it. */
function cleaned(block) {
  const text = block.trim();
  const inner = (tag) => new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text)?.[1].trim();
  if (text.startsWith('<task-notification>')) return null;
  const startsWith = (opening) => text.startsWith(opening);
  const kind = commandOpenings.some(startsWith) ? 'command' : startsWith('<bash-input>') ? 'shell' : 'prompt';
  const typed = { command: inner('command-args'), shell: inner('bash-input') };
  const rest = kind in typed ? typed[kind] : text.replace(wrapperBlock, '').trim();
  if (!rest || machineOpenings.some((opening) => rest.startsWith(opening))) return null;
  return { kind, text: rest };
}

function userMessage(blocks, isTask) {
  const parts = blocks.map(cleaned).filter((part) => part !== null);
  if (parts.length === 0) return null;
  const kind = isTask ? 'task' : parts[0].kind;
  return { role: 'user', kind, text: parts.map((part) => part.text).join('\n\n') };
}

function toIso(value) {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const seconds = typeof value === 'number' && value < 1e11;
  const date = new Date(seconds ? value * 1000 : value);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

function toTarget(input) {
  const key = targetKeys.find((name) => typeof input?.[name] === 'string' && input[name] !== '');
  return key ? cut(sane(input[key]), 400) : null;
}

function readTranscript(file) {
  const lists = { messages: [], toolCalls: [], skipped: [], unknown: [], summaries: [], times: [] };
  const facts = { firstCwd: null, firstPrompt: null, firstTime: null, lastTime: null };
  const session = { ...file, ...lists, ...facts, titles: {}, uuids: new Set(), errorIds: new Set() };
  if (file.isMachinery) return session;
  const lines = readText(file.path).split('\n');
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const entry = parseJson(line);
    const isEntry = isObject(entry) && filled(entry.type) !== null;
    const isLast = index === lines.length - 1;
    if (isEntry) readEntry(session, entry, index + 1);
    // A last line without its newline may be half-written: it is no error yet.
    else if (!isLast || isObject(entry)) session.skipped.push(index + 1);
  }
  for (const call of session.toolCalls) call.isError = session.errorIds.has(call.id) ? 1 : 0;
  settle(session);
  return session;
}

function readEntry(session, entry, line) {
  const { type } = entry;
  const message = isObject(entry.message) ? entry.message : {};
  const content = session.kind === 'transcript' ? entry.content : message.content;
  const timestamp = toIso(entry.timestamp) ?? toIso(message.timestamp);
  const isTask = session.kind === 'agent' || entry.isSidechain === true;
  const say = (said) => said && session.messages.push({ line, timestamp, ...said });
  const call = (id, name, input) => {
    if (filled(name)) session.toolCalls.push({ line, id, name: sane(name), target: toTarget(input) });
  };

  if (!knownTypes.includes(type)) session.unknown.push(type);
  if (filled(entry.cwd)) session.firstCwd ??= entry.cwd;
  if (['agent', 'precompact'].includes(session.kind)) session.parent ??= filled(entry.sessionId);
  if (uuidTypes.includes(type) && filled(entry.uuid)) session.uuids.add(entry.uuid);

  if (talkTypes.includes(type)) session.times.push(timestamp);
  if (type === 'user') {
    for (const block of Array.isArray(content) ? content : []) {
      if (block?.type === 'tool_result' && block.is_error === true) session.errorIds.add(block.tool_use_id);
    }
    if (entry.isMeta === true) return;
    const isHuman = (entry.origin?.kind ?? 'human') === 'human' && entry.promptSource !== 'system';
    const blocks = textBlocks(content);
    const isRecap = entry.isCompactSummary === true || blocks[0]?.trimStart().startsWith(recapOpening);
    if (isRecap && blocks.length > 0) say({ role: 'user', kind: 'recap', text: blocks.join('\n\n') });
    else if (isHuman) say(userMessage(blocks, isTask));
  } else if (type === 'assistant') {
    const isSynthetic = entry.isApiErrorMessage === true || message.model === '<synthetic>';
    const text = textBlocks(content).join('\n\n').trim();
    if (text && !isSynthetic && entry.isMeta !== true) say({ role: 'assistant', kind: 'answer', text });
    for (const block of Array.isArray(content) ? content : []) {
      if (['tool_use', 'server_tool_use'].includes(block?.type)) call(block.id, block.name, block.input);
    }
  } else if (type === 'attachment' && entry.attachment?.type === 'queued_command') {
    session.times.push(timestamp);
    if (entry.isMeta !== true) say(userMessage(textBlocks(entry.attachment.prompt), false));
  } else if (type === 'queue-operation' && entry.operation === 'enqueue') {
    const text = filled(entry.content)?.trim();
    if (text && !/^[</]/.test(text)) say({ role: 'user', kind: 'queued', text });
  } else if (type === 'tool_use') {
    call(entry.id, entry.tool_name ?? entry.name, entry.tool_input ?? entry.input);
  } else if (type === 'tool_result') {
    if (message.is_error === true) session.errorIds.add(message.tool_use_id);
  } else if (type === 'summary') {
    const [text, leaf] = [filled(entry.summary), filled(entry.leafUuid)];
    if (text && leaf) session.summaries.push({ line, text, leaf });
  } else if (type in titleKeys) {
    session.titles[type] = filled(entry[titleKeys[type]]) ?? session.titles[type];
  }
}

/** Drops queued prompts that were also sent, then takes what depends on the messages that stay. */
function settle(session) {
  const isOther = (message) => message.role === 'user' && message.kind !== 'queued';
  const others = new Set(session.messages.filter(isOther).map((message) => message.text));
  session.messages = session.messages.filter((m) => m.kind !== 'queued' || !others.has(m.text));
  const times = session.times.filter((time) => time !== null).sort();
  session.firstTime = times[0] ?? null;
  session.lastTime = times.at(-1) ?? null;
  const wanted = session.kind === 'agent' ? ['task'] : ['prompt', 'queued', 'command'];
  const first = session.messages.find((m) => m.role === 'user' && wanted.includes(m.kind));
  session.firstPrompt = first ? cut(first.text, 2000) : null;
}

function giveTitles(sessions, hints) {
  const rank = (s, line) => [s.lastTime ?? '', s.id, String(line).padStart(9, '0')].join('\0');
  const ranked = (s) => s.summaries.map((summary) => ({ ...summary, rank: rank(s, summary.line) }));
  const summaries = sessions.flatMap(ranked).sort((a, b) => (a.rank < b.rank ? -1 : 1));
  for (const session of sessions) {
    const { slug, id, path, kind } = session;
    const sameId = hints.filter((h) => h.sessionId === id);
    const hint = sameId.find((h) => h.slug === slug) ?? sameId[0];
    const ofAgent = [['description', readJson(path.replace(/\.jsonl$/, '.meta.json')).description]];
    const ofOthers = [
      ['sidecar', slug && readJson(`projects/${slug}/${id}/custom-title.json`).customTitle],
      ...Object.keys(titleKeys).map((type) => [type, session.titles[type]]),
      ['index-custom-title', hint?.customTitle],
      ['index-summary', hint?.summary],
      ['summary', summaries.findLast((summary) => session.uuids.has(summary.leaf))?.text],
    ];
    const prompts = [session.firstPrompt, hint?.firstPrompt].map((text) => ['first-prompt', text]);
    const candidates = [...(kind === 'agent' ? ofAgent : ofOthers), ...prompts];
    const [source, text] = candidates.find(([, value]) => filled(value)) ?? ['none', null];
    session.titleSource = source;
    session.title = text && toTitle(sane(text));
  }
}

function toTitle(text) {
  const points = [...text.replace(/\s+/g, ' ').trim()];
  return points.length > 200 ? `${points.slice(0, 199).join('').trimEnd()}…` : points.join('');
}

/** Gives sessions of one kind that share a uuid, directly or through others, the same `group`: the first path. */
function giveGroups(sessions) {
  const leader = new Map(sessions.map((session) => [session, session]));
  const find = (session) => (leader.get(session) === session ? session : find(leader.get(session)));
  const holders = new Map();
  for (const session of sessions) {
    for (const uuid of session.uuids) {
      const key = `${session.kind} ${uuid}`;
      const other = find(holders.get(key) ?? session);
      const [first, second] = [find(session), other].sort((a, b) => (a.path < b.path ? -1 : 1));
      leader.set(second, first);
      holders.set(key, session);
    }
  }
  for (const session of sessions) session.group = find(session).path;
}

/** Ids that only history.jsonl or a sessions-index.json still knows. */
function findDeletedSessions(sessions, hints) {
  const ids = new Set(hints.map((hint) => hint.sessionId));
  for (const line of readText('history.jsonl').split('\n')) {
    const entry = parseJson(line);
    const typed = filled(entry?.display)?.trim() ?? '/';
    const isBareCommand = /^\/\S*$/.test(typed);
    if (!isBareCommand && filled(entry.sessionId)) ids.add(entry.sessionId);
  }
  for (const session of sessions) ids.delete(session.id);
  return [...ids];
}

const sessions = findTranscripts().map(readTranscript);
const hints = list('projects', /./).flatMap((slug) => {
  const { entries } = readJson(`projects/${slug}/sessions-index.json`);
  const named = Array.isArray(entries) ? entries.filter((entry) => filled(entry?.sessionId)) : [];
  return named.map((entry) => ({ ...entry, slug }));
});
giveTitles(sessions, hints);
giveGroups(sessions);

const db = new Database(indexFile, { readonly: true });
const rows = (sql) => db.prepare(sql).raw().all();
const figures = [];

/** Compares two lists of items, order apart; an item is equal when its JSON is. */
function compare(name, ours, theirs, show = [ours.length, theirs.length]) {
  const balance = new Map();
  const add = (key, step) => balance.set(key, (balance.get(key) ?? 0) + step);
  for (const item of ours) add(JSON.stringify(item), 1);
  for (const item of theirs) add(JSON.stringify(item), -1);
  figures.push({ name, show, differing: [...balance].filter(([, count]) => count !== 0).sort() });
}

/** One figure for each distinct value: how often it occurs. */
function compareCounts(name, ours, theirs) {
  for (const value of [...new Set([...ours, ...theirs])].sort()) {
    const show = [ours, theirs].map((values) => values.filter((other) => other === value).length);
    compare(`${name} ${value}`, [show[0]], [show[1]], show);
  }
}

const ofFiles = `from session join transcript on transcript.id = transcript_id where session.kind <> 'history'`;
const ofRows = (table) => `from ${table} join session on session.id = session_id
  join transcript on transcript.id = transcript_id where session.kind <> 'history'`;
const perSession = (pick) => sessions.map((session) => [session.path, pick(session)]);
const everyOf = (key, pick) => sessions.flatMap((s) => s[key].map((item) => [s.path, ...pick(item)]));

const kinds = sessions.map((session) => (session.isMachinery ? 'machinery' : session.kind));
const kindOf = (table) => `select iif(${table}.is_machinery, 'machinery', ${table}.kind)`;
const ofTranscripts = `from transcript where kind <> 'history'`;
compareCounts('transcripts', kinds, rows(`${kindOf('transcript')} ${ofTranscripts}`).flat());
compareCounts('sessions', kinds, rows(`${kindOf('session')} ${ofFiles}`).flat());
const deleted = `select claude_id from session where kind = 'history' and claude_id not like 'history-%'`;
compare('sessions history', findDeletedSessions(sessions, hints), rows(deleted).flat());

const ourMessages = everyOf('messages', (m) => [m.line, m.role, m.kind, m.text]);
const messages = rows(`select path, seq, role, message.kind, text ${ofRows('message')}`);
const rolesAndKinds = (items) => items.map(([, , role, kind]) => `${role}/${kind}`);
compareCounts('messages', rolesAndKinds(ourMessages), rolesAndKinds(messages));
compare('messages with text', ourMessages, messages);

const ourCalls = everyOf('toolCalls', (call) => [call.line, call.name, call.target, call.isError]);
const calls = rows(`select path, seq, name, target, is_error ${ofRows('tool_call')}`);
const areErrors = (items) => items.filter((call) => call[4] === 1);
compare('tool calls', ourCalls, calls);
compare('tool calls with an error', areErrors(ourCalls), areErrors(calls));

// The index counts all bad lines of a transcript but names only the first ones.
const ourSkipped = perSession((session) => session.skipped.length);
const skipped = rows(`select path, skipped_lines ${ofTranscripts}`);
const total = (counts) => counts.reduce((sum, [, count]) => sum + count, 0);
compare('skipped lines', ourSkipped, skipped, [total(ourSkipped), total(skipped)]);
const ourUnknown = sessions.flatMap((session) => session.unknown);
const unknown = rows('select type, count from unknown_type').flatMap(([t, count]) => Array(count).fill(t));
compareCounts('unknown type', ourUnknown, unknown);

const columns = {
  claude_id: (s) => s.id,
  first_cwd: (s) => s.firstCwd,
  first_prompt: (s) => s.firstPrompt,
  title: (s) => s.title,
  title_source: (s) => s.titleSource,
  parent_claude_id: (s) => s.parent,
  first_timestamp: (s) => s.firstTime,
  last_timestamp: (s) => s.lastTime,
  is_warmup: (s) => Number(s.kind === 'agent' && /^\s*warmup\s*$/i.test(s.firstPrompt)),
  is_empty: (s) => Number(s.messages.length === 0),
};
for (const [column, pick] of Object.entries(columns)) {
  const [ours, theirs] = [perSession(pick), rows(`select path, session.${column} ${ofFiles}`)];
  const filledIn = [ours, theirs].map((items) => items.filter(([, value]) => value).length);
  compare(column, ours, theirs, filledIn);
}

// A group is named by its first path on both sides, so equal partitions have equal names.
const conversation = `min(path) over (partition by ifnull(conversation_id, path))`;
const [ourGroups, groups] = [perSession((s) => s.group), rows(`select path, ${conversation} ${ofFiles}`)];
const distinct = (items) => new Set(items.map(([, group]) => group)).size;
compare('conversation groups', ourGroups, groups, [distinct(ourGroups), distinct(groups)]);

const width = Math.max(...figures.map((figure) => figure.name.length));
const print = (name, values, verdict) =>
  console.log([name.padEnd(width), ...values.map((value) => String(value).padStart(7)), verdict].join('  '));
const shorten = (item) => (item.length > 320 ? `${item.slice(0, 240)} ⋯ ${item.slice(-80)}` : item);
print('figure', ['census', 'index'], '');
for (const { name, show, differing } of figures) {
  print(name, show, differing.length === 0 ? 'ok' : `DIFF (${differing.length} items)`);
  for (const [item, count] of verbose ? differing.slice(0, 10) : []) {
    console.log(`    only in the ${count > 0 ? 'census' : 'index'}: ${shorten(item)}`);
  }
}
process.exitCode = figures.some((figure) => figure.differing.length > 0) ? 1 : 0;
