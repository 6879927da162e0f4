// Sessions of other machines, which a hub has brought here. A folder of an agent is on a machine: two machines may well have one
// of the same path, and what is in them is compared by machine as well as by path.
//
// The rule that a folder is unique is part of its table, so that the table is made anew.

import { type Kysely, sql } from 'kysely';

const statements = [
  `create table machine ( -- where sessions were; the row 0 is this machine, once it has joined a hub
    id integer primary key,
    key text not null unique, -- as the hub knows it
    name text not null,
    owner text -- whose it is; null where the hub has no people
  ) strict`,
  `create table root_now ( -- a folder in which an agent keeps its sessions
    id integer primary key,
    agent text not null, -- the program: claude, codex, …
    path text not null,
    machine_id integer not null default 0, -- 0 for this machine
    unique (agent, path, machine_id)
  ) strict`,
  'insert into root_now (id, agent, path) select id, agent, path from root',
  'drop table root',
  'alter table root_now rename to root',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
