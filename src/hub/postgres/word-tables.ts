// The words of what a team shares, in PostgreSQL, for members who search there instead of holding each other's text. `hub setup
// --searchable` makes these tables beside the others.
//
// - Only redacted sessions of the team are here. Members read texts row by row, but `@@` under row-level security uses no GIN
//   index (it is not leakproof: 366 ms instead of 0.4), so words are asked for through functions that are run as the owner.
// - Whose a row is, where it was and when is in its words too, as lexemes that start with `=` and are written by the server:
//   filters then cost what a word costs. `=1f…` and `=1g…` (1: the version of the words, h for hidden ones) are stretches of
//   time, by which the newest rows of a common word are found without going through all: 8 ms instead of 715 among 924,000.
// - The id of a session says when it began: minutes since 2010, and 256 numbers for each. So ids rise with time, whoever sends first.
// - `order by … limit` beside `@@` would go through an index of ids backwards (5.7 s): what matches is materialized first.
// - GIN's list of pending rows holds a megabyte: none costs eight times the log, more costs every search. Writers take turns, since
//   several at once double the index.
// - `vocabulary` has the words without digits, for their stems and for near spellings. It cannot be read, what is suggested is
//   looked up in the texts first, and with a session the words go that nothing else holds.

import { messageKinds } from '../../records.ts';

/** Raise it when what is kept here or how text becomes words changes: rows of another version are not searched. */
export const hubWordsVersion = 1;

const run = (name: string, returns: string, body: string, settings = '') => `
  create function recall.${name} returns ${returns} language plpgsql security definer
    set search_path = recall, pg_temp set plan_cache_mode = force_custom_plan set jit = off ${settings} as $$ ${body} $$`;
const reading = "set work_mem = '32MB'";
const ifMember = 'if not is_member() then return; end if;';

/** Minutes in which the ids of a block begin: 17 hours, and 16 times that. */
const blockBits = 18;

const textKinds = ['said', 'done', 'call', 'name', 'called'] as const;
export type TextKind = (typeof textKinds)[number];

const machineKinds = Object.entries(messageKinds)
  .filter(([, { isMachine }]) => isMachine)
  .map(([kind]) => `'${kind}'`)
  .join(', ');

