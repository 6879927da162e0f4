// commander with flags and arguments typed from their definitions, and the form that a command has here. The typings package is
// types only: what runs is commander.

import type * as typed from '@commander-js/extra-typings';
import { Argument as PlainArgument, Command as PlainCommand, Option as PlainOption } from 'commander';
import type { Context } from './context.ts';

export const Argument = PlainArgument as unknown as typeof typed.Argument;
export const Command = PlainCommand as unknown as typeof typed.Command;
export const Option = PlainOption as unknown as typeof typed.Option;

/** The shells that recall has scripts for. */
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

/** The program that commands are added to. */
export type Program = typed.Command;

/** A command with arguments and flags of these types. */
export type CommandOf<Args extends unknown[], Flags extends typed.OptionValues> = typed.Command<Args, Flags>;

/** Turns what a command does, with the exit code that it returns, into an action for commander. */
export type ToAction = <Given extends unknown[]>(
  runCommand: (context: Context, ...given: Given) => Promise<number>,
) => (...given: Given) => Promise<void>;
