// Writes what sidecar files say: titles, subagent descriptions, hints. Nothing of it is taken back when a sidecar
// disappears, because it disappears together with the session that the index keeps.

import type Database from 'better-sqlite3';
import type { SessionHint, SidecarFile, SubagentMeta } from '../../records.ts';

export class SidecarWriter {
  private readonly sql: ReturnType<typeof prepareStatements>;

  constructor(db: Database.Database) {
    this.sql = prepareStatements(db);
  }

  saveSidecar(
    rootId: number,
    file: SidecarFile,
    said: { customTitle: string | null; meta: SubagentMeta | null },
  ): void {
    const { path, kind, slug, nativeId, sizeBytes, mtimeMs, ctimeMs, inode } = file;
    this.sql.saveSidecar.run({
      ...{ rootId, path, kind, slug, nativeId, sizeBytes, mtimeMs, ctimeMs, inode },
      customTitle: said.customTitle,
      subagentType: said.meta?.subagentType ?? null,
      subagentDescription: said.meta?.description ?? null,
      toolUseId: said.meta?.toolUseId ?? null,
    });
    if (nativeId !== null) this.sql.unsettle.run(nativeId);
  }

  saveHint(rootId: number, slug: string, hint: SessionHint): void {
    const { pullRequest, ...fields } = hint;
    this.sql.saveHint.run({
      ...fields,
      rootId,
      slug,
      prNumber: pullRequest?.number ?? null,
      prUrl: pullRequest?.url ?? null,
      prRepository: pullRequest?.repository ?? null,
    });
    this.sql.unsettle.run(hint.nativeId);
  }
}

function prepareStatements(db: Database.Database) {
  return {
    saveSidecar: db.prepare(`
      insert into sidecar (root_id, path, kind, slug, native_id, size_bytes, mtime_ms, ctime_ms, inode,
        custom_title, subagent_type, subagent_description, tool_use_id)
      values (@rootId, @path, @kind, @slug, @nativeId, @sizeBytes, @mtimeMs, @ctimeMs, @inode,
        @customTitle, @subagentType, @subagentDescription, @toolUseId)
      on conflict (root_id, path) do update set size_bytes = @sizeBytes, mtime_ms = @mtimeMs, ctime_ms = @ctimeMs,
        inode = @inode, custom_title = coalesce(@customTitle, custom_title), subagent_type = coalesce(@subagentType, subagent_type),
        subagent_description = coalesce(@subagentDescription, subagent_description), tool_use_id = coalesce(@toolUseId, tool_use_id)`),
    saveHint: db.prepare(`
      insert into hint (root_id, slug, native_id, first_prompt, summary, custom_title, created_at, modified_at, branch,
        project_path, pr_number, pr_url, pr_repository)
      values (@rootId, @slug, @nativeId, @firstPrompt, @summary, @customTitle, @createdAt, @modifiedAt, @branch,
        @projectPath, @prNumber, @prUrl, @prRepository)
      on conflict do update set first_prompt = @firstPrompt, summary = @summary, custom_title = @customTitle,
        created_at = @createdAt, modified_at = @modifiedAt, branch = @branch, project_path = @projectPath,
        pr_number = @prNumber, pr_url = @prUrl, pr_repository = @prRepository`),
    unsettle: db.prepare('update session set is_unsettled = 1 where native_id = ?'),
  };
}
