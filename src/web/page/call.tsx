// A tool call that was opened: what it was given, a change of a file as a diff, what it answered, and its images.

import { diffLines } from 'diff';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Answers } from '../routes.ts';
import { askBlob, type Given, useAnswer } from './state.ts';

type CallDetail = Answers['call'];

export interface ShownCall {
  readonly line: number;
  readonly nth: number;
  readonly name: string;
  readonly target: string;
  readonly isError: boolean;
}

interface CallProps {
  readonly sessionId: string;
  readonly call: ShownCall;
  readonly isOpen: boolean;
}

export function Call({ sessionId, call, isOpen: isFirstOpen }: CallProps) {
  const [isOpen, setOpen] = useState(isFirstOpen);
  useEffect(() => setOpen(isFirstOpen), [isFirstOpen]);
  return (
    <li class={call.isError ? 'call error' : 'call'}>
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <b>{call.name}</b> <span>{call.target}</span>
        {call.isError && <em>failed</em>}
      </button>
      {isOpen && <Detail sessionId={sessionId} call={call} />}
    </li>
  );
}

/** Of a text, and of a change. */
const [shownLines, shownChanges] = [16, 40];

function Detail({ sessionId, call }: Omit<CallProps, 'isOpen'>) {
  const [isWhole, setWhole] = useState(false);
  const given = { id: sessionId, line: call.line, nth: call.nth };
  const { answer } = useAnswer('call', { ...given, whole: isWhole ? 1 : null }, true);
  if (answer === undefined) return <p class="hint">…</p>;
  const { names, diffs } = findChanges(call.name, answer.given);
  const texts = answer.given
    .filter(({ name, text }) => !names.has(name) && (call.target === '' || !text.endsWith(call.target)))
    .map(({ name, text }) => ({ title: name || 'input', lines: text.split('\n') }));
  if (answer.output !== '') texts.push({ title: 'output', lines: answer.output.split('\n') });
  // A little more is no reason to cut.
  const isLong =
    texts.some(({ lines }) => lines.length > shownLines * 1.5) ||
    diffs.some((lines) => lines.length > shownChanges * 1.5);
  const cut = <Line,>(lines: readonly Line[], most: number) =>
    isLong && !isWhole ? lines.slice(0, most) : lines;
  const isEmpty = texts.length + diffs.length + answer.imageCount === 0;
  return (
    <div class="detail">
      {diffs.map((lines) => (
        <Text title="change" isDiff>
          {cut(lines, shownChanges).map(([sign, text]) => (
            <span class={signNames[sign]}>{`${sign === '@' ? '' : `${sign} `}${text}\n`}</span>
          ))}
        </Text>
      ))}
      {texts.map(({ title, lines }) =>
        lines.length === 1 && (lines[0] ?? '').length < 100 ? (
          <p class="value">
            <span>{title}</span> <code>{lines[0]}</code>
          </p>
        ) : (
          <Text title={title}>{cut(lines, shownLines).join('\n')}</Text>
        ),
      )}
      <Images count={answer.imageCount} given={given} />
      {isEmpty && <p class="hint">Nothing else is known of this call.</p>}
      {(isLong || answer.isCut) && (
        <button type="button" class="link" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'show less' : 'show all'}
        </button>
      )}
    </div>
  );
}

interface TextProps {
  readonly title: string;
  readonly isDiff?: boolean;
  readonly children: ComponentChildren;
}

function Text({ title, isDiff = false, children }: TextProps) {
  return (
    <figure class="long">
      <figcaption>{title}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key */}
      <pre class={isDiff ? 'diff' : ''} tabIndex={0}>
        {children}
      </pre>
    </figure>
  );
}

type DiffLine = readonly [sign: '+' | '-' | ' ' | '@', text: string];

/** What an edit, a new file or a patch changes, and the names of the values that say so. */
function findChanges(tool: string, given: CallDetail['given']) {
  const names = new Set<string>();
  const diffs: DiffLine[][] = [];
  const take = (name: string) => {
    const found = given.find((each) => each.name === name)?.text;
    if (found !== undefined) names.add(name);
    return found ?? '';
  };
  for (const { name, text } of given) {
    const [, before = '', old] = /^(.*?)(old_?(?:string|str|text)|oldText)$/i.exec(name) ?? [];
    if (old !== undefined) {
      names.add(name);
      const after = given.find(
        (each) =>
          each.name.startsWith(before) && each.name.slice(before.length) === old.replace(/^old/i, 'new'),
      );
      diffs.push(compareLines(text, after === undefined ? '' : take(after.name)));
    } else if (/^(write|create|write_file)$/i.test(tool) && /^(content|file_text)$/.test(name)) {
      diffs.push(compareLines('', take(name)));
    } else if (text.includes('*** Begin Patch') || /^(?:---|diff --git|@@ )/m.test(text)) {
      names.add(name);
      diffs.push(
        text.split('\n').map((line): DiffLine => {
          if (/^(@@|\*\*\*|diff |index |---|\+\+\+)/.test(line)) return ['@', line];
          const sign = line.startsWith('+') ? '+' : line.startsWith('-') ? '-' : ' ';
          return [sign, sign === ' ' ? line.replace(/^ /, '') : line.slice(1)];
        }),
      );
    }
  }
  return { names, diffs };
}

function compareLines(before: string, after: string): DiffLine[] {
  const whole = (text: string) => (text === '' ? '' : `${text}\n`);
  return diffLines(whole(before), whole(after)).flatMap(({ added, removed, value }) => {
    const sign = added ? '+' : removed ? '-' : ' ';
    const lines = value.replace(/\n$/, '').split('\n');
    return lines.map((text): DiffLine => [sign, text]);
  });
}

const signNames = { '+': 'added', '-': 'removed', ' ': 'same', '@': 'place' } as const;

interface ImagesProps {
  readonly count: number;
  readonly given: Given;
}

function Images({ count, given }: ImagesProps) {
  return (
    <>
      {Array.from({ length: count }, (_, image) => (
        <Image given={{ ...given, image }} />
      ))}
    </>
  );
}

/** As a blob, since an address could not carry the token. */
function Image({ given }: Pick<ImagesProps, 'given'>) {
  const [source, setSource] = useState<string | null>(null);
  useEffect(() => {
    const made = askBlob('image', given).then(URL.createObjectURL);
    made.then(setSource, () => {});
    return () => void made.then(URL.revokeObjectURL, () => {});
  }, []);
  return source === null ? null : <img class="picture" src={source} alt="in the transcript" />;
}

/** The images of a message, where the transcript still has them. */
export function MessageImages({ sessionId, line }: { readonly sessionId: string; readonly line: number }) {
  const given = { id: sessionId, line };
  const { answer } = useAnswer('images', given, true);
  return <Images count={answer?.count ?? 0} given={given} />;
}
