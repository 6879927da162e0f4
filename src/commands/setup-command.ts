// recall setup: says what to configure in Claude Code and, when asked to, does it or undoes it. The one command that writes
// among Claude Code's own files, and only into the two that hold a person's settings.

import type { Context } from '../command-line/context.ts';
import { toClaudeFiles } from '../config.ts';
import { EXIT_NOTHING_FOUND, EXIT_OK, UserError } from '../errors.ts';
import { toJsonText } from '../render/json-text.ts';
import { toSetupDiff, toSetupJson, toSetupOutcome, toSetupPage } from '../render/setup-page.ts';
import type { Part } from '../setup/claude-settings.ts';
import { isOnPath } from '../setup/is-on-path.ts';
import { carryOut, planStep, type Step } from '../setup/plan-step.ts';

export interface SetupFlags {
  readonly write?: boolean;
  readonly remove?: boolean;
  readonly yes?: boolean;
  readonly mcp?: boolean;
  readonly hook?: boolean;
}

export async function runSetup(context: Context, flags: SetupFlags): Promise<number> {
  const steps = planSteps(context, flags);
  if (!flags.remove && !isOnPath('recall', context.at.env.PATH, context.at.platform))
    context.note(
      'recall is not on your PATH, where Claude Code looks for it: npm install -g recall-sessions',
    );
  const isPreview = !flags.write && !flags.remove;
  const { useColor, givenFlags } = context;
  const options = { homeDir: context.at.homeDir, useColor, givenFlags };
  if (isPreview) {
    context.print(context.json ? toJsonText(toSetupJson(steps, false)) : toSetupPage(steps, options));
    return EXIT_OK;
  }
  const changes = steps.filter(({ verdict }) => verdict === 'change');
  if (changes.length > 0) {
    if (!context.json && !(context.quiet && flags.yes)) context.print(toSetupDiff(changes, options));
    if (!flags.yes && !(await isWanted(context, flags))) {
      context.note('nothing was changed');
      return EXIT_NOTHING_FOUND;
    }
    carryOutAll(changes);
  }
  if (context.json) context.print(toJsonText(toSetupJson(steps, true)));
  else if (!context.quiet) context.print(toSetupOutcome(steps, options));
  return EXIT_OK;
}

/** When one fails, what was done before it is said. */
function carryOutAll(changes: readonly Step[]): void {
  const done: string[] = [];
  for (const change of changes) {
    try {
      carryOut(change);
      done.push(change.path);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const { message, code, hint = 'mend it and run this again', cause } = error;
      const before =
        done.length === 0 ? '' : `${done.join(', ')} ${done.length === 1 ? 'is' : 'are'} changed already; `;
      throw new UserError(message, { code, hint: `${before}${hint}`, cause });
    }
  }
}

function planSteps(context: Context, flags: SetupFlags): Step[] {
  const parts: Part[] = [
    ...(flags.mcp !== false ? ['mcp' as const] : []),
    ...(flags.hook !== false ? ['hook' as const] : []),
  ];
  if (parts.length === 0)
    throw new UserError('--no-mcp and --no-hook together leave nothing to set up', {
      code: 'usage',
      hint: 'recall setup claude',
    });
  return context.roots().flatMap((root) => {
    const { settingsPath, userConfigPath } = toClaudeFiles(root, context.at);
    return parts.map((part) =>
      planStep(part, part === 'mcp' ? userConfigPath : settingsPath, flags.remove ?? false),
    );
  });
}

async function isWanted(context: Context, flags: SetupFlags): Promise<boolean> {
  if (!context.stdout.isTerminal || context.json) {
    throw new UserError('setup would change settings of Claude Code', {
      code: 'needs-confirmation',
      hint: `recall setup claude ${flags.remove ? '--remove' : '--write'} --yes`,
    });
  }
  return context.confirm(flags.remove ? 'Take this out? [y/N] ' : 'Make these changes? [y/N] ');
}
