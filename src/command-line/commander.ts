// commander, with flags and arguments typed from their definitions by a package that is types only.

import type * as typed from '@commander-js/extra-typings';
import { Argument as PlainArgument, Command as PlainCommand, Option as PlainOption } from 'commander';

export const Argument = PlainArgument as unknown as typeof typed.Argument;
export const Command = PlainCommand as unknown as typeof typed.Command;
export const Option = PlainOption as unknown as typeof typed.Option;

export const shellNames = ['bash', 'zsh', 'fish', 'powershell'] as const;

export interface GlobalFlags {
  readonly claudeDir?: string[];
  readonly agentDir?: string[];
  readonly db?: string;
  readonly archive?: string | boolean;
  readonly json?: true;
  readonly color: 'auto' | 'always' | 'never';
  readonly quiet?: true;
  readonly verbose?: true;
}

export type Program = typed.Command;
export type CommandOf<Args extends unknown[], Flags extends typed.OptionValues> = typed.Command<Args, Flags>;

export type FlagsOf<Add extends (program: Program) => { opts(): unknown }> = ReturnType<
  ReturnType<Add>['opts']
>;
