// A conversation for people at a terminal: Markdown rendered, wrapped to the screen, in colour. In a pipe, every text stays
// as it was written and no line is broken.

import type { Head, ListedSession, Part, ShownCall, Speaker } from '../../api/answers.ts';
import { recall, toHintText } from '../../hints.ts';
import type { Term } from '../../search/query/parse-query.ts';
import type { StoredMessage } from '../../store/read/read-conversation.ts';
import type { SessionInfo } from '../../store/word-index.ts';
import { toPrintable, toPrintableLine } from '../../text/printable.ts';
import { toMarkedPieces } from '../../text/snippet.ts';
import { asIs, type Colors, chooseColors, type Paint, wrapSpans } from '../colors.ts';
import { clip, widthOf } from '../columns.ts';
import { formatClock, formatCount, formatDay, formatNumbered } from '../quantities.ts';
import { type SessionLineOptions, shortenId } from '../sessions.ts';
import { formatCodeLines, formatMarkdownLines, formatPlainLines, type TextStyle } from './markdown.ts';
import {
  formatCallName,
  formatErrorCount,
  groupByTexts,
  kindNotes,
  listHeadFacts,
  nameSpeaker,
  nameSubagent,
  type Printer,
  splitTypedText,
  summarizeCalls,
  trimCallTexts,
} from './printer.ts';

export interface TerminalOptions extends SessionLineOptions {
  /** Cut and wrapped to the screen. */
  readonly isDrawn: boolean;
  readonly showsTools: boolean;
  readonly showsRecaps: boolean;
  readonly terms: readonly Term[];
}

/** Longer lines of prose are hard to read on a wide screen. */
const maxProseColumns = 100;
const indent = '  ';

export class TerminalPrinter implements Printer {
  private readonly options: TerminalOptions;
  private readonly colors: Colors;
  private readonly sessions: SessionInfo[] = [];
  private day = '';
  private before: Part['type'] | 'head' = 'head';

  constructor(options: TerminalOptions) {
    this.options = options;
    this.colors = chooseColors(options.useColor);
  }

  begin(head: Head): string {
    this.sessions.push(head.session);
    const { title, facts } = listHeadFacts(head, this.options);
    const labelWidth = Math.max(...facts.map(([label]) => label.length));
    const margin = ' '.repeat(labelWidth + 2);
    const lines = facts.flatMap(([label, value]) => {
      const spans = [{ text: value, paint: asIs }];
      const room = this.options.columns - margin.length;
      const [first = '', ...rest] = this.options.isDrawn ? wrapSpans(spans, room) : [value];
      const name = this.colors.dim(label.padEnd(labelWidth));
      return [`${name}  ${first}`, ...rest.map((line) => `${margin}${line}`)];
    });
    return [this.colors.bold(this.fit(title, this.options.columns)), ...lines].join('\n');
  }

  part(part: Part): string {
    const { before } = this;
    const isApart = before === 'message';
    this.before = part.type;
    switch (part.type) {
      case 'turn':
        return this.block([this.turnLine(part.speaker, part.timestamp, part.position)]);
      case 'message':
        return this.lines(this.messageLines(part.message), before !== 'turn');
      case 'recap':
        return this.block(this.recapLines(part.message, part.position));
      case 'calls':
        return this.lines(this.callLines(part.calls), isApart);
      case 'subagent':
        return this.lines([this.subagentLine('▸', part.subagent, true)], isApart);
      case 'inlined': {
        const said = `▸ a subagent’s ${formatNumbered(part.messageCount, 'message')}: --subagents`;
        return this.lines([this.colors.magenta(said)], isApart);
      }
      case 'gap':
        return this.block([this.colors.dim(`… ${formatNumbered(part.messageCount, 'message')} …`)]);
    }
  }

  openSubagent({ session: subagent }: ListedSession): string {
    const text = this.lines([this.subagentLine('▾', subagent, false)], this.before === 'message');
    this.sessions.push(subagent);
    this.before = 'subagent';
    return text;
  }

  closeSubagent(): string {
    const subagent = this.sessions.pop();
    this.before = 'subagent';
    return this.lines([this.colors.magenta(this.clip(`▴ end of ${nameSubagent(subagent)}`))], false);
  }

  private turnLine(speaker: Speaker, timestamp: string | null, position: number | null): string {
    const day = formatDay(timestamp, this.options.now);
    const when = [day === this.day ? '' : day, formatClock(timestamp)].filter(Boolean).join(' ');
    if (day !== '') this.day = day;
    const name = this.clip(nameSpeaker(speaker, this.sessions.at(-1)), 30);
    const { cyan, yellow, magenta, bold, dim } = this.colors;
    const paint = { person: cyan, assistant: yellow, task: magenta, subagent: magenta }[speaker];
    const rest = [when, position === null ? '' : `#${position}`].filter(Boolean).join('  ');
    return `${bold(paint(name))}${rest === '' ? '' : `  ${dim(rest)}`}`;
  }

  private messageLines(message: StoredMessage): string[] {
    const note = kindNotes[message.kind];
    return [...(note === undefined ? [] : [this.colors.dim(`(${note})`)]), ...this.textLines(message)];
  }

