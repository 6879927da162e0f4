var __defProp = Object.defineProperty;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __esm = (fn, res, err) => function __init() {
  if (err) throw err[0];
  try {
    return fn && (res = (0, fn[__getOwnPropNames(fn)[0]])(fn = 0)), res;
  } catch (e) {
    throw err = [e], e;
  }
};
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: true });
};

// migrations/0001_create_index.ts
var create_index_exports = {};
__export(create_index_exports, {
  gatherWords: () => gatherWords,
  up: () => up,
  wordTables: () => wordTables
});
import { sql } from "kysely";
async function up(db) {
  for (const statement of [...statements, ...Object.values(wordTables), gatherWords])
    await sql.raw(statement).execute(db);
}
var wordTables, statements, gatherWords;
var init_create_index = __esm({
  "migrations/0001_create_index.ts"() {
    "use strict";
    wordTables = {
      message_fts: `create virtual table message_fts using fts5 (
    text, part,
    content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  )`,
      tool_call_fts: `create virtual table tool_call_fts using fts5 (
    target, part,
    content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  )`,
      session_fts: `create virtual table session_fts using fts5 (
    title, summary, first_prompt, context, part,
    content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  )`
    };
    statements = [
      `create table root (
    id integer primary key,
    path text not null unique
  ) strict`,
      `create table project (
    id integer primary key,
    path text not null unique
  ) strict`,
      `create table transcript (
    id integer primary key,
    root_id integer not null references root (id),
    path text not null,
    kind text not null,
    claude_id text not null,
    parent_claude_id text,
    slug text,
    is_machinery integer not null,
    size_bytes integer not null,
    mtime_ms real not null,
    ctime_ms real not null,
    inode real not null,
    bytes_read integer not null,
    lines_read integer not null,
    last_version text,
    is_unterminated integer not null,
    fingerprint text not null,
    parser_version integer not null,
    state text not null,
    error text,
    skipped_lines integer not null default 0,
    unique (root_id, path)
  ) strict`,
      `create table sidecar (
    id integer primary key,
    root_id integer not null references root (id),
    path text not null,
    kind text not null,
    slug text not null,
    claude_id text,
    size_bytes integer not null,
    mtime_ms real not null,
    ctime_ms real not null,
    inode real not null,
    custom_title text,
    agent_type text,
    agent_description text,
    tool_use_id text,
    unique (root_id, path)
  ) strict`,
      "create index sidecar_claude_id on sidecar (claude_id)",
      `create table hint (
    root_id integer not null references root (id),
    slug text not null,
    claude_id text not null,
    first_prompt text,
    summary text,
    custom_title text,
    created_at text,
    modified_at text,
    branch text,
    project_path text,
    pr_number integer,
    pr_url text,
    pr_repository text,
    primary key (claude_id, root_id, slug)
  ) strict, without rowid`,
      `create table session (
    id integer primary key,
    root_id integer not null references root (id),
    transcript_id integer unique references transcript (id),
    claude_id text not null,
    kind text not null,
    slug text,
    parent_claude_id text,
    first_cwd text,
    last_cwd text,
    relocated_cwd text,
    continued_in text,
    own_branch text,
    versions text not null default '[]',
    models text not null default '[]',
    first_timestamp text,
    last_timestamp text,
    own_first_prompt text,
    last_prompt text,
    custom_title text,
    agent_name text,
    ai_title text,
    own_pr_number integer,
    own_pr_url text,
    own_pr_repository text,
    compaction_count integer not null default 0,
    title text,
    title_source text not null default 'none',
    summary text,
    hinted_first_prompt text,
    first_prompt text generated always as (coalesce(own_first_prompt, hinted_first_prompt)) virtual,
    branch text,
    pr_number integer,
    pr_url text,
    pr_repository text,
    agent_type text,
    agent_description text,
    agent_tool_use_id text,
    project_id integer references project (id),
    conversation_id integer,
    created_at text,
    modified_at text,
    message_count integer not null default 0,
    text_chars integer not null default 0,
    tool_call_count integer not null default 0,
    is_empty integer not null default 0,
    is_warmup integer not null default 0,
    is_machinery integer not null default 0,
    is_hidden integer not null default 0,
    is_gone integer not null default 0,
    is_unsettled integer not null default 1
  ) strict`,
      "create index session_claude_id on session (claude_id)",
      "create index session_parent on session (parent_claude_id) where parent_claude_id is not null",
      "create index session_conversation on session (conversation_id)",
      "create index session_modified on session (modified_at)",
      "create index session_unsettled on session (id) where is_unsettled = 1",
      "create index session_hidden on session (id) where is_hidden = 1",
      "create index session_warmup on session (id) where is_warmup = 1",
      "create index session_scope on session (project_id, is_hidden, kind, modified_at, created_at, branch)",
      `create table message (
    id integer primary key,
    session_id integer not null references session (id),
    seq integer not null,
    uuid text,
    role text not null,
    kind text not null,
    timestamp text,
    is_sidechain integer not null default 0,
    text text not null
  ) strict`,
      `create table tool_call (
    id integer primary key,
    session_id integer generated always as (id >> 26) virtual,
    seq integer generated always as (id >> 6 & 1048575) virtual,
    tool_use_id text,
    name text not null,
    target text,
    is_error integer not null default 0
  ) strict`,
      `create table summary (
    session_id integer not null references session (id),
    seq integer not null,
    leaf_hash integer not null,
    text text not null,
    is_sought integer not null default 0,
    primary key (leaf_hash, session_id, seq)
  ) strict, without rowid`,
      "create index summary_session on summary (session_id)",
      "create index summary_unsought on summary (leaf_hash) where is_sought = 0",
      `create table entry_uuid (
    uuid_hash integer not null,
    session_id integer not null,
    primary key (uuid_hash, session_id)
  ) strict, without rowid`,
      `create table entry_block (
    id integer primary key,
    hashes blob not null
  ) strict`,
      `create table leaf (
    leaf_hash integer not null,
    session_id integer not null,
    primary key (leaf_hash, session_id)
  ) strict, without rowid`,
      "create index leaf_session on leaf (session_id)",
      `create table word_form (
    stem text not null,
    word text not null,
    primary key (stem, word)
  ) strict, without rowid`,
      `create table session_link (
    session_id integer not null,
    other_id integer not null,
    primary key (session_id, other_id)
  ) strict, without rowid`,
      `create table tombstone (
    claude_id text primary key,
    forgotten_at text not null,
    project_hash text,
    first_timestamp text,
    last_timestamp text
  ) strict, without rowid`,
      `create table forgotten_leaf (
    leaf_hash integer primary key
  ) strict, without rowid`,
      `create table snapshot (
    root_id integer primary key references root (id),
    parser_version integer not null,
    names blob not null,
    stamps blob not null
  ) strict`,
      `create table total (
    id integer primary key check (id = 1),
    sessions integer not null,
    spoken_sessions integer not null,
    messages integer not null,
    text_chars integer not null
  ) strict`,
      "insert into total values (1, 0, 0, 0, 0)",
      `create table skipped_line (
    transcript_id integer not null references transcript (id),
    line integer not null,
    reason text not null,
    primary key (transcript_id, line)
  ) strict, without rowid`,
      `create table unknown_type (
    transcript_id integer not null references transcript (id),
    type text not null,
    version text not null,
    count integer not null,
    primary key (transcript_id, type, version)
  ) strict, without rowid`
    ];
    gatherWords = `insert into message_fts (message_fts, rank) values ('hashsize', ${8 * 1024 * 1024})`;
  }
});

// migrations/index.ts
var migrations;
var init_migrations = __esm({
  "migrations/index.ts"() {
    "use strict";
    init_create_index();
    migrations = {
      "0001_create_index": create_index_exports
    };
  }
});

// src/store/migrate.ts
var migrate_exports = {};
__export(migrate_exports, {
  migrate: () => migrate
});
import { Kysely, Migrator, SqliteDialect } from "kysely";
async function migrate(db, schemaVersion2) {
  db.exec("begin immediate");
  try {
    const query = new Kysely({ dialect: new SqliteDialect({ database: db }) });
    const migrator = new Migrator({
      db: query,
      provider: { getMigrations: async () => ({ ...migrations }) }
    });
    const { error } = await migrator.migrateToLatest();
    if (error !== void 0) throw error;
    db.pragma(`user_version = ${schemaVersion2}`);
    db.exec("commit");
  } catch (error) {
    if (db.inTransaction) db.exec("rollback");
    throw error;
  }
}
var init_migrate = __esm({
  "src/store/migrate.ts"() {
    "use strict";
    init_migrations();
  }
});

// src/store/open-store.ts
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import Database from "better-sqlite3";