export const searchable: readonly string[] = [
  'create table recall.words (version integer not null, is_only boolean primary key default true check (is_only))',
  `insert into recall.words values (${hubWordsVersion})`,
  `create table recall.word_session (
    id bigint primary key,
    session bigint not null references recall.session on delete cascade,
    member text not null, machine uuid not null references recall.machine,
    key text not null check (length(key) = 32),
    mark text, version integer not null,
    agent text not null, native_id text not null, parent_native_id text, kind text not null,
    conversation bigint not null,
    title text, title_source text not null, summary text, first_prompt text,
    project text, project_id bigint, parent_project_id bigint, branch text, branched_from text, tag text,
    models text[] not null, subagent_type text, subagent_description text, pr_number integer, pr_repository text,
    created_at text, modified_at text, message_count integer not null, text_chars bigint not null, tool_call_count integer not null,
    slug text, first_cwd text, last_cwd text, relocated_cwd text, is_gone boolean not null, is_hidden boolean not null,
    unique (machine, key))`,
  'create index word_session_session on recall.word_session (session)',
  'create index word_session_native on recall.word_session (native_id text_pattern_ops)',
  'create index word_session_parent on recall.word_session (parent_native_id)',
  'create index word_session_conversation on recall.word_session (conversation)',
  'create index word_session_agent on recall.word_session (agent)',
  'create index word_session_size on recall.word_session (version, message_count, text_chars, tool_call_count)',
  'create sequence recall.text_number',
  `create table recall.text (
    kind text not null, id bigint not null default nextval('recall.text_number'),
    session bigint not null references recall.word_session on delete cascade,
    words tsvector not null, chars integer not null, facts jsonb, text text) partition by list (kind)`,
  ...textKinds.map(
    (kind) => `create table recall.text_${kind} partition of recall.text for values in ('${kind}')`,
  ),
  'create index text_words on recall.text using gin (words) with (fastupdate = on, gin_pending_list_limit = 1024)',
  'create index text_id on recall.text (id)',
  'create index text_session on recall.text (session)',
  'create table recall.vocabulary (word text collate "C" primary key, stem text not null)',
  'create index vocabulary_stem on recall.vocabulary (stem) where stem <> word',

  run(
    'put_words(as_machine uuid, given jsonb, words jsonb)',
    'void',
    `
    declare one jsonb; put word_session; known bigint; labels text[]; taken bigint[] := '{}'; is_any_left boolean := false;
    begin
      perform pg_advisory_xact_lock(7232626);
      if not exists (select from machine where key = as_machine and member = session_user::text and left_at is null) then
        raise 'this machine has not joined'; end if;
      for one in select * from jsonb_array_elements(given) loop
        put := jsonb_populate_record(null::word_session, one -> 'row');
        select s.id into put.session from session s where s.member = session_user::text and s.agent = put.agent
          and s.native_id = one ->> 'owner' and s.visibility = 'team' and s.forgotten_at is null for share;
        if not found then is_any_left := true; continue; end if;
        put.member := session_user; put.machine := as_machine;
        put.modified_at := least(put.modified_at collate "C", to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
        select w.id into known from word_session w where w.machine = as_machine and w.key = put.key;
        if (one ->> 'isFirst')::boolean or known is null then
          if known is null then
            put.id := greatest(0, floor(extract(epoch from
              least(now(), coalesce(put.created_at, put.modified_at, 'now')::timestamptz) - timestamptz '2010-01-01') / 60))::bigint * 256;
            while exists (select from word_session w where w.id = put.id) loop put.id := put.id + 1; end loop;
          else
            put.id := known;
            perform drop_texts(array[known]);
            delete from word_session w where w.id = known;
          end if;
          insert into word_session select put.*;
          known := put.id;
        else
          update word_session w set mark = put.mark where w.id = known;
        end if;
        labels := array['=o' || put.member, '=m' || as_machine, '=a' || put.agent, '=k' || put.kind]
          || array(select '=p' || p from unnest(array[put.project_id, put.parent_project_id]) p where p is not null)
          || (select array['=' || v || 'f' || (known >> ${blockBits}), '=' || v || 'g' || (known >> ${blockBits + 4})]
              from (select put.version || case when put.is_hidden then 'h' else '' end as v) as of_version);
        insert into text (kind, session, words, chars, facts, text)
          select t.kind, known, t.words::tsvector || array_to_tsvector(labels ||
              case when t.kind = 'said' and t.facts ->> 'kind' not in (${machineKinds}) then array['=r' || (t.facts ->> 'role')]
                else '{}' end),
            t.chars, t.facts, t.text
          from jsonb_to_recordset(one -> 'texts') as t (kind text, words text, chars integer, facts jsonb, text text)
          where t.words not like '%=%';
        taken := taken || known;
      end loop;
      insert into vocabulary select w ->> 0, w ->> 1 from jsonb_array_elements(words) w where length(w ->> 0) <= 40
        and (not is_any_left or w ->> 0 in (select u.lexeme from text t, unnest(t.words) u where t.session = any (taken)))
        on conflict do nothing;
    end`,
  ),
  // Their rows, and the words that are nowhere else: first those are left out that the newest texts hold.
  run(
    'drop_texts(sessions bigint[])',
    'void',
    `
    declare lost text[]; one text;
    begin
      select array_agg(distinct v.word) into lost from text t, unnest(t.words) w join vocabulary v on v.word = w.lexeme
        where t.session = any (sessions);
      delete from text t where t.session = any (sessions);
      foreach one in array coalesce(array(select unnest(lost) except select w.lexeme from
          (select t.words from text t where t.kind = 'said' order by t.id desc limit 500) t, unnest(t.words) w), '{}') loop
        if not exists (select from text t where t.words @@ quote_tsquery(one)) then
          delete from vocabulary v where v.word = one; end if;
      end loop;
    end`,
    'set enable_seqscan = off',
  ),
  `create function recall.quote_tsquery(word text) returns tsquery language sql immutable as $$
    select ('''' || replace(word, '''', '''''') || '''')::tsquery $$`,
  run(
    'drop_words(as_machine uuid, keys text[])',
    'void',
    `
    declare gone bigint[];
    begin
      gone := array(select w.id from word_session w where w.machine = as_machine and w.member = session_user::text
        and w.key = any (keys));
      perform drop_texts(gone);
      delete from word_session w where w.id = any (gone);
    end`,
  ),
  run(
    'withdraw_words()',
    'trigger',
    `
    declare gone bigint[];
    begin
      if tg_table_name = 'session' then gone := array(select w.id from word_session w where w.session = new.id);
      else gone := array(select w.id from word_session w where w.machine = new.key); end if;
      if gone <> '{}' then
        perform drop_texts(gone);
        delete from word_session w where w.id = any (gone);
      end if;
      return null;
    end`,
  ),
  `create trigger withdraw_words after update on recall.session for each row
    when (new.visibility = 'private' or new.forgotten_at is not null) execute function recall.withdraw_words()`,
  `create trigger withdraw_words after update on recall.machine for each row
    when (new.left_at is not null) execute function recall.withdraw_words()`,

  // In a query '~stem' is all words of that stem.
  run(
    'to_query(asked text, stems text[])',
    'tsquery',
    `
    declare stem_of text; forms text;
    begin
      foreach stem_of in array stems loop
        if strpos(asked, '''~' || stem_of || '''') = 0 then continue; end if;
        select string_agg(quote_tsquery(f.word)::text, ' | ') into forms from
          (select v.word from vocabulary v where v.stem = stem_of and v.stem <> v.word limit 48) f;
        asked := replace(asked, '''~' || stem_of || '''', coalesce('(' || forms || ')', '''~'''));
      end loop;
      return asked::tsquery;
    end`,
  ),
  // Block by block, twice as many each time, or the sessions that the filters name.
  run(
    'newest(what text, query tsquery, at_most integer, versions text[], only_ids bigint[], not_ids bigint[])',
    'table (id bigint, session bigint)',
    `
    #variable_conflict use_column
    declare high bigint; low bigint; lowest bigint; step bigint := 1; taken integer := 0; got integer; letter text;
      blocks tsquery;
    begin
      if at_most <= 0 then return; end if;
      if only_ids is not null then
        return query with found as materialized (
            select t.id, t.session from text t where t.kind = what and t.session = any (only_ids) and t.words @@ query)
          select f.id, f.session from found f where not_ids is null or f.session <> all (not_ids)
          order by f.session desc, f.id desc limit at_most;
        return;
      end if;
      select (max(w.id) >> ${blockBits}) + 1, min(w.id) >> ${blockBits} into high, lowest from word_session w;
      while high > lowest and taken < at_most loop
        if high % 16 <> 0 then
          low := greatest(high - step, (high >> 4) << 4);
          step := case when low % 16 = 0 then 1 else step * 4 end;
          letter := 'f';
        else
          low := greatest((high >> 4) - step, lowest >> 4) << 4;
          step := step * 2;
          letter := 'g';
        end if;
        select string_agg('''=' || v || letter || b || '''', '|')::tsquery into blocks
          from unnest(versions) v, generate_series(case when letter = 'g' then low >> 4 else low end,
            case when letter = 'g' then (high >> 4) - 1 else high - 1 end) b;
        return query with found as materialized (
            select t.id, t.session from text t where t.kind = what and t.words @@ (query && blocks))
          select f.id, f.session from found f where not_ids is null or f.session <> all (not_ids)
          order by f.session desc, f.id desc limit at_most - taken;
        get diagnostics got = row_count;
        taken := taken + got;
        high := low;
      end loop;
    end`,
    reading,
  ),
  // For each query and kind, the newest places; of 'count' how many of 'done' each session has, where there are more than listed.
  run(
    `list_places(queries text[], stems text[], filter text, kinds text[], limits integer[], versions text[], only_ids bigint[], not_ids bigint[])`,
    'table (term integer, kind text, ids text, sessions text, share float8)',
    `
    declare query tsquery; at_most integer; is_common boolean; oldest bigint; n integer;
    begin
      ${ifMember}
      for i in 1 .. cardinality(queries) loop
        query := to_query(queries[i], stems);
        if filter <> '' then query := query && filter::tsquery; end if;
        is_common := false;
        for k in 1 .. cardinality(kinds) loop
          at_most := limits[k];
          if kinds[k] = 'count' then
            if sessions is null or n < limits[array_position(kinds, 'done')] then continue; end if;
            term := i; kind := 'count'; share := null;
            select string_agg(c.n::text, ',' order by c.session desc), string_agg(c.session::text, ',' order by c.session desc)
              into ids, sessions from (select f.session, count(*) as n
                from newest('done', query, at_most, versions, only_ids, not_ids) f group by f.session) c;
            return next;
            continue;
          end if;
          if kinds[k] = 'name' and is_common then at_most := least(at_most, 50); end if;
          term := i; kind := kinds[k]; share := 1;
          select count(*), min(f.session), string_agg(f.id::text, ',' order by f.session desc, f.id desc),
              string_agg(f.session::text, ',' order by f.session desc, f.id desc)
            into n, oldest, ids, sessions from newest(kinds[k], query, at_most, versions, only_ids, not_ids) f;
          if kinds[k] = 'said' and n > 0 and n >= at_most then
            is_common := true;
            share := greatest(0.001, (select count(*) from word_session w where w.id >= oldest)::float8
              / (select count(*) from word_session));
          end if;
          return next;
        end loop;
      end loop;
    end`,
    reading,
  ),
  // BM25. ts_rank of one word with these weights is its number of places as 1 + 1/4 + 1/9 …, by which that number is known.
  run(
    `best_places(queries text[], stems text[], filter text, at_most integer, versions text[], only_ids bigint[], not_ids bigint[])`,
    'table (id bigint, session bigint)',
    `
    #variable_conflict use_column
    declare terms tsquery[] := '{}'; any_term tsquery; total float8; mean float8;
    begin
      ${ifMember}
      for i in 1 .. cardinality(queries) loop
        terms := terms || to_query(queries[i], stems);
        any_term := case when i = 1 then terms[1] else any_term || terms[i] end;
      end loop;
      if filter <> '' then any_term := any_term && filter::tsquery; end if;
      select greatest(1, sum(w.message_count)), greatest(1, sum(w.text_chars)::float8 / greatest(1, sum(w.message_count)))
        into total, mean from word_session w;
      return query with found as materialized (
          select t.id, t.session, t.chars, t.words from text t where t.kind = 'said' and t.words @@ any_term limit 20000),
        allowed as materialized (
          select f.* from found f join word_session s on s.id = f.session
          where s.version || case when s.is_hidden then 'h' else '' end = any (versions)
            and (only_ids is null or f.session = any (only_ids)) and (not_ids is null or f.session <> all (not_ids))),
        counted as materialized (
          select a.id, a.session, a.chars, q.i,
            greatest(1, 1 / (1.6449341 - least(1.62, 1.6449341 * ((numnode(q.term) + 1) / 2)
              * ts_rank('{1, 0, 0.8, 0}', a.words, q.term))) - 0.5) as times
          from allowed a, unnest(terms) with ordinality as q (term, i) where a.words @@ q.term),
        rarity as (select c.i, ln(1 + (greatest(total, count(*)) - count(*) + 0.5) / (count(*) + 0.5)) as idf from counted c group by c.i)
      select c.id, c.session from counted c join rarity r on r.i = c.i group by c.id, c.session, c.chars
        order by sum(r.idf * c.times / (c.times + 1.2 * (0.25 + 0.75 * c.chars / mean))) desc, c.session desc, c.id limit at_most;
    end`,
    reading,
  ),
  // Of each question the first texts of its sessions, in their order.
  run(
    'first_texts(questions jsonb, stems text[], filter text, kinds text[], at_most integer)',
    'table (question integer, kind text, id bigint, session bigint, facts jsonb, text text)',
    `
    #variable_conflict use_column
    declare query tsquery; ids bigint[]; one text;
    begin
      ${ifMember}
      for i in 0 .. jsonb_array_length(questions) - 1 loop
        query := to_query(questions -> i ->> 'query', stems);
        if filter <> '' then query := query && filter::tsquery; end if;
        ids := array(select value::bigint from jsonb_array_elements_text(questions -> i -> 'sessions'));
        foreach one in array kinds loop
          return query with found as materialized (select t.* from text t
              where t.kind = one and t.session = any (ids) and t.words @@ query)
            select i, f.kind, f.id, f.session, f.facts, f.text from found f
            order by array_position(ids, f.session), f.id limit at_most;
        end loop;
      end loop;
    end`,
    reading,
  ),
  run(
    'sessions_with(query text, stems text[], kinds text[])',
    'setof bigint',
    `begin ${ifMember} return query select distinct t.session from text t
      where t.kind = any (kinds) and t.words @@ to_query(query, stems); end`,
    reading,
  ),
  // Words with the same first letter, or with the first two swapped; of which most letters agree.
  run(
    'near_words(typed text, slack integer)',
    'table (word text, texts bigint)',
    `
    #variable_conflict use_column
    begin
      ${ifMember}
      for word in select v.word from (select distinct unnest(array[left(typed, 1), substr(typed, 2, 1)]) as letter) l
          join vocabulary v on v.word >= l.letter and v.word < l.letter || chr(1114111)
          where length(v.word) between length(typed) - slack and length(typed) + slack
            and length(translate(v.word, typed, '')) <= slack and length(translate(typed, v.word, '')) <= slack limit 200 loop
        select count(*) into texts from text t where t.kind in ('said', 'name') and t.words @@ quote_tsquery(word);
        if texts > 0 then return next; end if;
      end loop;
    end`,
    `${reading} set enable_seqscan = off`,
  ),

  ...['words', 'word_session', 'text'].flatMap((table) => [
    `alter table recall.${table} enable row level security`,
    `create policy read on recall.${table} for select using ((select recall.is_member()))`,
    `grant select on recall.${table} to recall_member`,
  ]),
  'revoke all on all functions in schema recall from public',
  `grant execute on function recall.put_words(uuid, jsonb, jsonb), recall.drop_words(uuid, text[]),
    recall.list_places(text[], text[], text, text[], integer[], text[], bigint[], bigint[]),
    recall.best_places(text[], text[], text, integer, text[], bigint[], bigint[]),
    recall.first_texts(jsonb, text[], text, text[], integer), recall.sessions_with(text, text[], text[]),
    recall.near_words(text, integer) to recall_member`,
];
