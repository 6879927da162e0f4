// bench/.rd.ts
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

// src/indexing/read-transcript.ts
import { closeSync, openSync, readSync as readSync2 } from "node:fs";

// src/transcripts/fingerprint.ts
import { createHash } from "node:crypto";
import { readSync } from "node:fs";
var sampleBytes = 512;
function readFingerprint(fd, lengthBytes) {
  const hash = createHash("sha1").update(String(lengthBytes));
  const buffer = Buffer.allocUnsafe(sampleBytes);
  for (const position of samplePositions(lengthBytes)) {
    const length = Math.min(sampleBytes, lengthBytes - position);
    hash.update(buffer.subarray(0, readSync(fd, buffer, 0, length, position)));
  }
  return hash.digest("hex").slice(0, 16);
}
function samplePositions(lengthBytes) {
  const last = lengthBytes - sampleBytes;
  if (last <= 0) return lengthBytes === 0 ? [] : [0];
  return [.../* @__PURE__ */ new Set([0, Math.floor(last / 3), Math.floor(last * 2 / 3), last])];
}

// src/transcripts/split-lines.ts
var maxLineBytes = 16 * 1024 * 1024;
var newline = 10;
var LineSplitter = class {
  /** Bytes up to and including the last newline seen. */
  completeBytes = 0;
  sink;
  limit;
  held = [];
  heldBytes = 0;
  isTooLong = false;
  constructor(sink, limit = maxLineBytes) {
    this.sink = sink;
    this.limit = limit;
  }
  push(chunk2) {
    let from = 0;
    let at = chunk2.indexOf(newline);
    while (at >= 0) {
      this.endLine(chunk2.subarray(from, at));
      from = at + 1;
      at = chunk2.indexOf(newline, from);
    }
    if (from < chunk2.length) this.hold(chunk2.subarray(from));
  }
  /** The unterminated last line; empty when there is none or it is too long. */
  rest() {
    return this.isTooLong ? Buffer.alloc(0) : Buffer.concat(this.held);
  }
  endLine(tail) {
    const length = this.heldBytes + tail.length;
    this.completeBytes += length + 1;
    if (this.isTooLong || length > this.limit) this.sink.onTooLong();
    else this.sink.onLine(this.held.length === 0 ? tail : Buffer.concat([...this.held, tail], length));
    this.held = [];
    this.heldBytes = 0;
    this.isTooLong = false;
  }
  hold(tail) {
    this.heldBytes += tail.length;
    if (this.heldBytes > this.limit) this.isTooLong = true;
    if (this.isTooLong) this.held = [];
    else this.held.push(Buffer.from(tail));
  }
};

// src/store/row-ids.ts
var maxSeq = 2 ** 20 - 1;
var sessionFactor = maxSeq + 1;

// src/text/words.ts
import { stemmer } from "stemmer";

// src/text/patterns.ts
var nonAscii = /[^\x00-\x7f]/;
function isAscii(text) {
  return !nonAscii.test(text);
}
function toPattern(ascii, unicode) {
  let built = null;
  return (text) => {
    if (isAscii(text)) return ascii;
    built ??= unicode();
    return built;
  };
}

// src/text/telling-words.ts
var lower = 1;
var upper = 2;
var digit = 3;
var underscore = 4;
var kinds = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) kinds[code] = lower;
  else if (/[A-Z]/.test(character)) kinds[code] = upper;
  else if (/[0-9]/.test(character)) kinds[code] = digit;
  else if (character === "_") kinds[code] = underscore;
}
var otherLetters = /[^\x00-\x7f\u2010-\u205e\u2190-\u245f\u2500-\u2bff]/;
function isPlainText(text) {
  return !otherLetters.test(text);
}
var minStemChars = 4;
var maxStemChars = 32;
function eachTellingWord(text, met, onWord) {
  const { length } = text;
  let at = 0;
  while (at < length) {
    const start = at;
    let high = 2166136261;
    let low = 2654435769;
    let uppers = 0;
    let isAfterLower = false;
    let isIdentifier = false;
    let hasDigit = false;
    for (; at < length; at++) {
      const code = text.charCodeAt(at);
      const kind = code < 128 ? kinds[code] : 0;
      if (kind === lower) {
        if (uppers > 1) isIdentifier = true;
        isAfterLower = true;
        uppers = 0;
      } else if (kind === upper) {
        if (isAfterLower) isIdentifier = true;
        isAfterLower = false;
        uppers++;
      } else if (kind === digit) {
        hasDigit = true;
        uppers = 0;
      } else if (kind === underscore) {
        isIdentifier = true;
        isAfterLower = false;
        uppers = 0;
      } else break;
      const letter = code | 32;
      high = Math.imul(high ^ letter, 16777619);
      low = Math.imul(low ^ letter, 2246822507);
      low ^= low >>> 13;
    }
    const chars = at - start;
    const mayHaveStem = !hasDigit && chars >= minStemChars && chars <= maxStemChars;
    if (isIdentifier || mayHaveStem && met.isNew(high, low)) onWord(text.slice(start, at));
    at++;
  }
}
var slots = 2 ** 17;
var MetWords = class {
  highs = new Int32Array(slots);
  lows = new Int32Array(slots);
  /** Whether it was not met lately; from now on it was. */
  isNew(high, low) {
    const slot = (high ^ high >>> 15) & slots - 1;
    if (this.highs[slot] === high && this.lows[slot] === low) return false;
    this.highs[slot] = high;
    this.lows[slot] = low;
    return true;
  }
};