// src/errors.ts
var EXIT_ERROR = 2;
var UserError = class extends Error {
  code;
  hint;
  exitCode;
  constructor(message, options) {
    super(message, { cause: options.cause });
    this.name = "UserError";
    this.code = options.code;
    this.hint = options.hint;
    this.exitCode = options.exitCode ?? EXIT_ERROR;
  }
};
function toReason(error) {
  if (!(error instanceof Error)) return String(error);
  const code = error.code;
  if (code === void 0 || !error.message.startsWith(code)) return error.message;
  return error.message.slice(code.length + 2).replace(/, \w+( '.*)?$/s, "");
}

// src/store/store-error.ts
function toStoreError(error, path) {
  const code = error.code;
  if (typeof code !== "string" || !code.startsWith("SQLITE_")) return error;
  if (code.startsWith("SQLITE_CORRUPT") || code === "SQLITE_NOTADB") {
    return new UserError(`the index ${path} is damaged (${toReason(error)})`, {
      code: "index-damaged",
      hint: "recall doctor --repair",
      cause: error
    });
  }
  if (code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_LOCKED")) {
    return new UserError(`the index ${path} is being written by another process`, {
      code: "index-busy",
      hint: "try again when the other recall has finished",
      cause: error
    });
  }
  const reasons = {
    SQLITE_FULL: "the disk is full",
    SQLITE_READONLY: "it is read-only",
    SQLITE_CANTOPEN: "it cannot be opened",
    SQLITE_PERM: "permission denied"
  };
  const reason = Object.entries(reasons).find(([prefix2]) => code.startsWith(prefix2))?.[1];
  if (reason === void 0 && !code.startsWith("SQLITE_IOERR")) return error;
  return new UserError(`the index ${path} cannot be used: ${reason ?? toReason(error)}`, {
    code: "index-unusable",
    hint: "free the space or fix the rights, or use another index with --db <file>; nothing in ~/.claude was touched",
    cause: error
  });
}

// src/store/open-store.ts
var schemaVersion = 1;
var busyTimeoutMs = 1e4;
async function openStore(path) {
  makePrivate(path);
  const db = connect(path);
  try {
    const version = readVersion(db, path);
    if (version > schemaVersion) {
      throw new UserError(
        `the index ${path} was made by a newer recall (schema ${version}, this one knows ${schemaVersion})`,
        {
          code: "index-too-new",
          hint: "update recall, or use another index with --db <file>"
        }
      );
    }
    if (version === 0) db.pragma("page_size = 8192");
    useWriteAheadLog(db);
    db.pragma("synchronous = normal");
    db.pragma("foreign_keys = off");
    if (version < schemaVersion) await (await Promise.resolve().then(() => (init_migrate(), migrate_exports))).migrate(db, schemaVersion);
    return { path, db, close: () => db.close() };
  } catch (error) {
    db.close();
    throw toStoreError(error, path);
  }
}
function makePrivate(path) {
  const folder = dirname(path);
  try {
    mkdirSync(folder, { recursive: true, mode: 448 });
    if (basename(folder) === "recall") narrow(folder, 448);
    if (!existsSync(path)) closeSync(openSync(path, "a", 384));
    for (const file of [path, `${path}-wal`, `${path}-shm`]) narrow(file, 384);
  } catch (error) {
    throw new UserError(`the index ${path} cannot be created: ${toReason(error)}`, {
      code: "index-unusable",
      hint: "choose another place with --db <file> or RECALL_DB",
      cause: error
    });
  }
}
function narrow(path, mode) {
  try {
    if ((statSync(path).mode & 63) !== 0) chmodSync(path, mode);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
}
function connect(path) {
  try {
    return new Database(path, { timeout: busyTimeoutMs });
  } catch (error) {
    throw toStoreError(error, path);
  }
}
function readVersion(db, path) {
  try {
    return Number(db.pragma("user_version", { simple: true }));
  } catch (error) {
    throw toStoreError(error, path);
  }
}
function useWriteAheadLog(db) {
  const deadline = Date.now() + busyTimeoutMs;
  for (; ; ) {
    try {
      if (db.pragma("journal_mode", { simple: true }) !== "wal") db.pragma("journal_mode = wal");
      return;
    } catch (error) {
      if (error.code !== "SQLITE_BUSY" || Date.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

// src/store/row-ids.ts
var maxSeq = 2 ** 20 - 1;
var sessionOfMessage = (id) => `(${id} >> 20)`;
var sessionOfToolCall = (id) => `(${id} >> 26)`;
var sessionFactor = maxSeq + 1;
function toSessionId(messageId) {
  return Math.floor(messageId / sessionFactor);
}

// src/store/scope.ts
var noFilters = {
  projectIds: null,
  branch: null,
  model: null,
  file: null,
  kind: null,
  since: null,
  until: null,
  role: null,
  includeAll: false,
  excludedClaudeIds: []
};
function withoutSessions(scope, ids) {
  return ids.length === 0 ? scope : { ...scope, excluded: /* @__PURE__ */ new Set([...scope.excluded, ...ids]) };
}
function toScope(db, filters) {
  const conditions = [];
  const parameters = {};
  const where = (condition, values = {}) => {
    conditions.push(condition);
    Object.assign(parameters, values);
  };
  if (filters.projectIds !== null) {
    where("project_id in (select value from json_each(@projectIds))", {
      projectIds: JSON.stringify(filters.projectIds)
    });
  }
  if (filters.branch !== null) where("instr(lower(branch), lower(@branch)) > 0", { branch: filters.branch });
  if (filters.model !== null) where("instr(lower(models), lower(@model)) > 0", { model: filters.model });
  if (filters.kind !== null) where("kind = @kind", { kind: filters.kind });
  if (filters.since !== null) where("modified_at >= @since", { since: filters.since });
  if (filters.until !== null) where("created_at <= @until", { until: filters.until });
  if (filters.file !== null) where(`session.id in (${touchingFile})`, toFileParameters(filters.file));
  if (conditions.length > 0 && !filters.includeAll) where("is_hidden = 0");
  const only = conditions.length === 0 ? null : `select session.id from session where ${conditions.join(" and ")}`;
  return {
    only,
    parameters,
    includeHidden: filters.includeAll,
    excluded: findExcluded(db, filters),
    role: filters.role
  };
}
function findExcluded(db, filters) {
  const warmups = filters.includeAll ? [] : db.prepare("select id from session where is_warmup = 1").pluck().all();
  const named = db.prepare("select id from session where claude_id = @id or parent_claude_id = @id").pluck();
  return /* @__PURE__ */ new Set([...warmups, ...filters.excludedClaudeIds.flatMap((id) => named.all({ id }))]);
}
function inScope(scope, session) {
  const conditions = [];
  if (scope.only !== null) conditions.push(`${session} in (${scope.only})`);
  else if (!scope.includeHidden) {
    conditions.push(`not exists (
      select 1 from session hidden indexed by session_hidden where hidden.is_hidden = 1 and hidden.id = ${session})`);
  }
  if (scope.excluded.size > 0)
    conditions.push(`${session} not in (select value from json_each(@excludedIds))`);
  return conditions.length === 0 ? "true" : conditions.join(" and ");
}
function scopeParameters({ parameters, excluded }) {
  return excluded.size === 0 ? { ...parameters } : { ...parameters, excludedIds: JSON.stringify([...excluded]) };
}
var touchingFile = `select ${sessionOfToolCall("tool_call.id")} from tool_call
  where target is not null and (replace(target, '\\', '/') = @file
    or substr(replace(target, '\\', '/'), -length(@fileTail)) = @fileTail
    or instr(replace(target, '\\', '/'), @fileFolder) > 0)`;
function toFileParameters(file) {
  const path = file.replaceAll("\\", "/").replace(/^\.\//, "").replace(/(.)\/+$/, "$1");
  const isAbsolute = path.startsWith("/") || /^[A-Za-z]:\//.test(path);
  return {
    file: path,
    fileTail: isAbsolute ? path : `/${path}`,
    fileFolder: isAbsolute ? `${path}/` : `/${path}/`
  };
}

// src/store/match.ts
var messageRole = "(select role || iif(kind in ('recap', 'task'), ' machine', '') from message where id = message_fts.rowid) = @role";
var noLimit = -1;
var Matcher = class {
  db;
  scope;
  constructor(db, scope) {
    this.db = db;
    this.scope = scope;
  }
  /** Ids of the newest messages that match, the newest first. */
  listMessages(expression, limit) {
    const { excluded } = this.scope;
    const ids = this.all(
      `select rowid from message_fts where message_fts match @expression ${this.ofMessages()}
      order by rowid desc limit @limit`,
      { expression, limit }
    );
    const kept = excluded.size === 0 ? ids : ids.filter((id) => !excluded.has(toSessionId(id)));
    return { ids: kept, isCut: ids.length === limit };
  }
  /** Every session that holds a match in what was said or in what it is called. */
  listSessions(expression) {
    const { ids } = this.listMessages(expression, noLimit);
    return [.../* @__PURE__ */ new Set([...ids.map(toSessionId), ...this.listNamed(expression, noLimit)])];
  }
  /**
   * The best messages by FTS5's own measure, best first. The text column counts most: it holds the exact words. FTS5 goes
   * through every place of every word for this, so it is not for words that stand everywhere.
   */
  bestMessages(expression, limit) {
    const ids = this.all(
      `select rowid from message_fts
      where message_fts match @expression ${this.ofMessages()}
      order by bm25(message_fts, 1.0, 0.8) limit @limit`,
      { expression, limit: limit + this.scope.excluded.size }
    );
    return ids.filter((id) => !this.scope.excluded.has(toSessionId(id))).slice(0, limit);
  }
  /** Whether a session holds a match. */
  hasMatch(expression, sessionId) {
    const found = this.all(
      `select rowid from message_fts where message_fts match @expression and rowid between @from and @to
      ${this.ofMessages()} limit 1`,
      { expression, from: sessionId * sessionFactor, to: (sessionId + 1) * sessionFactor - 1 }
    );
    return found.length > 0;
  }
  /** The newest sessions named by a match in their title, summary, first prompt or surroundings. */
  listNamed(expression, limit) {
    if (this.scope.role !== null) return [];
    return this.all(
      `select rowid from session_fts where session_fts match @expression and ${inScope(this.scope, "+rowid")}
      order by rowid desc limit @limit`,
      { expression, limit, ...scopeParameters(this.scope) }
    );
  }
  /** Of these, the best, and of sessions older than `from` none. */
  bestNamed(expression, limit, from = 0) {
    if (this.scope.role !== null) return [];
    return this.all(
      `select rowid from session_fts
      where session_fts match @expression and rowid >= @from and ${inScope(this.scope, "+rowid")}
      order by bm25(session_fts, 4.0, 3.0, 2.0, 1.0, 1.0) limit @limit`,
      { expression, limit, from, ...scopeParameters(this.scope) }
    );
  }
  /** The sessions of the newest tool calls that were pointed at something with a match in it, one for each call. */
  listToolCalls(expression, limit) {
    if (this.scope.role !== null) return [];
    return this.all(
      `select ${sessionOfToolCall("rowid")} from tool_call_fts
      where tool_call_fts match @expression and ${inScope(this.scope, sessionOfToolCall("rowid"))}
      order by rowid desc limit @limit`,
      { expression, limit, ...scopeParameters(this.scope) }
    );
  }
  /** Words of the index that have this stem and are not it. */
  findForms(stem) {
    return this.db.prepare("select word from word_form where stem = ?").pluck().all(stem);
  }
  /** Those of these sessions that the filters let through. */
  keepInScope(ids) {
    return new Set(
      this.all(`select value from json_each(@ids) where ${inScope(this.scope, "value")}`, {
        ids: JSON.stringify(ids),
        ...scopeParameters(this.scope)
      })
    );
  }
  /**
   * The filters, for rows of message_fts. Sessions that are left out one by one are few and are taken out afterwards;
   * an expression rather than the bare row id, or SQLite runs the match once for every session in scope.
   */
  ofMessages() {
    const { only, role } = this.scope;
    return [
      only === null ? "" : `and ${sessionOfMessage("rowid")} in (${only})`,
      role === null ? "" : `and ${messageRole}`
    ].join(" ");
  }
  all(sql2, parameters) {
    const { only, role } = this.scope;
    return this.db.prepare(sql2).pluck().all({
      ...only === null ? {} : this.scope.parameters,
      ...role === null ? {} : { role },
      ...parameters
    });
  }
};
function readMessages(db, ids) {
  return db.prepare(
    `select id, session_id as sessionId, uuid, role, kind, timestamp, text, is_sidechain as isSidechain
      from message where id in (select value from json_each(?))`
  ).all(JSON.stringify(ids));
}

// src/store/read-sessions.ts
var selection = `
  select session.id, session.claude_id as claudeId, session.kind, session.parent_claude_id as parentClaudeId,
    iif(session.kind in ('agent', 'precompact'), coalesce((select parent.id from session parent
      where parent.claude_id = session.parent_claude_id and parent.kind in ('main', 'history')
      order by parent.root_id = session.root_id desc, parent.slug is session.slug desc, parent.is_gone, parent.id limit 1),
      session.id), session.id) as ownerId,
    coalesce(session.conversation_id, session.id) as conversationId, session.title, session.title_source as titleSource,
    session.summary, session.first_prompt as firstPrompt, project.path as project, session.branch,
    session.agent_type as agentType, session.agent_description as agentDescription, session.pr_number as prNumber,
    session.pr_repository as prRepository, session.created_at as createdAt, session.modified_at as modifiedAt,
    session.message_count as messageCount, session.text_chars as textChars, session.first_cwd as firstCwd, session.relocated_cwd as relocatedCwd,
    session.is_gone as isGone,
    max(0, (select count(*) - 1 from session copy where copy.conversation_id = session.conversation_id)) as copies
  from session left join project on project.id = session.project_id`;
function readSessions(db, ids) {
  const rows = db.prepare(`${selection} where session.id in (select value from json_each(?))`).all(JSON.stringify([...ids]));
  return new Map(rows.map((row) => [row.id, row]));
}
function readRecentIds(db, scope, limit, withAgents) {
  const newest2 = `select id, max(modified_at) as modified from session
    where ${inScope(scope, "session.id")} ${withAgents ? "" : "and kind in ('main', 'history', 'transcript')"}
    group by coalesce(conversation_id, id)`;
  const parameters = scopeParameters(scope);
  const ids = db.prepare(`select id from (${newest2}) order by modified desc, id desc limit @limit`).pluck().all({ ...parameters, limit });
  return { ids, total: Number(db.prepare(`select count(*) from (${newest2})`).pluck().get(parameters)) };
}
function findIdsBeginning(db, beginning, scope, limit) {
  if (beginning === "") return [];
  return db.prepare(
    `select id from session where claude_id >= @beginning and claude_id < @beginning || char(1114111)
        and ${inScope(scope, "session.id")} order by is_gone, modified_at desc limit @limit`
  ).pluck().all({ ...scopeParameters(scope), beginning, limit });
}
function readNewest(db, ids, limit) {
  return db.prepare(
    "select id from session where id in (select value from json_each(?)) order by modified_at desc, id desc limit ?"
  ).pluck().all(JSON.stringify([...ids]), limit);
}
function countConversations(db, ids) {
  return Number(
    db.prepare(
      `select count(distinct coalesce(
          (select parent.conversation_id from session parent
            where session.kind in ('agent', 'precompact') and parent.claude_id = session.parent_claude_id and parent.kind = 'main'),
          session.conversation_id, session.id))
        from session where id in (select value from json_each(?))`
    ).pluck().get(JSON.stringify([...ids]))
  );
}

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
var slots = 2 ** 17;

// src/text/words.ts
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
function isCjk(text) {
  return cjkCharacter(text).test(text);
}
function fold(word) {
  const lower2 = word.toLowerCase();
  if (isAscii(lower2)) return lower2;
  return lower2.normalize("NFD").replace(/(?<=\p{Script=Latin}\p{M}*)\p{M}/gu, "").normalize("NFC");
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
function toSymbolName(symbol2) {
  const lower2 = symbol2.toLowerCase();
  if (lower2 === ".net") return "dotnet";
  return lower2.endsWith("#") ? `${lower2[0]}sharp` : "cplusplus";
}
function toStem(lower2) {
  if (lower2.length < 4 || lower2.length > 32 || !/^[a-z]+$/.test(lower2)) return lower2;
  return stemmer(lower2);
}

// src/store/vocabulary.ts
function readVocabulary(db, word, lengthSlack) {
  db.exec(`create virtual table if not exists temp.message_vocabulary using fts5vocab(main, message_fts, row);
    create virtual table if not exists temp.session_vocabulary using fts5vocab(main, session_fts, row)`);
  const read = db.prepare(
    `select term, sum(doc) as documents from (
      select term, doc from temp.message_vocabulary where term >= @from and term < @to
      union all select term, doc from temp.session_vocabulary where term >= @from and term < @to)
    where length(term) between @least and @most group by term`
  );
  const starts = /* @__PURE__ */ new Set([word[0] ?? "", word[1] ?? ""]);
  return [...starts].flatMap((start) => {
    const to = String.fromCodePoint((start.codePointAt(0) ?? 0) + 1);
    const least = word.length - lengthSlack;
    return read.all({ from: start, to, least, most: word.length + lengthSlack });
  });
}

// src/search/edit-distance.ts
function editDistance(a2, b, limit) {
  if (Math.abs(a2.length - b.length) > limit) return limit + 1;
  let beforeLast = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a2.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a2[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a2[i - 1] === b[j - 2] && a2[i - 2] === b[j - 1])
        value = Math.min(value, (beforeLast[j - 2] ?? 0) + 1);
      row.push(value);
    }
    if (Math.min(...row) > limit) return limit + 1;
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

// src/search/find-spellings.ts
var maxSpellings = 3;
function findSpellings(db, term) {
  const [form] = term.forms;
  const word = form?.tokens[0] ?? "";
  if (term.forms.length !== 1 || form?.match !== "stem" || word.length < 4 || /\d/.test(word)) return [];
  const allowed = word.length < 8 ? 1 : 2;
  return readVocabulary(db, word, allowed).map(({ term: candidate, documents }) => ({
    candidate,
    documents,
    distance: editDistance(word, candidate, allowed)
  })).filter(({ distance }) => distance <= allowed).sort(
    (a2, b) => a2.distance - b.distance || b.documents - a2.documents || (a2.candidate < b.candidate ? -1 : 1)
  ).slice(0, maxSpellings).map(({ candidate }) => candidate);
}

// src/search/forms.ts
var token = toPattern(/[A-Za-z0-9]+/g, () => /[\p{L}\p{N}\p{M}\p{Co}]+/gu);
var leading = toPattern(/^[^A-Za-z0-9.]+/, () => /^[^\p{L}\p{N}.]+/u);
var trailing = toPattern(/[^A-Za-z0-9+#]+$/, () => /[^\p{L}\p{N}+#]+$/u);
var snakeCase = toPattern(
  /^[A-Za-z0-9]+(?:_+[A-Za-z0-9]+)+$/,
  () => /^[\p{L}\p{N}]+(?:_+[\p{L}\p{N}]+)+$/u
);
var symbol = /^(?:[cC]\+\+|[cCfF]#|\.(?:NET|net))$/;
var maxTokens = 32;
function toForms(text, mode) {
  const trimmed = text.replace(leading(text), "").replace(trailing(text), "");
  if (symbol.test(trimmed)) return [{ tokens: [toSymbolName(trimmed)], match: "symbol" }];
  const words = [...text.matchAll(token(text))].slice(0, maxTokens).map(([word]) => word);
  if (words.length === 0) return [];
  if (words.some(isCjk)) return toCjkForms(words);
  const whole = words.map(fold);
  if (mode === "exact") return [{ tokens: whole, match: "exact" }];
  if (mode === "prefix") return [{ tokens: whole, match: "prefix" }];
  const forms = [{ tokens: whole, match: whole.length === 1 ? "stem" : "exact" }];
  const humps = words.flatMap(toHumps).map(fold);
  if (humps.length > words.length) forms.push({ tokens: humps, match: "exact" });
  if (humps.length > 1 && snakeCase(text).test(text)) {
    forms.push({ tokens: [humps.join("")], match: "exact" });
  }
  return forms;
}
function toCjkForms(words) {
  const runs = words.flatMap(toScriptRuns).slice(0, maxTokens);
  return [{ tokens: runs.map((run) => isCjk(run) ? run : fold(run)), match: "cjk" }];
}
var maxWordForms = 24;
function toMatchExpression(forms, findWords) {
  return forms.map((form) => toOneExpression(form, findWords)).join(" OR ");
}
function toOneExpression({ tokens, match }, findWords) {
  const phrase = quote(tokens.join(" "));
  switch (match) {
    case "exact":
    case "symbol":
      return phrase;
    case "prefix":
      return `${phrase} *`;
    case "stem": {
      const [word = ""] = tokens;
      const stem = toStem(word);
      const words = [.../* @__PURE__ */ new Set([word, stem, ...findWords(stem)])].slice(0, maxWordForms);
      return words.map(quote).join(" OR ");
    }
    case "cjk":
      return `(${tokens.map(toRunExpression).join(" AND ")})`;
  }
}
function toRunExpression(run) {
  if (!isCjk(run)) return quote(run);
  const pairs = toPairs(run);
  return pairs.length === 1 ? `part : ${quote(run)} *` : `part : ${quote(pairs.slice(0, -1).join(" "))}`;
}
function quote(text) {
  return `"${text.replaceAll('"', '""').replaceAll("\0", "")}"`;
}

// src/search/find-terms.ts
var strengthFactor = { strong: 1, asking: 0.2, weak: 0 };
var maxSessionsPerTerm = 200;
var maxMessagesListed = 5e3;
var maxNamedListed = 1e3;
var maxToolCallsListed = 1e3;
function findTerms(store2, matcher, terms) {
  const corrections = [];
  let tier = null;
  const found = terms.filter((term) => strengthFactor[term.strength] > 0).flatMap((term) => {
    const asTyped = findTerm(matcher, term);
    if (isFound(asTyped)) return [asTyped];
    const pieces = splitCjk(term).map((piece2) => findTerm(matcher, piece2));
    if (pieces.some(isFound)) {
      tier ??= "any";
      return pieces;
    }
    const asPrefix = findTerm(matcher, { ...term, forms: toPrefixForms(term) });
    if (isFound(asPrefix)) {
      tier ??= "prefix";
      return [asPrefix];
    }
    for (const spelling of findSpellings(store2.db, term)) {
      const corrected = findTerm(matcher, { ...term, forms: toForms(spelling, "word") });
      if (!isFound(corrected)) continue;
      corrections.push([term.text, spelling]);
      tier = "fuzzy";
      return [corrected];
    }
    return [asTyped];
  });
  return { terms: found, tier, corrections };
}
function toPrefixForms(term) {
  return term.forms.map(
    (form) => form.match === "stem" || form.match === "exact" ? { ...form, match: "prefix" } : form
  );
}
var maxCjkPieces = 24;
function splitCjk(term) {
  const [form] = term.forms;
  const [run = ""] = form?.tokens ?? [];
  if (form?.match !== "cjk" || form.tokens.length !== 1 || [...run].length < 3) return [];
  return toPairs(run.slice(0, maxCjkPieces)).slice(0, -1).map((pair) => ({ ...term, text: pair, forms: [{ ...form, tokens: [pair] }] }));
}
function findTerm(matcher, term) {
  const expression = toExpression(matcher, term);
  const { ids: messages, isCut } = matcher.listMessages(expression, maxMessagesListed);
  const named = matcher.listNamed(expression, maxNamedListed);
  return {
    term,
    expression,
    messages,
    isCommon: isCut,
    bySession: countEach(messages.map(toSessionId)),
    toolCalls: countEach(matcher.listToolCalls(expression, maxToolCallsListed)),
    named: new Set(
      named.length <= maxSessionsPerTerm ? named : matcher.bestNamed(expression, maxSessionsPerTerm, named.at(-1))
    )
  };
}
function toExpression(matcher, { forms }) {
  return toMatchExpression(forms, (stem) => matcher.findForms(stem));
}
function countEach(ids) {
  const counts = /* @__PURE__ */ new Map();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
function isFound(term) {
  return term.bySession.size > 0 || term.toolCalls.size > 0 || term.named.size > 0;
}
function sessionsWith(matcher, term) {
  return matcher.listSessions(toExpression(matcher, term));
}

// src/store/totals.ts
function readTotals(db) {
  return db.prepare(
    "select sessions, spoken_sessions as spokenSessions, messages, text_chars as textChars from total"
  ).get();
}
function readSessionSpan(db) {
  return db.prepare(
    "select coalesce((select min(id) from session), 0) as first, coalesce((select max(id) from session), 0) as last"
  ).get();
}

// src/search/echo.ts
var ownCommand = /^\s*(?:npx )?recall (?:search|list|show|open|index|files)\b/;
var resultsFooter = "recall open <number>";
function isEcho(kind, text) {
  return kind === "shell" && ownCommand.test(text) || text.includes(resultsFooter);
}

// src/search/occurrences.ts
var nonAscii2 = /[^\x00-\x7f]/g;
var marks = /[\u0300-\u036f]/g;
var foldedCharacters = /* @__PURE__ */ new Map();
function foldText(original) {
  const lower2 = original.toLowerCase();
  const sameLength = lower2.length === original.length ? lower2 : original.replace(nonAscii2, lowerCharacter).replace(/[A-Z]+/g, toLower);
  return { original, folded: sameLength.replace(nonAscii2, foldCharacter) };
}
function lowerCharacter(character) {
  const lower2 = character.toLowerCase();
  return lower2.length === character.length ? lower2 : character;
}
function toLower(text) {
  return text.toLowerCase();
}
function foldCharacter(character) {
  let folded = foldedCharacters.get(character);
  if (folded === void 0) {
    const [base = character] = character.toLowerCase().normalize("NFD");
    const isLetterAlone = base !== character && base.length === character.length;
    folded = isLetterAlone && /\p{Script=Latin}/u.test(base) ? base : character;
    foldedCharacters.set(character, folded);
  }
  return folded;
}
var maxOccurrences = 64;
function findOccurrences(text, forms) {
  const found = [];
  for (const form of forms) findForm(text, form, found);
  if (forms.length === 1) return found;
  found.sort((a2, b) => a2.start - b.start || b.end - a2.end);
  return found.filter((occurrence, i) => i === 0 || occurrence.start >= (found[i - 1]?.end ?? 0));
}
function findForm(text, form, found) {
  if (form.match === "symbol") {
    findSymbol(text, form.tokens[0] ?? "", found);
    return;
  }
  const [first = "", ...rest] = form.tokens;
  const needle = form.match === "stem" ? commonStart(first, toStem(first)) : first;
  if (needle === "") return;
  for (let at = text.folded.indexOf(needle); at >= 0; at = text.folded.indexOf(needle, at + 1)) {
    if (found.length >= maxOccurrences) return;
    if (form.match !== "cjk" && !isWordStart(text.original, at)) continue;
    const end = endOfForm(text, form, at, first, rest);
    if (end === null) continue;
    const isExact = form.match !== "stem" || text.folded.slice(at, end).replace(marks, "") === first;
    found.push({ start: at, end, isExact });
  }
}
function endOfForm(text, form, at, first, rest) {
  if (form.match === "stem") {
    const end2 = endOfWord(text, at);
    const word = text.folded.slice(at, end2).replace(marks, "");
    return word === first || toStem(word) === toStem(first) ? end2 : null;
  }
  let end = at + first.length;
  for (const token2 of rest) {
    const next = skipGap(text.folded, end);
    if (!text.folded.startsWith(token2, next)) return null;
    if (form.match !== "cjk" && !isWordEnd(text.original, end)) return null;
    end = next + token2.length;
  }
  if (form.match === "prefix") return endOfWord(text, at);
  if (form.match !== "cjk" && !isWordEnd(text.original, end)) return null;
  return end;
}
var symbolSpellings = {
  cplusplus: "c++",
  csharp: "c#",
  fsharp: "f#",
  dotnet: ".net"
};
function findSymbol(text, name, found) {
  const spelling = symbolSpellings[name] ?? name;
  for (let at = text.folded.indexOf(spelling); at >= 0; at = text.folded.indexOf(spelling, at + 1)) {
    if (found.length >= maxOccurrences) return;
    if (!isLetter(text.original[at - 1])) found.push({ start: at, end: at + spelling.length, isExact: true });
  }
}
function commonStart(a2, b) {
  let length = 0;
  while (length < a2.length && a2[length] === b[length]) length++;
  return a2.slice(0, length);
}
function skipGap(folded, from) {
  let at = from;
  while (at < folded.length && at - from < 8 && !isLetter(folded[at])) at++;
  return at;
}
function endOfWord(text, from) {
  let end = from + 1;
  while (end < text.original.length && !isWordEnd(text.original, end)) end++;
  return end;
}
function isWordStart(text, at) {
  const before = text[at - 1];
  if (!isLetter(before)) return true;
  return isUpper(text[at]) && (!isUpper(before) || isLower(text[at + 1]));
}
function isWordEnd(text, end) {
  if (!isLetter(text[end])) return true;
  const last = text[end - 1];
  return isUpper(text[end]) && (isLower(last) || isDigit(last) || isLower(text[end + 1]));
}
function isLetter(character) {
  if (character === void 0) return false;
  const code = character.charCodeAt(0);
  if (code < 128) return isDigit(character) || code >= 97 && code <= 122 || code >= 65 && code <= 90;
  if (code >= 8208 && code <= 8286 || code >= 8592 && code <= 9311) return false;
  return /[\p{L}\p{N}\p{M}]/u.test(character);
}
function isDigit(character) {
  return character !== void 0 && character >= "0" && character <= "9";
}
function isUpper(character) {
  return character !== void 0 && character >= "A" && character <= "Z";
}
function isLower(character) {
  return character !== void 0 && character >= "a" && character <= "z";
}

// src/search/features.ts
var nearChars = 8 * 6;
var charsPerWord = 6;
function toFeatures(text, terms, weights2) {
  const folded = foldText(text);
  const occurrences = terms.map((term) => findOccurrences(folded, term.forms));
  return {
    counts: occurrences.map((found) => found.length),
    exactCounts: occurrences.map((found) => found.filter((occurrence) => occurrence.isExact).length),
    closeness: toCloseness(terms, occurrences, weights2)
  };
}
function toCloseness(terms, occurrences, weights2) {
  const strong = terms.flatMap((term, i) => term.strength === "weak" ? [] : [i]);
  let closeness = 0;
  for (let n = 1; n < strong.length; n++) {
    const [a2 = 0, b = 0] = [strong[n - 1], strong[n]];
    const distance = closestDistance(occurrences[a2] ?? [], occurrences[b] ?? []);
    if (distance > nearChars) continue;
    closeness += Math.min(weights2[a2] ?? 0, weights2[b] ?? 0) / Math.sqrt(Math.max(1, distance / charsPerWord));
  }
  return closeness;
}
function closestDistance(first, second) {
  let closest = Number.POSITIVE_INFINITY;
  let j = 0;
  for (const a2 of first) {
    while (j > 0 && (second[j]?.start ?? 0) > a2.start) j--;
    for (; j < second.length; j++) {
      const b = second[j];
      if (b === void 0) break;
      closest = Math.min(closest, Math.abs(b.start - a2.start));
      if (b.start > a2.start) break;
    }
    if (j >= second.length) j = Math.max(0, second.length - 1);
  }
  return closest;
}

// src/search/gather-candidates.ts
var maxMessages = 600;
function gatherCandidates(store2, matcher, terms, options) {
  const size = readTotals(store2.db);
  const weights2 = toWeights(terms, size, readSessionSpan(store2.db));
  const matched = new Set(matchMessages(matcher, terms));
  const ids = new Set([...matched].map(toSessionId));
  const withWords = toSessions(terms);
  const more = [
    ...pickSessions(terms, withWords),
    ...options.sort === "recent" ? newest(store2, withWords.any) : []
  ];
  const added = new Set(more.filter((id) => !ids.has(id)));
  for (const id of added) ids.add(id);
  for (const id of pickMessages(terms, weights2, added)) matched.add(id);
  const texts = new Map(readMessages(store2.db, [...matched]).map((text) => [text.id, text]));
  const infos = withOwners(store2, ids);
  const groups = foldIntoOwners(ids, infos, options.listAgents, matcher);
  const bySession = groupBySession(texts.values());
  const sessions = [...groups].map(
    ([ownerId, members]) => toRankedSession(ownerId, members, { terms, weights: weights2, infos, texts: bySession, now: options.now })
  );
  return { sessions, weights: weights2, corpus: toCorpus(size), infos, texts, withWords };
}
function toWeights(terms, size, span) {
  return terms.map(({ term, messages, bySession, isCommon }) => {
    const share = isCommon ? toListedShare(messages, span) : 1;
    const strength = strengthFactor[term.strength];
    return {
      weight: toIdf(Math.max(1, size.messages), messages.length / share) * strength,
      sessionWeight: toIdf(Math.max(1, size.spokenSessions), bySession.size / share) * strength,
      isStrong: term.strength === "strong"
    };
  });
}
function toListedShare(messages, { first, last }) {
  const oldest = toSessionId(messages.at(-1) ?? 0);
  return Math.min(1, Math.max(1e-3, (last - oldest + 1) / Math.max(1, last - first + 1)));
}
var maxWeighed = 1e4;
var maxOfCommon = 150;
var maxSessionsOfCommon = 20;
function matchMessages(matcher, terms) {
  const found = terms.filter(isFound);
  const weighed = chooseWeighed(found);
  const matched = weighed.length === 0 ? [] : matcher.bestMessages(join(weighed, "OR"), maxMessages);
  if (weighed.length === found.length) return matched;
  const all = join(found, "AND");
  matched.push(...matcher.listMessages(all, maxOfCommon).ids);
  if (matched.length === 0) matched.push(...found.flatMap((term) => term.messages.slice(0, maxOfCommon)));
  return matched;
}
function chooseWeighed(terms) {
  let room = maxWeighed;
  return [...terms].sort((a2, b) => a2.messages.length - b.messages.length).filter((term) => {
    room -= term.messages.length;
    return !term.isCommon && room >= 0;
  });
}
function join(terms, operator) {
  return terms.map((term) => `(${term.expression})`).join(` ${operator} `);
}
function pickMessages(terms, weights2, sessions) {
  if (sessions.size === 0) return [];
  const scores = /* @__PURE__ */ new Map();
  for (const [i, { messages }] of terms.entries()) {
    for (const id of messages) {
      if (sessions.has(toSessionId(id))) scores.set(id, (scores.get(id) ?? 0) + (weights2[i]?.weight ?? 0));
    }
  }
  return [...scores].sort(([idA, a2], [idB, b]) => b - a2 || idB - idA).slice(0, terms.some((term) => term.isCommon) ? maxOfCommon : maxMessages).map(([id]) => id);
}
function groupBySession(texts) {
  const groups = /* @__PURE__ */ new Map();
  for (const text of texts) {
    const group = groups.get(text.sessionId);
    if (group === void 0) groups.set(text.sessionId, [text]);
    else group.push(text);
  }
  return groups;
}
function toSessions(terms) {
  const strongTerms = terms.filter(({ term }) => term.strength === "strong");
  const areAllCommon = strongTerms.every((term) => term.isCommon);
  const sets = terms.map((term) => ({
    isStrong: term.term.strength === "strong" && (areAllCommon || !term.isCommon),
    ids: /* @__PURE__ */ new Set([...term.bySession.keys(), ...term.toolCalls.keys(), ...term.named])
  }));
  const any = new Set(sets.flatMap(({ ids }) => [...ids]));
  const strong = sets.filter((set) => set.isStrong).sort((a2, b) => a2.ids.size - b.ids.size);
  const all = [...strong[0]?.ids ?? []].filter((id) => strong.every(({ ids }) => ids.has(id)));
  return { any, all: new Set(all) };
}
function pickSessions(terms, { all }) {
  const rarest = [...terms].sort((a2, b) => a2.bySession.size - b.bySession.size)[0];
  const limitOf = (term) => term.isCommon ? maxSessionsOfCommon : maxSessionsPerTerm;
  const areAllCommon = terms.every((term) => term.isCommon);
  return [
    ...[...all].slice(-(areAllCommon ? maxOfCommon : maxSessionsPerTerm)),
    ...terms.flatMap((term) => best(term.toolCalls, limitOf(term))),
    ...terms.flatMap((term) => [...term.named].slice(0, limitOf(term))),
    ...rarest === void 0 ? [] : best(rarest.bySession, limitOf(rarest))
  ];
}
function newest(store2, ids) {
  return readNewest(store2.db, ids, maxSessionsPerTerm);
}
function toIdf(total, count) {
  return Math.log(1 + (total - Math.min(count, total) + 0.5) / (Math.min(count, total) + 0.5));
}
function best(counts, limit) {
  return [...counts].sort(([, a2], [, b]) => b - a2).slice(0, limit).map(([id]) => id);
}
function withOwners(store2, ids) {
  const infos = readSessions(store2.db, ids);
  const owners = [...infos.values()].map((info) => info.ownerId).filter((id) => !infos.has(id));
  for (const [id, info] of readSessions(store2.db, new Set(owners))) infos.set(id, info);
  return infos;
}
function foldIntoOwners(ids, infos, listAgents, matcher) {
  const owners = [...infos.values()].filter((info) => info.ownerId !== info.id).map((info) => info.ownerId);
  const inScope2 = listAgents || owners.length === 0 ? /* @__PURE__ */ new Set() : matcher.keepInScope(owners);
  const groups = /* @__PURE__ */ new Map();
  for (const id of ids) {
    const info = infos.get(id);
    if (info === void 0) continue;
    const owner = inScope2.has(info.ownerId) ? info.ownerId : id;
    const members = groups.get(owner);
    if (members === void 0) groups.set(owner, [id]);
    else members.push(id);
  }
  return groups;
}
function toRankedSession(ownerId, members, context) {
  const owner = context.infos.get(ownerId);
  const { terms, texts, now } = context;
  const messages = members.flatMap(
    (id) => (texts.get(id) ?? []).map((text) => toRankedMessage(text, context))
  );
  const modifiedAt = owner.modifiedAt ?? "";
  const inText = (text) => {
    const folded = foldText(text ?? "");
    return terms.map(({ term }) => findOccurrences(folded, term.forms).length > 0);
  };
  const isTitleOwn = owner.titleSource !== "first-prompt";
  const context_ = [
    owner.project,
    owner.branch,
    owner.agentType,
    owner.agentDescription,
    owner.prRepository
  ].join("\n");
  return {
    id: ownerId,
    conversationId: owner.conversationId,
    modifiedAt,
    ageDays: modifiedAt === "" ? Number.POSITIVE_INFINITY : (now.getTime() - Date.parse(modifiedAt)) / 864e5,
    messageCount: Math.max(1, owner.messageCount),
    chars: owner.textChars,
    isAgent: owner.kind === "agent",
    memberIds: members,
    messages,
    // Of a common word not all places are known, but those in the messages at hand are.
    messageCounts: terms.map(
      (term, i) => Math.max(
        sumOf(members.map((id) => term.bySession.get(id) ?? 0)),
        messages.filter((message) => (message.counts[i] ?? 0) > 0).length
      )
    ),
    toolCounts: terms.map((term) => sumOf(members.map((id) => term.toolCalls.get(id) ?? 0))),
    inTitle: inText(isTitleOwn ? `${owner.title ?? ""}
${owner.summary ?? ""}` : null),
    inFirstPrompt: inText(owner.firstPrompt),
    inContext: inText(context_)
  };
}
function toRankedMessage(text, { terms, weights: weights2, infos }) {
  const features = toFeatures(
    text.text,
    terms.map(({ term }) => term),
    weights2.map(({ weight }) => weight)
  );
  const isAgents = text.isSidechain === 1 || infos.get(text.sessionId)?.kind === "agent";
  const speaker = text.kind === "recap" ? "recap" : isAgents ? "agent" : text.role === "user" ? "person" : "assistant";
  return {
    id: text.id,
    text: text.text,
    speaker,
    chars: text.text.length,
    ...features,
    isEcho: isEcho(text.kind, text.text)
  };
}
function toCorpus({ spokenSessions, messages, textChars }) {
  const mean = (count) => Math.max(1, textChars / Math.max(1, count));
  return { meanMessageChars: mean(messages), meanSessionChars: mean(spokenSessions) };
}
function sumOf(values) {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

// src/search/rank.ts
var weights = {
  /** Somebody, or Claude, chose these words to say what the session is about. */
  title: 0.6,
  /** What the person came with; often restated by the title. */
  firstPrompt: 0.2,
  /** The best passages: where the answer stands. The largest single signal in every measurement. */
  passages: 1,
  /** How much of the session is about the words, its length taken into account. */
  session: 0.3,
  /** Share of the session's messages that match: a short session about it beats a long one that mentions it. */
  focus: 0.3,
  /** How many of the words occur at all, by weight. */
  coverage: 0.1,
  /** Project, branch, agent, pull request: where it happened rather than what was said. */
  context: 0.1,
  /** Files and commands that tools were pointed at: they matter when nobody spoke of them. */
  tools: 0.1,
  /** Orders near-equals; too small to lift a worse match over a clearly better one. */
  recency: 0.05
};
var passageShares = [1, 0.3, 0.15];
var personShare = 0.3;
var speakerFactor = {
  person: 1,
  assistant: 1,
  /** A recap repeats what the session says anyway. */
  recap: 0.8,
  agent: 0.9
};
var saturation = 1.2;
var lengthShare = 0.85;
var exactShare = 0.3;
var echoFactor = 0.1;
var agentFactor = 0.8;
var halfLifeDays = 60;
function rankSessions(sessions, terms, corpus) {
  const measured = sessions.map((session) => measure(session, terms, corpus));
  const best2 = {
    passages: maxOf(measured, (m) => m.passages),
    session: maxOf(measured, (m) => m.session)
  };
  const total = sum(terms.map((term) => term.weight)) || 1;
  const ranked = measured.map((m) => {
    const parts = {
      title: m.title / total,
      firstPrompt: m.firstPrompt / total,
      passages: m.passages / best2.passages,
      session: m.session / best2.session,
      focus: m.focus,
      coverage: m.coverage / total,
      context: m.context / total,
      tools: m.tools / total,
      recency: 2 ** (-Math.max(0, m.of.ageDays) / halfLifeDays)
    };
    const weighed = sum(
      Object.entries(parts).map(([name, value]) => weights[name] * value)
    );
    const score = weighed / allWeights * (m.of.isAgent ? agentFactor : 1);
    return { session: m.of, score, parts, messages: m.messages, lacking: m.lacking };
  });
  return foldCopies(ranked.sort(byScore));
}
var allWeights = sum(Object.values(weights));
function byScore(a2, b) {
  return b.score - a2.score || compare(b.session.modifiedAt, a2.session.modifiedAt) || b.session.id - a2.session.id;
}
function compare(a2, b) {
  return a2 < b ? -1 : a2 > b ? 1 : 0;
}
function measure(session, terms, corpus) {
  const scored = session.messages.map((message) => ({ message, score: scoreMessage(message, terms, corpus) })).sort((a2, b) => b.score - a2.score || a2.message.id - b.message.id);
  const bestOfPerson = maxOf(scored, ({ message, score }) => message.speaker === "person" ? score : 0, 0);
  const sumWhere = (holds) => sum(terms.map((term, i) => holds(i) ? term.weight : 0));
  const stands = (i) => (session.messageCounts[i] ?? 0) > 0 || session.inTitle[i] || session.inFirstPrompt[i] || session.inContext[i] || (session.toolCounts[i] ?? 0) > 0;
  return {
    of: session,
    messages: scored.map(({ message }) => message),
    passages: sum(passageShares.map((share, i) => share * (scored[i]?.score ?? 0))) + personShare * bestOfPerson,
    session: sum(
      terms.map(
        (term, i) => term.sessionWeight * saturate(session.messageCounts[i] ?? 0, session.chars / corpus.meanSessionChars)
      )
    ),
    focus: Math.min(1, session.messages.length / Math.max(1, session.messageCount)),
    title: sumWhere((i) => session.inTitle[i] ?? false),
    firstPrompt: sumWhere((i) => session.inFirstPrompt[i] ?? false),
    context: sumWhere((i) => session.inContext[i] ?? false),
    coverage: sumWhere((i) => stands(i) ?? false),
    tools: sum(
      terms.map(
        (term, i) => term.weight * ((session.toolCounts[i] ?? 0) / ((session.toolCounts[i] ?? 0) + 1))
      )
    ),
    lacking: terms.flatMap((term, i) => term.isStrong && !stands(i) ? [i] : [])
  };
}
function scoreMessage(message, terms, corpus) {
  const length = message.chars / corpus.meanMessageChars;
  let score = message.closeness;
  for (const [i, term] of terms.entries()) {
    const count = message.counts[i] ?? 0;
    if (count === 0) continue;
    const frequency = count * (1 - exactShare) + (message.exactCounts[i] ?? 0) * exactShare;
    score += term.weight * saturate(frequency, length);
  }
  return score * speakerFactor[message.speaker] * (message.isEcho ? echoFactor : 1);
}
function saturate(frequency, length) {
  return frequency * (saturation + 1) / (frequency + saturation * (1 - lengthShare + lengthShare * length));
}
function foldCopies(ranked) {
  const groups = /* @__PURE__ */ new Map();
  for (const entry of ranked) {
    const group = groups.get(entry.session.conversationId);
    if (group === void 0) groups.set(entry.session.conversationId, [entry]);
    else group.push(entry);
  }
  return [...groups.values()].flatMap((group) => {
    const [best2] = group;
    if (best2 === void 0) return [];
    const passages = best2.messages.map((message) => message.text);
    const holding = group.filter((entry) => {
      const held = new Set(entry.messages.map((message) => message.text));
      return passages.every((passage) => held.has(passage));
    });
    const newest2 = holding.reduce(
      (a2, b) => compare(b.session.modifiedAt, a2.session.modifiedAt) > 0 ? b : a2
    );
    return [{ ...newest2, score: best2.score, parts: best2.parts }];
  });
}
function sum(values) {
  return values.reduce((a2, b) => a2 + b, 0);
}
function maxOf(items, of, least = Number.MIN_VALUE) {
  return items.reduce((max, item) => Math.max(max, of(item)), least);
}

// src/search/search.ts
var matchesPerHit = 3;
var conjunctionWords = 3;
function search(store2, request) {
  const { query } = request;
  const unrestricted = toScope(store2.db, request.filters);
  const excluded = query.excluded.flatMap((term) => sessionsWith(new Matcher(store2.db, unrestricted), term));
  const scope = withoutSessions(unrestricted, excluded);
  if (query.terms.length === 0) return listRecent(store2, request, scope);
  const named = findIdsBeginning(store2.db, toIdBeginning(query), scope, request.limit);
  if (named.length > 0) return toList(store2, named, named.length);
  const matcher = new Matcher(store2.db, scope);
  const found = findTerms(store2, matcher, query.terms);
  const candidates = gatherCandidates(store2, matcher, found.terms, request);
  const ranked = rankSessions(candidates.sessions, candidates.weights, candidates.corpus);
  const { kept, isComplete } = narrow2(ranked, query, found.terms, matcher, request.limit);
  const ordered = request.sort === "recent" ? [...kept].sort(byRecency) : kept;
  const matching = isComplete ? candidates.withWords.all : candidates.withWords.any;
  return {
    tier: found.tier ?? (isComplete ? "all" : "any"),
    total: Math.max(kept.length, countConversations(store2.db, matching)),
    isTotalExact: !found.terms.some((term) => term.isCommon),
    hits: ordered.slice(0, request.limit).map((entry) => toHit(entry, candidates)),
    terms: found.terms.map((term) => term.term),
    corrections: found.corrections
  };
}
function toIdBeginning({ text }) {
  const id = text.trim();
  return /^(?=.*\d)[0-9a-f]{6,8}$/i.test(id) || /^[0-9a-f]{8}-[0-9a-f-]*$/i.test(id) ? id.toLowerCase() : "";
}
function narrow2(ranked, query, terms, matcher, limit) {
  const isConjunction = query.terms.length <= conjunctionWords && query.terms.every((term) => term.strength === "strong");
  const isCommon = (i) => terms[i]?.isCommon ?? false;
  let toAsk = limit * 2;
  const isIn = (entry, i) => {
    if (!isCommon(i)) return false;
    if (!isConjunction || toAsk-- <= 0) return true;
    return entry.session.memberIds.some((id) => matcher.hasMatch(terms[i]?.expression ?? "", id));
  };
  const complete = ranked.filter((entry) => entry.lacking.every((i) => isIn(entry, i)));
  if (complete.length > 0 && isConjunction) return { kept: complete, isComplete: true };
  return { kept: ranked, isComplete: ranked.length > 0 && complete.length === ranked.length };
}
function byRecency(a2, b) {
  return a2.session.modifiedAt < b.session.modifiedAt ? 1 : a2.session.modifiedAt > b.session.modifiedAt ? -1 : b.score - a2.score;
}
function toHit(entry, candidates) {
  const { infos, texts } = candidates;
  const session = infos.get(entry.session.id);
  const seen = /* @__PURE__ */ new Set();
  const matches = [];
  for (const ranked of entry.messages) {
    const message = texts.get(ranked.id);
    if (matches.length === matchesPerHit || seen.has(message.text)) continue;
    seen.add(message.text);
    const agent = message.sessionId === session.id ? null : infos.get(message.sessionId) ?? null;
    matches.push({ message, agent });
  }
  return {
    session,
    score: entry.score,
    parts: entry.parts,
    matchCount: Math.max(entry.session.messages.length, ...entry.session.messageCounts),
    matches
  };
}
function listRecent(store2, { query, listAgents, limit }, scope) {
  if (query.text.trim() !== "" && Object.keys(query.filters).length === 0) return toList(store2, [], 0);
  const { ids, total } = readRecentIds(store2.db, scope, limit, listAgents);
  return toList(store2, ids, total);
}
function toList(store2, ids, total) {
  const infos = readSessions(store2.db, ids);
  const hits = ids.map((id) => {
    return { session: infos.get(id), score: 0, parts: null, matchCount: 0, matches: [] };
  });
  return { tier: "all", total, isTotalExact: true, hits, terms: [], corrections: [] };
}

// src/search/parse-date.ts
var unitLetters = {
  h: "hour",
  d: "day",
  w: "week",
  m: "month",
  y: "year"
};
var weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
function parseDate(text, now) {
  const words = text.trim().toLowerCase().replace(/\s+/g, " ");
  return parseIso(words) ?? parseNamed(words, now) ?? parseAgo(words, now);
}
function parseIso(text) {
  const match = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2})(?:[t ](\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(z|[+-]\d{2}:?\d{2})?)?)?)?$/.exec(
    text
  );
  if (match === null) return null;
  const [, year = "", month, day, time, zone] = match;
  if (time !== void 0) {
    const [date = "", clock = ""] = [
      `${year}-${month?.padStart(2, "0")}-${day?.padStart(2, "0")}`,
      time.padStart(5, "0")
    ];
    const ms = Date.parse(`${date}T${clock}${(zone ?? "").toUpperCase()}`);
    const lengthMs = /^\d+:\d+$/.test(time) ? 6e4 : 1e3;
    return Number.isNaN(ms) ? null : { fromMs: ms, toMs: ms + lengthMs - 1 };
  }
  const start = new Date(
    Number(year),
    month === void 0 ? 0 : Number(month) - 1,
    day === void 0 ? 1 : Number(day)
  );
  if (month !== void 0 && start.getMonth() !== Number(month) - 1) return null;
  if (day !== void 0 && start.getDate() !== Number(day)) return null;
  return toRange(start, day !== void 0 ? "day" : month !== void 0 ? "month" : "year");
}
function parseNamed(text, now) {
  const today = startOf("day", now);
  if (text === "today") return toRange(today, "day");
  if (text === "yesterday") return toRange(shift(today, "day", -1), "day");
  const named = /^(this|last) (week|month|year)$/.exec(text);
  if (named !== null) {
    const unit = named[2];
    return toRange(shift(startOf(unit, now), unit, named[1] === "last" ? -1 : 0), unit);
  }
  const weekday = weekdays.indexOf(text.replace(/^last /, ""));
  if (weekday < 0) return null;
  const daysBack = (today.getDay() - weekday + 7) % 7 || 7;
  return toRange(shift(today, "day", -daysBack), "day");
}
function parseAgo(text, now) {
  const match = /^(\d{1,5}) ?(h|d|w|m|y|hours?|days?|weeks?|months?|years?)(?: ago)?$/.exec(text);
  if (match === null) return null;
  const unit = unitLetters[match[2]?.[0] ?? ""];
  const count = Number(match[1]);
  if (unit === void 0) return null;
  if (unit === "hour") return toInstant(now.getTime() - count * 36e5);
  const day = shift(startOf("day", now), unit, -count);
  return Number.isNaN(day.getTime()) ? null : toRange(day, "day");
}
function toInstant(ms) {
  return { fromMs: ms, toMs: ms };
}
function toRange(start, unit) {
  return { fromMs: start.getTime(), toMs: shift(start, unit, 1).getTime() - 1 };
}
function startOf(unit, date) {
  const start = new Date(date.getFullYear(), date.getMonth(), date.getDate());
  if (unit === "week") return shift(start, "day", -((start.getDay() + 6) % 7));
  if (unit === "month") start.setDate(1);
  if (unit === "year") start.setMonth(0, 1);
  return start;
}
function shift(date, unit, count) {
  const moved = new Date(date);
  if (unit === "day") moved.setDate(moved.getDate() + count);
  if (unit === "week") moved.setDate(moved.getDate() + 7 * count);
  if (unit === "month" || unit === "year") {
    const day = moved.getDate();
    moved.setDate(1);
    moved.setMonth(moved.getMonth() + count * (unit === "year" ? 12 : 1));
    moved.setDate(Math.min(day, new Date(moved.getFullYear(), moved.getMonth() + 1, 0).getDate()));
  }
  return moved;
}

// src/search/weak-words.ts
var functionWords = `a about after again all also am an and any are as at be because been before being but by can could
  did do does doing done down each for from further get got had has have having he her here hers him his how i if in into
  is it its itself just let lets like me more most my no nor not now of off ok okay on once only or other our ours out over
  own please same she should so some such than that the their theirs them then there these they this those through to too
  under until up us very was we were what when where which while who whom why will with would yes you your yours yourself
  im ive id dont doesnt didnt cant wont isnt arent wasnt youre thats whats theres ll re ve m s t d`;
var askingWords = `many much long often number total amount suggest recommend recommendation remind tell tips tip advice
  idea ideas mention mentioned remember know ago passed current currently last past recent recently different help helpful
  want wanted need think something thing things way make made find take took`;
var toSet = (words) => new Set(words.split(/\s+/));
var weak = toSet(functionWords);
var asking = toSet(askingWords);
function toStrength(word) {
  if (weak.has(word)) return "weak";
  return asking.has(word) ? "asking" : "strong";
}

// src/search/parse-query.ts
var maxTerms = 32;
var maxQueryChars = 2e4;
var piece = /(?<sign>-?)(?:(?<filter>project|branch|role|file|since|until|model|kind|is):)?(?:"(?<quoted>[^"]*)(?:"|$)|(?<bare>[^\s"]+))/giu;
function parseQuery(text) {
  const filters = {};
  const terms = [];
  const excluded = [];
  let joinsNext = false;
  for (const match of text.slice(0, maxQueryChars).matchAll(piece)) {
    const { sign = "", filter, quoted, bare } = match.groups ?? {};
    const value = quoted ?? bare ?? "";
    const name = filter?.toLowerCase();
    if (name !== void 0 && sign === "" && isFilterValue(name, value)) {
      filters[name] = value;
      continue;
    }
    if (match[0] === "OR") {
      joinsNext = terms.length > 0;
      continue;
    }
    const whole = filter === void 0 ? value : `${filter}:${value}`;
    const term = toTerm(whole, quoted !== void 0);
    if (term === null) continue;
    if (sign === "-" && isExclusion(whole)) excluded.push(term);
    else if (joinsNext) terms.push(joinTerms(terms.pop(), term));
    else terms.push(term);
    joinsNext = false;
  }
  const asked = terms.length > 0 || Object.keys(filters).length > 0 ? terms : excluded;
  const kept = strengthen(distinct(asked)).slice(0, maxTerms);
  return { text, terms: kept, excluded: asked === excluded ? [] : excluded.slice(0, maxTerms), filters };
}
var anyDay = new Date(2026, 0, 15);
function isFilterValue(name, value) {
  if (value === "" || value.startsWith("//")) return false;
  if (name === "role") return /^(user|assistant)$/i.test(value);
  if (name === "kind") return /^(main|agent|transcript|precompact|history)$/i.test(value);
  if (name === "is") return /^agent$/i.test(value);
  return name !== "since" && name !== "until" ? true : parseDate(value, anyDay) !== null;
}
var firstLetter = toPattern(/^[A-Za-z0-9]/, () => /^[\p{L}\p{N}]/u);
var prefix = toPattern(/[A-Za-z0-9]\*$/, () => /[\p{L}\p{N}]\*$/u);
function isExclusion(text) {
  return firstLetter(text).test(text) && [...text].length > 2;
}
function toTerm(text, isQuoted) {
  const isPrefix = !isQuoted && text.endsWith("*") && prefix(text).test(text);
  const forms = toForms(text, isQuoted ? "exact" : isPrefix ? "prefix" : "word");
  if (forms.length === 0) return null;
  const only = forms[0]?.tokens ?? [];
  const strength = isQuoted || isPrefix || only.length > 1 ? "strong" : toStrength(only[0] ?? "");
  return { text, forms, strength };
}
function joinTerms(before, term) {
  if (before === void 0) return term;
  return {
    text: `${before.text} OR ${term.text}`,
    forms: distinctForms([...before.forms, ...term.forms]),
    strength: "strong"
  };
}
function distinctForms(forms) {
  const byTokens = new Map(forms.map((form) => [JSON.stringify(form), form]));
  return [...byTokens.values()].slice(0, maxTerms);
}
function distinct(terms) {
  const byForms = /* @__PURE__ */ new Map();
  for (const term of terms) {
    const key = JSON.stringify(term.forms);
    if (!byForms.has(key)) byForms.set(key, term);
  }
  return [...byForms.values()];
}
function strengthen(terms) {
  for (const strength of ["strong", "asking"]) {
    if (terms.some((term) => term.strength === strength)) {
      return strength === "strong" ? [...terms] : terms.map((term) => term.strength === "asking" ? { ...term, strength: "strong" } : term);
    }
  }
  return terms.map((term) => ({ ...term, strength: "strong" }));
}

// bench/.sq.ts
var t0 = performance.now();
var store = await openStore(process.argv[2]);
var t1 = performance.now();
var orig = store.db.prepare.bind(store.db);
var sqlMs = 0;
var log = [];
store.db.prepare = (sql2) => {
  const a2 = performance.now();
  const s = orig(sql2);
  const p = performance.now() - a2;
  sqlMs += p;
  const wrap = (st) => new Proxy(st, { get(o, k) {
    const v = o[k];
    if (k === "pluck") return () => wrap(v.call(o));
    if (k === "all" || k === "get") return (...x) => {
      const a3 = performance.now();
      const r2 = v.apply(o, x);
      const d = performance.now() - a3;
      sqlMs += d;
      log.push([d, p, Array.isArray(r2) ? r2.length : 1, sql2.replace(/\s+/g, " ").slice(0, 110), JSON.stringify(x).slice(0, 60)]);
      return r2;
    };
    return typeof v === "function" ? v.bind(o) : v;
  } });
  return wrap(s);
};
var q = process.argv.slice(3).join(" ");
var a = performance.now();
var r = search(store, { query: parseQuery(q), filters: noFilters, limit: 10, sort: "relevance", listAgents: false, now: /* @__PURE__ */ new Date() });
console.log("open", (t1 - t0).toFixed(1), "search", (performance.now() - a).toFixed(1), "sql", sqlMs.toFixed(1), "total", r.total);
for (const l of log.sort((a2, b) => b[0] - a2[0]).slice(0, 14)) console.log(l[0].toFixed(2), "prep", l[1].toFixed(2), "rows", l[2], l[3], l[4]);