  private textLines({ role, kind, text }: StoredMessage): string[] {
    if (!this.options.isDrawn) {
      const lines = toPrintable(text).trimEnd().split('\n');
      return lines.map((line) => this.highlight(line));
    }
    const style = this.buildStyle();
    if (role === 'assistant' || kind === 'task' || kind === 'recap') return formatMarkdownLines(text, style);
    const blocks = splitTypedText(toPrintable(text)).map((block) =>
      block.isCode ? formatCodeLines(block.text, style) : formatPlainLines(block.text, style),
    );
    return blocks.flatMap((block, i) => (i === 0 ? block : ['', ...block]));
  }

  private recapLines(message: StoredMessage, position: number): string[] {
    const start = '──── compacted here ';
    const rule = this.colors.dim(start.padEnd(Math.min(60, this.room()), '─'));
    const isMatching = toMarkedPieces(message.text, this.options.terms).some(({ isMatch }) => isMatch);
    if (this.options.showsRecaps || isMatching) return [rule, '', ...this.messageLines(message)];
    const words = toPrintable(message.text).split(/\s+/).length;
    return [
      rule,
      this.colors.dim(this.clip(`a recap of ${formatCount(words)} words, #${position}: --recaps`)),
    ];
  }

  private callLines(calls: readonly ShownCall[]): string[] {
    if (this.options.showsTools) return calls.flatMap((call) => this.unfoldedLines(call));
    // What was looked for is shown in full.
    return groupByTexts(calls).flatMap((run) =>
      run.hasTexts ? run.calls.flatMap((call) => this.unfoldedLines(call)) : [this.foldedLine(run.calls)],
    );
  }

  private unfoldedLines(call: ShownCall): string[] {
    const room = this.room() - 2;
    const name = formatCallName(call, this.sessions[0]?.project ?? null, Math.max(20, room));
    const fitted = this.fit(name, call.isError ? room - 7 : room);
    const line = call.isError ? this.colors.red(`✗ ${fitted}  error`) : this.colors.dim(`⋯ ${fitted}`);
    return [line, ...formatCallTexts(call, this.options.isDrawn ? this.buildStyle() : null)];
  }

  private foldedLine(calls: readonly ShownCall[]): string {
    const errors = formatErrorCount(calls);
    const room = this.room() - 2 - (errors === '' ? 0 : errors.length + 1);
    const summary = this.fit(summarizeCalls(calls, this.sessions[0]?.project ?? null), room);
    return `${this.colors.dim(`⋯ ${summary}`)}${errors === '' ? '' : ` ${this.colors.red(errors)}`}`;
  }

  private subagentLine(mark: string, subagent: SessionInfo, isFolded: boolean): string {
    const count = formatNumbered(subagent.messageCount, 'message');
    const command = recall('show', shortenId(subagent.nativeId));
    const more = isFolded ? `(${count})  ${toHintText(command, this.options.givenFlags)}` : `(${count})`;
    const room = this.room() - 2;
    const title = toPrintableLine(subagent.title ?? '');
    const name = [nameSubagent(subagent), title].filter(Boolean).join(': ');
    const head = this.fit(name, Math.max(16, room - widthOf(more) - 2));
    return this.colors.magenta(this.fit(`${mark} ${head}  ${more}`, room + 2));
  }

  private lines(lines: readonly string[], isApart: boolean): string {
    const margin = this.margin();
    const shown = lines.map((line) =>
      line === '' ? margin : `${margin}${this.options.isDrawn ? indent : ''}${line}`,
    );
    return (isApart ? [margin, ...shown] : shown).map((line) => line.trimEnd()).join('\n');
  }

  private block(lines: readonly string[]): string {
    return `${this.margin().trimEnd()}\n${lines.map((line) => `${this.margin()}${line}`.trimEnd()).join('\n')}`;
  }

  /** Messages of a subagent have a bar on their left. */
  private margin(): string {
    return `${this.options.isDrawn ? indent : ''}${this.colors.magenta('│')} `.repeat(
      this.sessions.length - 1,
    );
  }

  private room(): number {
    return this.options.columns - indent.length - (indent.length + 2) * (this.sessions.length - 1);
  }

  private buildStyle(): TextStyle {
    const columns = Math.max(16, this.room());
    return {
      useColor: this.options.useColor,
      columns: Math.min(maxProseColumns, columns),
      wideColumns: columns,
      mark: (text) => toMarkedPieces(text, this.options.terms),
    };
  }

  private highlight(line: string): string {
    if (!this.options.useColor) return line;
    return toMarkedPieces(line, this.options.terms)
      .map(({ text, isMatch }) => (isMatch ? this.colors.inverse(text) : text))
      .join('');
  }

  private clip(text: string, columns = this.room()): string {
    return clip(toPrintableLine(text), columns);
  }

  private fit(text: string, columns: number): string {
    return this.options.isDrawn ? clip(text, Math.max(1, columns)) : text;
  }
}

/** What a tool was given and what it answered. Without a style, every line stays as it was written. */
function formatCallTexts(call: ShownCall, style: TextStyle | null): string[] {
  const { input, output } = trimCallTexts(call);
  const colors = chooseColors(style?.useColor ?? false);
  const formatLines = (text: string, paint: Paint) => {
    if (text === '') return [];
    if (style === null) return toPrintable(text).split('\n');
    return formatCodeLines(text, style, { paint, indent: 4, margin: '' });
  };
  const indentLine = (line: string) => (line === '' ? '' : `    ${line}`);
  const [first, ...rest] = formatLines(output, call.isError ? colors.red : colors.dim);
  return [
    ...formatLines(input, colors.green).map(indentLine),
    ...(first === undefined ? [] : [`  ↳ ${first}`, ...rest.map(indentLine)]),
  ];
}