// src/text/words.ts
var WordForms = class _WordForms {
  static lastId = 0;
  id = ++_WordForms.lastId;
  met = new MetWords();
  untold = [];
  add(words) {
    for (const word of words) this.untold.push(word);
  }
  /** Those that were added since the last time. */
  take() {
    const { untold } = this;
    this.untold = [];
    return untold;
  }
};
var wordPattern = toPattern(/[A-Za-z0-9_]+/g, () => /[\p{L}\p{N}\p{M}_]+/gu);
var camelPart = toPattern(
  /[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+/g,
  () => /\p{Lu}+(?!\p{Ll})\d*|\p{Lu}?\p{Ll}+\d*|\d+/gu
);
var camelHump = toPattern(/[a-z]\d*[A-Z]|[A-Z][A-Z][a-z]/, () => /\p{Ll}\d*\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u);
var symbolName = toPattern(
  /(?<![A-Za-z0-9])(?:[cC]\+\+|[cCfF]#|\.NET\b|\.net\b)(?![A-Za-z0-9])/g,
  () => /(?<![\p{L}\p{N}])(?:[cC]\+\+|[cCfF]#|\.NET\b|\.net\b)(?![\p{L}\p{N}])/gu
);
var cjk = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\u30FC\u3005\u3006";
var never = /(?!)/;
var cjkCharacter = toPattern(never, () => new RegExp(`[${cjk}]`, "u"));
var scriptRun = toPattern(/[\s\S]+/g, () => new RegExp(`[${cjk}]+|[^${cjk}]+`, "gu"));
var maxIdentifierChars = 64;
var maxChars = 1e6;
var sliceChars = 5e4;
function toPartTokens(text, forms2) {
  const parts = [];
  const end = Math.min(text.length, maxChars);
  for (let from = 0; from < end; ) {
    const to = toSliceEnd(text, from, end);
    addTokens(from === 0 && to === text.length ? text : text.slice(from, to), parts, forms2);
    from = to;
  }
  return parts.join(" ");
}
function toSliceEnd(text, from, end) {
  const to = from + sliceChars;
  if (to >= end) return end;
  const space = text.lastIndexOf(" ", to);
  return space > to - 1e3 ? space + 1 : to;
}
function addTokens(text, parts, forms2) {
  const add = (word) => {
    const tokens = tokensOf(word);
    if (tokens === none) return;
    for (const part of tokens.parts) parts.push(part);
    if (tokens.toldTo === forms2.id) return;
    forms2.add(tokens.forms);
    tokens.toldTo = forms2.id;
  };
  if (isPlainText(text)) eachTellingWord(text, forms2.met, add);
  else for (const word of text.match(wordPattern(text)) ?? []) add(word);
  if (text.includes("#") || text.includes("++") || text.includes(".")) {
    for (const [symbol] of text.matchAll(symbolName(text))) parts.push(toSymbolName(symbol));
  }
}
var none = { forms: [], parts: [], toldTo: 0 };
var knownTokens = /* @__PURE__ */ new Map();
var maxKnown = 5e4;
function tokensOf(word) {
  let tokens = knownTokens.get(word);
  if (tokens === void 0) {
    tokens = toTokens(word);
    if (knownTokens.size >= maxKnown) knownTokens.clear();
    if (word.length <= maxIdentifierChars) knownTokens.set(Buffer.from(word).toString(), tokens);
  }
  return tokens;
}
function toTokens(word) {
  if (word.length > maxIdentifierChars && !isCjk(word)) return none;
  const parts = isPlain(word) ? [] : toParts(word);
  const pieces = [...word.split("_"), ...parts.flatMap((part) => isCjk(part) ? [] : part.split(" "))].map(
    (piece) => piece.toLowerCase()
  );
  const forms2 = pieces.filter((piece) => toStem(piece) !== piece);
  return forms2.length === 0 && parts.length === 0 ? none : { forms: forms2, parts, toldTo: 0 };
}
function isCjk(text) {
  return cjkCharacter(text).test(text);
}
function isPlain(word) {
  return /^[A-Z]?[a-z]*$/.test(word);
}
function toParts(word) {
  const parts = [];
  if (/[^_]_+[^_]/.test(word)) parts.push(word.replaceAll("_", "").toLowerCase());
  for (const piece of word.split(/_+/)) {
    const humps = toHumps(piece);
    if (humps.length > 1) parts.push(humps.join(" ").toLowerCase());
  }
  if (isCjk(word))
    for (const run of toScriptRuns(word)) parts.push(isCjk(run) ? toPairs(run).join(" ") : run);
  return parts;
}
function toHumps(word) {
  return camelHump(word).test(word) ? word.match(camelPart(word)) ?? [word] : [word];
}
function toScriptRuns(text) {
  const normal = text.normalize("NFKC");
  return normal.match(scriptRun(normal)) ?? [];
}
function toPairs(run) {
  const characters = [...run.normalize("NFKC")];
  return characters.map((character, i) => character + (characters[i + 1] ?? ""));
}
function toSymbolName(symbol) {
  const lower2 = symbol.toLowerCase();
  if (lower2 === ".net") return "dotnet";
  return lower2.endsWith("#") ? `${lower2[0]}sharp` : "cplusplus";
}
function toStem(lower2) {
  if (lower2.length < 4 || lower2.length > 32 || !/^[a-z]+$/.test(lower2)) return lower2;
  return stemmer(lower2);
}

// src/store/transcript-writer.ts
function keepsToolUseId(toolName) {
  return toolName === "Task" || toolName === "Agent";
}

// src/transcripts/json-value.ts
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function own(object, key) {
  return Object.hasOwn(object, key) ? object[key] : void 0;
}
function objectField(object, key) {
  const value = own(object, key);
  return isObject(value) ? value : null;
}
function stringField(object, key) {
  const value = own(object, key);
  return typeof value === "string" && value !== "" ? toCleanText(value) : null;
}
function numberField(object, key) {
  const value = own(object, key);
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
function integerField(object, key) {
  const value = numberField(object, key);
  return value !== null && Number.isSafeInteger(value) ? value : null;
}
function isTrue(object, key) {
  return own(object, key) === true;
}
function field(object, key) {
  return own(object, key);
}
function toCleanText(text) {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes("\0") ? wellFormed.replaceAll("\0", "") : wellFormed;
}
function toExcerpt(text, limit) {
  return text.length <= limit ? text : toCleanText(text.slice(0, limit)).trimEnd();
}
var canonical = /^(?:19[7-9]\d|[2-9]\d{3})-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
function toTimestamp(value) {
  if (typeof value === "string") {
    if (canonical.test(value)) return value;
    return /^\d{4}-/.test(value) ? fromMs(Date.parse(value)) : null;
  }
  if (typeof value !== "number" || !Number.isFinite(value) || value <= 0) return null;
  return fromMs(value < 1e11 ? value * 1e3 : value);
}
function fromMs(ms) {
  const year9999 = 2534023008e5;
  if (!(ms >= 0 && ms < year9999)) return null;
  return new Date(ms).toISOString();
}

// src/transcripts/tool-target.ts
var targetFields = [
  "file_path",
  "notebook_path",
  "path",
  "command",
  "pattern",
  "url",
  "query",
  "description",
  "skill",
  "subagent_type"
];
var maxTargetChars = 400;
function toToolTarget(input) {
  for (const name of targetFields) {
    const value = stringField(input, name);
    if (value !== null) return toExcerpt(value, maxTargetChars);
  }
  return null;
}

// src/transcripts/entry-shape.ts
var textBlocks = { type: true, text: true };
var toolResult = { tool_use_id: true, is_error: true };
var toolInput = Object.fromEntries(targetFields.map((name) => [name, true]));
var origin = { kind: true };
var entryShape = {
  type: true,
  uuid: true,
  sessionId: true,
  timestamp: true,
  cwd: true,
  gitBranch: true,
  version: true,
  message: {
    role: true,
    model: true,
    timestamp: true,
    content: { ...textBlocks, ...toolResult, id: true, name: true, input: toolInput },
    ...toolResult
  },
  isMeta: true,
  isSidechain: true,
  isCompactSummary: true,
  isApiErrorMessage: true,
  origin,
  promptSource: true,
  attachment: { type: true, prompt: textBlocks, isMeta: true, origin, promptSource: true },
  operation: true,
  content: textBlocks,
  subtype: true,
  summary: true,
  leafUuid: true,
  customTitle: true,
  agentName: true,
  aiTitle: true,
  lastPrompt: true,
  relocatedCwd: true,
  continuedInSessionId: true,
  prNumber: true,
  prUrl: true,
  prRepository: true,
  ...toolResult,
  tool_name: true,
  tool_input: toolInput
};
var historyShape = {
  display: true,
  pastedContents: true,
  sessionId: true,
  project: true,
  timestamp: true
};

// src/transcripts/content-blocks.ts
function toBlocks(content) {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}
function blockTexts(blocks) {
  const texts = [];
  for (const block of blocks) {
    if (stringField(block, "type") !== "text") continue;
    const text = stringField(block, "text");
    if (text !== null && text.trim() !== "") texts.push(text);
  }
  return texts;
}
function toToolCalls(blocks) {
  const calls = [];
  for (const block of blocks) {
    const type = stringField(block, "type");
    if (type !== "tool_use" && type !== "server_tool_use") continue;
    const name = stringField(block, "name");
    if (name === null) continue;
    const target = toToolTarget(objectField(block, "input") ?? {});
    calls.push({ id: stringField(block, "id"), name, target });
  }
  return calls;
}
function toToolResults(blocks) {
  const results = [];
  for (const block of blocks) {
    const id = stringField(block, "tool_use_id");
    if (id !== null) results.push({ id, isError: isTrue(block, "is_error") });
  }
  return results;
}

// src/transcripts/person-text.ts
var wrapperTags = [
  "system-reminder",
  "local-command-caveat",
  "local-command-stdout",
  "local-command-stderr",
  "task-notification",
  "bash-stdout",
  "bash-stderr",
  "command-name",
  "command-message",
  "command-contents",
  "ide_opened_file",
  "ide_selection",
  "ide_diagnostics",
  "user-prompt-submit-hook"
];
var machineOpenings = [
  "<task-notification>",
  "<system-reminder>",
  "<local-command-caveat>",
  "<local-command-stdout>",
  "<local-command-stderr>",
  "<bash-stdout>",
  "<bash-stderr>",
  "<command-name>",
  "<command-message>",
  "<command-args>",
  "Caveat:",
  "[Request interrupted",
  "[SUGGESTION MODE",
  "Base directory for this skill"
];
var recapOpening = "This session is being continued from a previous conversation";
function isRecapText(text) {
  return text.startsWith(recapOpening);
}
function toPersonText(raw) {
  const trimmed = raw.trim();
  if (trimmed === "") return null;
  if (trimmed.startsWith("<task-notification>")) return null;
  if (!trimmed.includes("<")) return startsAsMachine(trimmed) ? null : { kind: "prompt", text: trimmed };
  if (/^<command-(name|message|args)>/.test(trimmed))
    return toTyped("command", innerText(trimmed, "command-args"));
  if (trimmed.startsWith("<bash-input>")) return toTyped("shell", innerText(trimmed, "bash-input"));
  const rest = cutWrappers(trimmed).trim();
  if (rest === "" || startsAsMachine(rest)) return null;
  return { kind: "prompt", text: rest };
}
var slashCommand = /^\/[A-Za-z][\w:.-]*(?:\s+([\s\S]*))?$/;
function toTypedLine(raw) {
  const command = slashCommand.exec(raw.trim());
  if (command !== null) return toTyped("command", command[1] ?? "");
  return toPersonText(raw);
}
function startsAsMachine(text) {
  return machineOpenings.some((opening) => text.startsWith(opening));
}
function toTyped(kind, text) {
  const trimmed = text.trim();
  return trimmed === "" ? null : { kind, text: trimmed };
}
function cutWrappers(text) {
  let rest = text;
  for (const tag of wrapperTags) {
    const blocks = findBlocks(rest, tag).filter((block) => block.isClosed);
    if (blocks.length === 0) continue;
    let kept = "";
    let from = 0;
    for (const block of blocks) {
      kept += rest.slice(from, block.start);
      from = block.end;
    }
    rest = kept + rest.slice(from);
  }
  return rest;
}
function innerText(text, tag) {
  return findBlocks(text, tag).map((block) => text.slice(block.innerStart, block.innerEnd)).join("\n");
}
function findBlocks(text, tag) {
  const open = `<${tag}>`;
  const close = `</${tag}>`;
  const blocks = [];
  let start = text.indexOf(open);
  while (start >= 0) {
    const innerStart = start + open.length;
    const found = text.indexOf(close, innerStart);
    const isClosed = found >= 0;
    const innerEnd = isClosed ? found : text.length;
    const end = isClosed ? found + close.length : text.length;
    blocks.push({ start, innerStart, innerEnd, end, isClosed });
    start = isClosed ? text.indexOf(open, end) : -1;
  }
  return blocks;
}

// src/transcripts/parse-entry.ts
var silentTypes = /* @__PURE__ */ new Set([
  "progress",
  "file-history-snapshot",
  "file-history-delta",
  "permission-mode",
  "mode",
  "bridge-session",
  "frame-link",
  "fork-context-ref",
  "cost-state",
  "worktree-state",
  "started",
  "result"
]);
function parseEntry(line, sessionKind) {
  const type = stringField(line, "type") ?? (sessionKind === "precompact" ? roleOf(line) : null);
  if (type === null) return null;
  const parts = silentTypes.has(type) ? {} : parseType(type, line, sessionKind);
  return {
    uuid: null,
    sessionId: stringField(line, "sessionId"),
    timestamp: null,
    cwd: stringField(line, "cwd"),
    branch: null,
    version: stringField(line, "version"),
    model: null,
    message: null,
    toolCalls: [],
    toolResults: [],
    title: null,
    lastPrompt: null,
    relocatedCwd: null,
    continuedIn: null,
    pullRequest: null,
    isCompaction: false,
    ...parts,
    type,
    isUnknownType: parts === null
  };
}
function roleOf(line) {
  const role = stringField(objectField(line, "message") ?? {}, "role");
  return role === "user" || role === "assistant" ? role : null;
}
function parseType(type, line, sessionKind) {
  if (sessionKind === "transcript") return parseExportLine(type, line);
  switch (type) {
    case "user":
      return parseUser(line, sessionKind);
    case "assistant":
      return parseAssistant(line);
    case "tool_result":
      return { ...envelope(line), toolResults: toToolResults([objectField(line, "message") ?? line]) };
    case "attachment":
      return parseAttachment(line);
    case "queue-operation":
      return parseQueueOperation(line);
    case "system":
      return {
        uuid: stringField(line, "uuid"),
        isCompaction: stringField(line, "subtype") === "compact_boundary"
      };
    case "summary":
      return parseSummary(line);
    case "custom-title":
      return { title: toTitle("custom-title", stringField(line, "customTitle")) };
    case "agent-name":
      return { title: toTitle("agent-name", stringField(line, "agentName")) };
    case "ai-title":
      return { title: toTitle("ai-title", stringField(line, "aiTitle")) };
    case "last-prompt":
      return { lastPrompt: toTypedLine(stringField(line, "lastPrompt") ?? "")?.text ?? null };
    case "relocated":
      return { relocatedCwd: stringField(line, "relocatedCwd") };
    case "continued-in":
      return { continuedIn: stringField(line, "continuedInSessionId") };
    case "pr-link":
      return { pullRequest: toPullRequest(line) };
    default:
      return null;
  }
}
function envelope(line) {
  const message = objectField(line, "message");
  const timestamp = field(line, "timestamp") ?? (message === null ? void 0 : field(message, "timestamp"));
  return {
    uuid: stringField(line, "uuid"),
    timestamp: toTimestamp(timestamp),
    branch: stringField(line, "gitBranch")
  };
}
function parseUser(line, sessionKind) {
  const message = objectField(line, "message");
  const blocks = toBlocks(message === null ? void 0 : field(message, "content"));
  const parts = { ...envelope(line), toolResults: toToolResults(blocks) };
  const texts = blockTexts(blocks);
  if (texts.length === 0 || isTrue(line, "isMeta")) return parts;
  const isSidechain = isTrue(line, "isSidechain");
  const isRecap = isTrue(line, "isCompactSummary") || isRecapText(texts[0] ?? "");
  if (isRecap) return { ...parts, message: toRecap(texts, isSidechain) };
  if (!isFromPerson(line)) return parts;
  const typed = joinTyped(texts);
  if (typed === null) return parts;
  const isTask = sessionKind === "agent" || isSidechain;
  return {
    ...parts,
    message: { role: "user", kind: isTask ? "task" : typed.kind, text: typed.text, isSidechain }
  };
}
function toRecap(texts, isSidechain) {
  return { role: "user", kind: "recap", text: texts.join("\n\n"), isSidechain };
}
function isFromPerson(line) {
  const origin2 = objectField(line, "origin");
  if (origin2 !== null && (stringField(origin2, "kind") ?? "human") !== "human") return false;
  return stringField(line, "promptSource") !== "system";
}
function joinTyped(texts) {
  const typed = texts.map(toPersonText).filter((text) => text !== null);
  const first = typed[0];
  if (first === void 0) return null;
  return { kind: first.kind, text: typed.map((part) => part.text).join("\n\n") };
}
function parseAssistant(line) {
  const message = objectField(line, "message");
  const model = message === null ? null : stringField(message, "model");
  const blocks = toBlocks(message === null ? void 0 : field(message, "content"));
  const parts = { ...envelope(line), toolCalls: toToolCalls(blocks) };
  if (isTrue(line, "isApiErrorMessage") || model === "<synthetic>") return parts;
  const text = blockTexts(blocks).join("\n\n").trim();
  if (text === "") return { ...parts, model };
  const isSidechain = isTrue(line, "isSidechain");
  return { ...parts, model, message: { role: "assistant", kind: "answer", text, isSidechain } };
}
function parseAttachment(line) {
  const attachment = objectField(line, "attachment");
  const uuid = stringField(line, "uuid");
  if (attachment === null || stringField(attachment, "type") !== "queued_command") return { uuid };
  if (!isFromPerson(attachment) || !isFromPerson(line) || isTrue(attachment, "isMeta")) return { uuid };
  const typed = joinTyped(blockTexts(toBlocks(field(attachment, "prompt"))));
  if (typed === null) return envelope(line);
  return { ...envelope(line), message: { role: "user", ...typed, isSidechain: false } };
}
function parseQueueOperation(line) {
  const content = stringField(line, "content")?.trim() ?? "";
  if (stringField(line, "operation") !== "enqueue" || content === "" || /^[</]/.test(content)) return {};
  const typed = toPersonText(content);
  if (typed === null) return {};
  const timestamp = toTimestamp(field(line, "timestamp"));
  return { timestamp, message: { role: "user", kind: "queued", text: typed.text, isSidechain: false } };
}
function parseSummary(line) {
  const text = stringField(line, "summary")?.trim() ?? "";
  const leafUuid = stringField(line, "leafUuid");
  if (text === "" || leafUuid === null) return {};
  return { title: { source: "summary", text, leafUuid } };
}
function toTitle(source, text) {
  const trimmed = text?.trim() ?? "";
  return trimmed === "" ? null : { source, text: trimmed };
}
function toPullRequest(line) {
  const number = integerField(line, "prNumber");
  const url = stringField(line, "prUrl");
  const repository = stringField(line, "prRepository");
  return number === null && url === null && repository === null ? null : { number, url, repository };
}
function parseExportLine(type, line) {
  const parts = envelope(line);
  const texts = blockTexts(toBlocks(field(line, "content")));
  if (type === "user") {
    if (isRecapText(texts[0] ?? "")) return { ...parts, message: toRecap(texts, false) };
    const typed = joinTyped(texts);
    return typed === null ? parts : { ...parts, message: { role: "user", ...typed, isSidechain: false } };
  }
  if (type === "assistant") {
    const text = texts.join("\n\n").trim();
    return text === "" ? parts : { ...parts, message: { role: "assistant", kind: "answer", text, isSidechain: false } };
  }
  if (type === "tool_use") {
    const name = stringField(line, "tool_name");
    const input = objectField(line, "tool_input") ?? {};
    return name === null ? parts : { ...parts, toolCalls: [{ id: null, name, target: toToolTarget(input) }] };
  }
  return type === "tool_result" ? parts : null;
}

// src/transcripts/parse-history.ts
var placeholder = /\[Pasted text #(\d+)(?: \+\d+ lines?)?\]/g;
function parseHistoryLine(line) {
  const display = stringField(line, "display");
  if (display === null) return null;
  const whole = display.replace(placeholder, (mark, number) => pastedText(line, number) ?? mark);
  const typed = toTypedLine(whole);
  if (typed === null) return null;
  return {
    ...typed,
    claudeId: stringField(line, "sessionId"),
    project: stringField(line, "project"),
    timestamp: toTimestamp(field(line, "timestamp"))
  };
}
function pastedText(line, number) {
  const pasted = objectField(line, "pastedContents");
  const item = pasted === null ? null : objectField(pasted, number);
  return item === null ? null : stringField(item, "content");
}

// src/transcripts/pass-json.ts
var codes = {
  quote: 34,
  plus: 43,
  comma: 44,
  minus: 45,
  dot: 46,
  zero: 48,
  nine: 57,
  colon: 58,
  openBracket: 91,
  backslash: 92,
  closeBracket: 93,
  openBrace: 123,
  closeBrace: 125,
  t: 116,
  f: 102,
  n: 110
};
var literals = new Map(["true", "false", "null"].map((word) => [word.charCodeAt(0), word]));
var escapeBytes = new Uint8Array(256);
for (const letter of '"\\/bfnrt') escapeBytes[letter.charCodeAt(0)] = 1;
escapeBytes["u".charCodeAt(0)] = 5;
var isSpace = new Uint8Array(256);
for (const space of " 	\n\r") isSpace[space.charCodeAt(0)] = 1;
var isHexDigit = new Uint8Array(256);
for (const digit2 of "0123456789abcdefABCDEF") isHexDigit[digit2.charCodeAt(0)] = 1;
var usualNesting = new Uint8Array(1024);
function byteAt(text, at, end) {
  return at < end ? text.getUint8(at) : 0;
}
function passSpace(text, at, end) {
  return at < end && text.getUint8(at) <= 32 ? passSpaces(text, at, end) : at;
}
function passSpaces(text, from, end) {
  let at = from;
  while (at < end && isSpace[text.getUint8(at)] === 1) at++;
  return at;
}
function passPlain(text, from, end) {
  let at = from;
  for (const last = end - 4; at <= last; at += 4) {
    const word = text.getInt32(at, true);
    const marks = ((word ^ 33686018) - 555819297 | (word ^ 1549556828) - 16843009) & ~word & 2155905152;
    if (marks !== 0) return at + (31 - Math.clz32(marks & -marks) >> 3);
  }
  for (; at < end; at++) {
    const byte = text.getUint8(at);
    if (byte < 32 || byte === codes.quote || byte === codes.backslash) break;
  }
  return at;
}
function passString(text, from, end) {
  return passStringFrom(text, passPlain(text, from, end), end);
}
function passStringFrom(text, stop, end) {
  let at = stop;
  for (; ; ) {
    const byte = byteAt(text, at, end);
    if (byte === codes.quote) return at + 1;
    if (byte !== codes.backslash) throw new SyntaxError();
    at = passPlain(text, passEscape(text, at + 1, end), end);
  }
}
function passEscape(text, at, end) {
  const length = escapeBytes[byteAt(text, at, end)] ?? 0;
  if (length === 1) return at + 1;
  if (length === 0) throw new SyntaxError();
  for (let digit2 = at + 1; digit2 < at + length; digit2++)
    if (isHexDigit[byteAt(text, digit2, end)] === 0) throw new SyntaxError();
  return at + length;
}
function passValue(text, from, end) {
  let nesting = usualNesting;
  let depth = 0;
  let at = from;
  for (; ; ) {
    const byte = byteAt(text, at, end);
    if (byte === codes.openBrace || byte === codes.openBracket) {
      const isArray = byte === codes.openBracket;
      at = passSpace(text, at + 1, end);
      if (byteAt(text, at, end) === (isArray ? codes.closeBracket : codes.closeBrace)) {
        at++;
      } else {
        if (depth === nesting.length) nesting = toLarger(nesting);
        nesting[depth++] = isArray ? 1 : 0;
        if (!isArray) at = passKey(text, at, end);
        continue;
      }
    } else {
      at = byte === codes.quote ? passString(text, at + 1, end) : passWord(text, at, end);
    }
    for (; ; ) {
      if (depth === 0) return at;
      const isArray = nesting[depth - 1] === 1;
      at = passSpace(text, at, end);
      const next = byteAt(text, at, end);
      if (next === codes.comma) {
        at = passSpace(text, at + 1, end);
        if (!isArray) at = passKey(text, at, end);
        break;
      }
      if (next !== (isArray ? codes.closeBracket : codes.closeBrace)) throw new SyntaxError();
      at++;
      depth--;
    }
  }
}
function toLarger(nesting) {
  const larger = new Uint8Array(nesting.length * 2);
  larger.set(nesting);
  return larger;
}
function passKey(text, at, end) {
  if (byteAt(text, at, end) !== codes.quote) throw new SyntaxError();
  return passColon(text, passString(text, at + 1, end), end);
}
function passColon(text, from, end) {
  const at = passSpace(text, from, end);
  if (byteAt(text, at, end) !== codes.colon) throw new SyntaxError();
  return passSpace(text, at + 1, end);
}
function passWord(text, at, end) {
  const word = literals.get(byteAt(text, at, end));
  if (word === void 0) return passNumber(text, at, end);
  for (let i = 1; i < word.length; i++)
    if (byteAt(text, at + i, end) !== word.charCodeAt(i)) throw new SyntaxError();
  return at + word.length;
}
function passNumber(text, from, end) {
  let at = byteAt(text, from, end) === codes.minus ? from + 1 : from;
  at = byteAt(text, at, end) === codes.zero ? at + 1 : passDigits(text, at, end);
  if (byteAt(text, at, end) === codes.dot) at = passDigits(text, at + 1, end);
  if ((byteAt(text, at, end) | 32) !== 101) return at;
  const sign = byteAt(text, at + 1, end);
  return passDigits(text, sign === codes.plus || sign === codes.minus ? at + 2 : at + 1, end);
}
function passDigits(text, from, end) {
  let at = from;
  while (isDigit(byteAt(text, at, end))) at++;
  if (at === from) throw new SyntaxError();
  return at;
}
function isDigit(byte) {
  return byte >= codes.zero && byte <= codes.nine;
}

// src/transcripts/seen-strings.ts
var slotCount = 16;
var maxBytes = 64;
var SeenStrings = class {
  bySlot = Array.from({ length: slotCount }, () => "");
  /** The bytes as a string. */
  read(memory, start, end) {
    const length = end - start;
    if (length > maxBytes) return memory.toString("utf8", start, end);
    const slot = length + (memory[end - 1] ?? 0) & slotCount - 1;
    const seen = this.bySlot[slot] ?? "";
    if (isSame(seen, memory, start, end)) return seen;
    const text = memory.toString("utf8", start, end);
    if (text.length === length) this.bySlot[slot] = text;
    return text;
  }
};
function isSame(text, memory, start, end) {
  if (text.length !== end - start) return false;
  for (let i = text.length - 1; i >= 0; i--) if (text.charCodeAt(i) !== memory[start + i]) return false;
  return true;
}

// src/transcripts/wanted-fields.ts
var slotCount2 = 128;
var WantedFields = class {
  byKey;
  bySlot;
  constructor(shape) {
    const fields = Object.entries(shape).map(([key, inner]) => toField(key, inner));
    const bySlot = Array.from({ length: slotCount2 }, () => []);
    for (const field2 of fields) bySlot[slotOf(field2.keyBytes, 0, field2.keyBytes.length)]?.push(field2);
    this.bySlot = bySlot;
    this.byKey = new Map(fields.map((field2) => [field2.key, field2]));
  }
  find(key) {
    return this.byKey.get(key);
  }
  /** The field whose key, written without escapes, stands there. */
  findAt(memory, start, end) {
    const fields = this.bySlot[slotOf(memory, start, end)] ?? [];
    for (const field2 of fields) if (isSame2(field2.keyBytes, memory, start, end)) return field2;
    return void 0;
  }
};
function toWanted(shape) {
  return shape === true ? null : new WantedFields(shape);
}
function toField(key, shape) {
  return { key, keyBytes: Buffer.from(key), inner: toWanted(shape), seen: new SeenStrings() };
}
function slotOf(memory, start, end) {
  const first = end > start ? memory[start] ?? 0 : 0;
  return (end - start) * 5 + first & slotCount2 - 1;
}
function isSame2(key, memory, start, end) {
  if (key.length !== end - start) return false;
  for (let i = 0; i < key.length; i++) if (key[i] !== memory[start + i]) return false;
  return true;
}

// src/transcripts/read-fields.ts
var FieldReader = class {
  wanted;
  seen = new SeenStrings();
  memory = Buffer.alloc(0);
  text = new DataView(this.memory.buffer);
  at = 0;
  end = 0;
  constructor(shape) {
    this.wanted = toWanted(shape);
  }
  /** The value cut down to the shape; undefined when the bytes are not JSON. */
  read(line) {
    this.start(line);
    try {
      this.at = passSpace(this.text, this.at, this.end);
      const value = this.readValue(this.wanted, this.seen);
      return passSpace(this.text, this.at, this.end) === this.end ? value : void 0;
    } catch (error) {
      if (error instanceof SyntaxError) return void 0;
      throw error;
    }
  }
  /** Lines are mostly cut from one reused buffer, and a view of each would take as long as reading a short one. */
  start(line) {
    if (line.buffer !== this.text.buffer) {
      this.memory = Buffer.from(line.buffer);
      this.text = new DataView(line.buffer);
    }
    this.at = line.byteOffset;
    this.end = line.byteOffset + line.length;
  }
  readValue(wanted, seen) {
    const byte = byteAt(this.text, this.at, this.end);
    if (byte === codes.quote) return this.readString(seen);
    if (wanted !== null && byte === codes.openBrace) return this.readObject(wanted);
    if (wanted !== null && byte === codes.openBracket) return this.readArray(wanted, seen);
    return this.readWhole(byte);
  }
  readString(seen) {
    const start = this.at + 1;
    const stop = passPlain(this.text, start, this.end);
    this.at = passStringFrom(this.text, stop, this.end);
    if (this.at === stop + 1) return seen.read(this.memory, start, stop);
    return JSON.parse(this.memory.toString("utf8", start - 1, this.at));
  }
  readWhole(firstByte) {
    const start = this.at;
    this.at = passValue(this.text, start, this.end);
    if (firstByte === codes.t) return true;
    if (firstByte === codes.f) return false;
    if (firstByte === codes.n) return null;
    return JSON.parse(this.memory.toString("utf8", start, this.at));
  }
  /** Objects in the array are cut down, arrays in it are not: nobody writes them, and they might nest without end. */
  readArray(wanted, seen) {
    const items = [];
    if (this.isEmpty(codes.closeBracket)) return items;
    do {
      const isObject2 = byteAt(this.text, this.at, this.end) === codes.openBrace;
      items.push(this.readValue(isObject2 ? wanted : null, seen));
    } while (this.hasNext(codes.closeBracket));
    return items;
  }
  readObject(wanted) {
    const object = {};
    if (this.isEmpty(codes.closeBrace)) return object;
    do {
      const field2 = this.readKey(wanted);
      if (field2 === void 0) this.at = passValue(this.text, this.at, this.end);
      else setOwn(object, field2.key, this.readValue(field2.inner, field2.seen));
    } while (this.hasNext(codes.closeBrace));
    return object;
  }
  /** From the quote of a key to the first byte of its value. */
  readKey(wanted) {
    if (byteAt(this.text, this.at, this.end) !== codes.quote) throw new SyntaxError();
    const start = this.at + 1;
    const stop = passPlain(this.text, start, this.end);
    const behind = passStringFrom(this.text, stop, this.end);
    this.at = passColon(this.text, behind, this.end);
    if (behind === stop + 1) return wanted.findAt(this.memory, start, stop);
    return wanted.find(JSON.parse(this.memory.toString("utf8", start - 1, behind)));
  }
  /** From the opening bracket to the first byte of what it holds, or behind it. */
  isEmpty(close) {
    this.at = passSpace(this.text, this.at + 1, this.end);
    if (byteAt(this.text, this.at, this.end) !== close) return false;
    this.at++;
    return true;
  }
  /** From behind an item to the first byte of the next, or behind the closing bracket. */
  hasNext(close) {
    this.at = passSpace(this.text, this.at, this.end);
    const byte = byteAt(this.text, this.at, this.end);
    if (byte !== codes.comma && byte !== close) throw new SyntaxError();
    this.at++;
    if (byte === close) return false;
    this.at = passSpace(this.text, this.at, this.end);
    return true;
  }
};
function setOwn(object, key, value) {
  if (key === "__proto__")
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}

// src/transcripts/session-facts.ts
var noFacts = {
  parentClaudeId: null,
  firstCwd: null,
  lastCwd: null,
  relocatedCwd: null,
  continuedIn: null,
  branch: null,
  versions: [],
  models: [],
  createdAt: null,
  modifiedAt: null,
  firstPrompt: null,
  lastPrompt: null,
  customTitle: null,
  agentName: null,
  aiTitle: null,
  prNumber: null,
  prUrl: null,
  prRepository: null,
  compactionCount: 0
};
var maxPromptChars = 2e3;
function toFacts(entry, sessionKind) {
  const prompt = promptOf(entry, sessionKind);
  const timestamp = entry.type === "queue-operation" ? null : entry.timestamp;
  const title = (source) => entry.title?.source === source ? entry.title.text : null;
  return {
    parentClaudeId: sessionKind === "main" || sessionKind === "transcript" ? null : entry.sessionId,
    firstCwd: entry.cwd,
    lastCwd: entry.type === "user" || entry.type === "assistant" ? entry.cwd : null,
    relocatedCwd: entry.relocatedCwd,
    continuedIn: entry.continuedIn,
    branch: entry.branch,
    versions: entry.version === null ? [] : [entry.version],
    models: entry.model === null ? [] : [entry.model],
    createdAt: timestamp,
    modifiedAt: timestamp,
    firstPrompt: prompt,
    lastPrompt: entry.lastPrompt === null ? prompt : toExcerpt(entry.lastPrompt, maxPromptChars),
    customTitle: title("custom-title"),
    agentName: title("agent-name"),
    aiTitle: title("ai-title"),
    prNumber: entry.pullRequest?.number ?? null,
    prUrl: entry.pullRequest?.url ?? null,
    prRepository: entry.pullRequest?.repository ?? null,
    compactionCount: entry.isCompaction ? 1 : 0
  };
}
function promptOf(entry, sessionKind) {
  const message = entry.message;
  if (message === null || message.role !== "user" || message.kind === "recap" || message.kind === "shell")
    return null;
  if (sessionKind !== "agent" && message.kind === "task") return null;
  return toExcerpt(message.text, maxPromptChars);
}
function mergeFacts(earlier, later) {
  return {
    parentClaudeId: earlier.parentClaudeId ?? later.parentClaudeId,
    firstCwd: earlier.firstCwd ?? later.firstCwd,
    lastCwd: later.lastCwd ?? earlier.lastCwd,
    relocatedCwd: later.relocatedCwd ?? earlier.relocatedCwd,
    continuedIn: later.continuedIn ?? earlier.continuedIn,
    branch: later.branch ?? earlier.branch,
    versions: union(earlier.versions, later.versions),
    models: union(earlier.models, later.models),
    createdAt: pick(earlier.createdAt, later.createdAt, (a, b) => a <= b),
    modifiedAt: pick(earlier.modifiedAt, later.modifiedAt, (a, b) => a >= b),
    firstPrompt: earlier.firstPrompt ?? later.firstPrompt,
    lastPrompt: later.lastPrompt ?? earlier.lastPrompt,
    customTitle: later.customTitle ?? earlier.customTitle,
    agentName: later.agentName ?? earlier.agentName,
    aiTitle: later.aiTitle ?? earlier.aiTitle,
    prNumber: later.prNumber ?? earlier.prNumber,
    prUrl: later.prUrl ?? earlier.prUrl,
    prRepository: later.prRepository ?? earlier.prRepository,
    compactionCount: earlier.compactionCount + later.compactionCount
  };
}
var maxNames = 100;
function union(earlier, later) {
  if (later.length === 0 || earlier.length >= maxNames) return earlier;
  const added = later.filter((item) => !earlier.includes(item));
  return added.length === 0 ? earlier : [...earlier, ...added];
}
function pick(a, b, isBetter) {
  if (a === null || b === null) return a ?? b;
  return isBetter(a, b) ? a : b;
}

// src/transcripts/uuid-hash.ts
var uuidTail = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-([0-9a-f]{12})$/i;
function toUuidHash(uuid) {
  const tail = uuidTail.exec(uuid)?.[1];
  if (tail !== void 0) return Number.parseInt(tail, 16);
  let high = 2166136261;
  let low = 16777619;
  for (let i = 0; i < uuid.length; i++) {
    high = Math.imul(high ^ uuid.charCodeAt(i), 16777619);
    low = Math.imul(low ^ uuid.charCodeAt(i), 2246822507);
  }
  return (high >>> 16) * 2 ** 32 + (low >>> 0);
}

// src/indexing/batch-builder.ts
var batchChars = 4 * 1024 * 1024;
var batchLines = 5e4;
var maxSkippedNamed = 20;
var entryReader = new FieldReader(entryShape);
var historyReader = new FieldReader(historyShape);
var BatchBuilder = class {
  kind;
  reader;
  forms;
  lines;
  version;
  chars = 0;
  linesInBatch = 0;
  batch = emptyBatch();
  constructor(kind, from, forms2) {
    this.forms = forms2;
    this.kind = kind;
    this.reader = kind === "history" ? historyReader : entryReader;
    this.lines = from.lines;
    this.version = from.version;
  }
  get isFull() {
    return this.chars >= batchChars || this.linesInBatch >= batchLines;
  }
  onLine(line) {
    this.nextLine();
    const value = this.reader.read(withoutMark(line, this.lines === 1));
    if (isObject(value)) this.addSafely(value);
    else if (value !== void 0) this.skip("not a JSON object");
    else if (!isBlank(line)) this.skip("not valid JSON");
  }
  onTooLong() {
    this.nextLine();
    this.skip(`longer than ${maxLineBytes / 1024 / 1024} MiB`);
  }
  /** True when the unterminated line was whole and has been taken. */
  takeUnterminated(line) {
    const value = this.reader.read(withoutMark(line, this.lines === 0));
    if (!isObject(value)) return false;
    this.nextLine();
    this.addSafely(value);
    return true;
  }
  take(bytesRead, isUnterminated, fingerprint, isLast) {
    const { unknownTypes, calls, open: _, ...batch } = this.batch;
    const { chars } = this;
    this.batch = emptyBatch();
    this.chars = 0;
    this.linesInBatch = 0;
    return {
      ...batch,
      unknownTypes: [...unknownTypes].map(
        ([key, count]) => [...JSON.parse(key), count]
      ),
      toolCalls: calls,
      forms: this.forms.take(),
      bytesRead,
      linesRead: this.lines,
      lastVersion: this.version,
      isUnterminated,
      fingerprint,
      isLast,
      chars
    };
  }
  nextLine() {
    this.lines++;
    this.linesInBatch++;
  }
  /** Whatever a line makes the parser do, it costs that line. */
  addSafely(value) {
    try {
      this.add(value);
    } catch (error) {
      this.skip(`cannot be parsed (${error instanceof Error ? error.message : error})`);
    }
  }
  add(value) {
    if (this.lines > maxSeq) {
      this.skip(`beyond line ${maxSeq}`);
      return;
    }
    if (this.kind === "history") {
      const prompt = parseHistoryLine(value);
      if (prompt === null) return;
      this.batch.prompts.push(prompt);
      this.chars += prompt.text.length;
      return;
    }
    const entry = parseEntry(value, this.kind);
    if (entry === null) this.skip("has no type");
    else this.addEntry(entry);
  }
  addEntry(entry) {
    this.version = entry.version ?? this.version;
    this.batch.facts = mergeFacts(this.batch.facts, toFacts(entry, this.kind));
    if (entry.isUnknownType) {
      const key = JSON.stringify([entry.type, this.version ?? "unknown"]);
      this.batch.unknownTypes.set(key, (this.batch.unknownTypes.get(key) ?? 0) + 1);
      return;
    }
    if (entry.uuid !== null) {
      const hash = toUuidHash(entry.uuid);
      this.batch.uuidHashes.push(hash);
      if (entry.message !== null) this.batch.messageHashes.push(hash);
    }
    if (entry.title?.source === "summary") {
      this.batch.summaries.push({ seq: this.lines, leafUuid: entry.title.leafUuid, text: entry.title.text });
    }
    if (entry.message !== null) this.addMessage(entry);
    this.addToolCalls(entry);
    for (const result of entry.toolResults) this.addToolResult(result);
  }
  addMessage(entry) {
    if (entry.message === null) return;
    this.batch.messages.push({
      seq: this.lines,
      uuid: entry.uuid,
      timestamp: entry.timestamp,
      ...entry.message,
      part: toPartTokens(entry.message.text, this.forms)
    });
    this.chars += entry.message.text.length;
  }
  addToolCalls(entry) {
    for (const { id, name, target } of entry.toolCalls) {
      const part = target === null ? "" : toPartTokens(target, this.forms);
      const call = { seq: this.lines, toolUseId: id, name, target, part, isError: false };
      if (id !== null) {
        const open = this.batch.open.get(id);
        if (open === void 0) this.batch.open.set(id, [call]);
        else open.push(call);
      }
      this.batch.calls.push(call);
    }
  }
  /**
   * The first result of a call decides, and closes it. Results follow their call closely, so the call is mostly still in
   * this batch; calls of earlier batches are closed in the index, by the same rule.
   */
  addToolResult(result) {
    const calls = this.batch.open.get(result.id) ?? [];
    for (const call of calls) {
      call.isError ||= result.isError;
      if (!keepsToolUseId(call.name)) call.toolUseId = null;
    }
    this.batch.open.set(
      result.id,
      calls.filter((call) => call.toolUseId !== null)
    );
    this.batch.toolResults.push(result);
  }
  skip(reason) {
    this.batch.skippedCount++;
    if (this.batch.skipped.length < maxSkippedNamed) this.batch.skipped.push({ line: this.lines, reason });
  }
};
function emptyBatch() {
  return {
    messages: [],
    calls: [],
    open: /* @__PURE__ */ new Map(),
    toolResults: [],
    summaries: [],
    uuidHashes: [],
    messageHashes: [],
    prompts: [],
    facts: noFacts,
    skippedCount: 0,
    skipped: [],
    unknownTypes: /* @__PURE__ */ new Map()
  };
}
function withoutMark(line, isFirst) {
  const hasMark = isFirst && line[0] === 239 && line[1] === 187 && line[2] === 191;
  return hasMark ? line.subarray(3) : line;
}
function isBlank(line) {
  return line.toString("utf8").trim() === "";
}

// src/indexing/read-transcript.ts
var chunkBytes = 1024 * 1024;
var chunk = Buffer.allocUnsafe(chunkBytes);
function readTranscript({ path, kind, sizeBytes, from, fingerprint }, forms2, shouldStop, onBatch) {
  const fd = openSync(path, "r");
  try {
    if (fingerprint !== null && readFingerprint(fd, from.bytes) !== fingerprint) return "changed";
    return readBatches(fd, sizeBytes, new BatchBuilder(kind, from, forms2), from, shouldStop, onBatch);
  } finally {
    closeSync(fd);
  }
}
function readBatches(fd, sizeBytes, builder, from, shouldStop, onBatch) {
  const splitter = new LineSplitter(builder);
  const handOver = (bytesRead, isUnterminated2, isLast) => {
    onBatch(builder.take(bytesRead, isUnterminated2, readFingerprint(fd, bytesRead), isLast));
  };
  let position = from.bytes;
  for (; ; ) {
    const bytesRead = readSync2(fd, chunk, 0, chunk.length, position);
    if (bytesRead === 0) break;
    splitter.push(chunk.subarray(0, bytesRead));
    position += bytesRead;
    if (position < sizeBytes && shouldStop()) {
      handOver(from.bytes + splitter.completeBytes, false, false);
      return "unfinished";
    }
    if (builder.isFull) handOver(from.bytes + splitter.completeBytes, false, false);
  }
  const rest = splitter.rest();
  const isUnterminated = rest.length > 0 && builder.takeUnterminated(rest);
  handOver(from.bytes + splitter.completeBytes + (isUnterminated ? rest.length : 0), isUnterminated, true);
  return "whole";
}

// bench/.rd.ts
var root = "/var/tmp/recall-homes/v2/medium/.claude";
var files = readdirSync(root, { recursive: true }).filter((f) => f.endsWith(".jsonl") && !/acompact|aprompt|aside/.test(f)).map((f) => join(root, f));
var forms = new WordForms();
var n = 0;
var bytes = 0;
var lines = 0;
var t = performance.now();
var c = process.cpuUsage();
for (const path of files) {
  const sizeBytes = statSync(path).size;
  bytes += sizeBytes;
  readTranscript({ path, kind: "main", sizeBytes, from: { bytes: 0, lines: 0, version: null }, fingerprint: null }, forms, () => false, (b) => {
    n += b.messages.length;
    if (b.isLast) lines += b.linesRead;
  });
}
var u = process.cpuUsage(c);
console.log(files.length, "files", (bytes / 1e6).toFixed(0), "MB", lines, "lines", n, "messages", (performance.now() - t).toFixed(0), "ms cpu", ((u.user + u.system) / 1e3).toFixed(0));
