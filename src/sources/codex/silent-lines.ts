// Lines of a rollout that hold nothing of the conversation, recognised by their first bytes: in a real store they are nine
// tenths of it, and a single one may hold all that was said before a compaction.

export const quietTypes: ReadonlySet<string> = new Set([
  'compacted',
  'ghost_snapshot',
  'inter_agent_communication',
  'inter_agent_communication_metadata',
  'token_usage_record',
  'world_state',
]);

export const quietEvents: ReadonlySet<string> = new Set([
  'agent_message_delta',
  'agent_reasoning',
  'agent_reasoning_raw_content',
  'entered_review_mode',
  'error',
  'exited_review_mode',
  'image_generation_end',
  'item_started',
  'mcp_tool_call_end',
  'patch_apply_end',
  'stream_error',
  'sub_agent_activity',
  'task_complete',
  'task_started',
  'thread_goal_updated',
  'thread_name_updated',
  'thread_rolled_back',
  'thread_settings_applied',
  'token_count',
  'turn_aborted',
  'undo_completed',
  'view_image_tool_call',
  'warning',
  'web_search_end',
]);

export const quietItems: ReadonlySet<string> = new Set([
  'EnteredReviewMode',
  'ExitedReviewMode',
  'HookPrompt',
  'ImageGeneration',
  'ImageView',
  'Plan',
  'Reasoning',
  'Sleep',
  'SubAgentActivity',
]);

const opening =
  /^\{"timestamp":"[^"\\]{0,40}",("ordinal":\d{1,9},)?"type":"([a-z_]{1,40})"(?:,"payload":\{"type":"([a-z_]{1,40})")?/;
const openingBytes = 200;

/** Whether the bytes start as Codex starts a silent line. A line that starts in another way is parsed. */
export function isSilentLine(line: Buffer): boolean {
  const found = opening.exec(line.toString('latin1', 0, openingBytes));
  if (found === null) return false;
  const [, ordinal, type = '', event = ''] = found;
  if (type === 'event_msg') return quietEvents.has(event);
  // Without a number it may be a call of a tool that is noted nowhere else.
  if (type === 'response_item') return ordinal !== undefined || event === 'message' || event === 'reasoning';
  return quietTypes.has(type);
}
