// Markdown on a terminal: golden screens at several widths, and what no text can do.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { widthOf } from '../../../src/render/columns.ts';
import { formatMarkdownLines, type TextStyle } from '../../../src/render/conversation/markdown.ts';
import { anyText, toPlain } from '../made-hits.ts';

const noMark: TextStyle['mark'] = (text) => [{ text, isMatch: false }];
const style = (columns: number, useColor = false): TextStyle => ({
  useColor,
  columns,
  wideColumns: columns,
  mark: noMark,
});

const answer = `# The plan

Two **separate** fixes for \`verify\`, see [the docs](https://example.com/docs):

- **Cause:** the node has lost NTP. Drain it and restart it.
- Tolerance:
  1. pass \`clockTolerance\`
  2. default 30

> Do not raise it to hide the broken node.

\`\`\`ts
export const skewSeconds = Number(process.env.JWT_CLOCK_SKEW_SECONDS ?? 30);
\`\`\`

| pod | skew |
|---|--:|
| a | 0.2 s |
| 数据库 | 390 s |

---
done<br>`;

describe('an answer', () => {
  test('at 60 columns, without colour', () => {
    expect(formatMarkdownLines(answer, style(60)).join('\n')).toBe(`# The plan

Two **separate** fixes for \`verify\`, see the docs
(https://example.com/docs):

• **Cause:** the node has lost NTP. Drain it and restart it.
• Tolerance:
  1. pass \`clockTolerance\`
  2. default 30

│ Do not raise it to hide the broken node.

  export const skewSeconds =
  Number(process.env.JWT_CLOCK_SKEW_SECONDS ?? 30);

pod      skew
──────  ─────
a       0.2 s
数据库  390 s

────────────────────────────────────────

done<br>`);
  });

  test('at 24 columns', () => {
    expect(formatMarkdownLines(answer.slice(answer.indexOf('- **Cause')), style(24)).join('\n')).toBe(
      `• **Cause:** the node
  has lost NTP. Drain it
  and restart it.
• Tolerance:
  1. pass
     \`clockTolerance\`
  2. default 30

│ Do not raise it to
│ hide the broken node.

  export const
  skewSeconds =
  Number(process.env.JWT
  _CLOCK_SKEW_SECONDS ??
  30);

pod      skew
──────  ─────
a       0.2 s
数据库  390 s

────────────────────────

done<br>`,
    );
  });

  test('in colour the marks are gone', () => {
    const shown = formatMarkdownLines('**Now** run `npm test`, *please*', style(60, true)).join('\n');
    expect(shown).toBe('\x1b[1mNow\x1b[22m run \x1b[36mnpm test\x1b[39m, \x1b[3mplease\x1b[23m');
  });

  test('a table that is too wide becomes a list', () => {
    const table = `| name | what it does |\n|---|---|\n| index | brings the index up to date |\n| open | resumes |`;
    expect(formatMarkdownLines(table, style(24)).join('\n')).toBe(
      `name: index
  what it does: brings
  the index up to date

name: open
  what it does: resumes`,
    );
  });
});

describe('any text', () => {
  const marks = fc.constantFrom(
    '# ',
    '- ',
    '1. ',
    '> ',
    '```\n',
    '|a|b|\n|-|-|\n',
    '**',
    '`',
    '\n',
    '\n\n',
    '    ',
    '[x](',
    ')',
    '&#27;',
    '&#x202e;',
    '![',
  );
  const anyMarkdown = fc.array(fc.oneof(marks, anyText), { maxLength: 15 }).map((pieces) => pieces.join(''));

  test('fits the width and sends no escape sequence', () => {
    fc.assert(
      fc.property(anyMarkdown, fc.integer({ min: 30, max: 90 }), (text, columns) => {
        for (const line of formatMarkdownLines(text, style(columns, true))) {
          expect(toPlain(line)).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
          expect(widthOf(toPlain(line))).toBeLessThanOrEqual(Math.max(columns, 30));
        }
      }),
    );
  });

  test('an escape sequence written as an entity stays harmless', () => {
    expect(formatMarkdownLines('&#27;[2J &#x9b;2J &#x202e;x', style(60)).join('')).not.toMatch(
      /[\x1b\x9b\u202e]/,
    );
  });
});
