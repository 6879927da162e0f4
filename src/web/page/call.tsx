// A tool call that was opened: what it was given, a change of a file as a diff, what it answered, and its images.

import { diffLines } from 'diff';
import { useEffect, useState } from 'preact/hooks';
import type { CallPage, ShownCall } from '../answers.ts';
import { ask, askBlob, toAddress } from './state.ts';

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

function Detail({ sessionId, call }: Omit<CallProps, 'isOpen'>) {
  const [detail, setDetail] = useState<CallPage | null>(null);
  const [isWhole, setWhole] = useState(false);
  const given = { id: sessionId, line: String(call.line), nth: String(call.nth) };
  useEffect(() => {
    const abort = new AbortController();
    ask<CallPage>(toAddress('call', given, { whole: isWhole ? '1' : null }), abort.signal).then(
      setDetail,
      () => {},
    );
    return () => abort.abort();
  }, [sessionId, call.line, call.nth, isWhole]);
  if (detail === null) return <p class="hint">…</p>;
  const changes = findChanges(call.name, detail.given);
  const others = detail.given.filter(
    ({ name, text }) => !changes.names.has(name) && (call.target === '' || !text.endsWith(call.target)),
  );
  const images = Array.from({ length: detail.imageCount }, (_, i) => i);
  const isEmpty = others.length + changes.diffs.length + images.length === 0 && !detail.output;
  return (
    <div class="detail">
      {others.map(({ name, text }) => (
        <LongText title={name || 'input'} text={text} />
      ))}
      {changes.diffs.map((lines) => (
        <Diff lines={lines} />
      ))}
      {detail.output && <LongText title="output" text={detail.output} />}
      {images.map((image) => (
        <TranscriptImage address={toAddress('image', given, { image: String(image) })} />
      ))}
      {isEmpty && <p class="hint">Nothing else is known of this call.</p>}
      {detail.isCut && !isWhole && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          show all
        </button>
      )}
    </div>
  );
}

const shownLines = 16;

function LongText({ title, text }: { readonly title: string; readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  const lines = text.split('\n');
  const isLong = lines.length > shownLines * 1.5;
  const isOneLine = lines.length === 1 && text.length < 100;
  if (isOneLine)
    return (
      <p class="value">
        <span>{title}</span> <code>{text}</code>
      </p>
    );
  return (
    <figure class="long">
      <figcaption>{title}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key */}
      <pre tabIndex={0}>{isLong && !isWhole ? lines.slice(0, shownLines).join('\n') : text}</pre>
      {isLong && (
        <button type="button" class="link" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'show less' : `show all ${lines.length} lines`}
        </button>
      )}
    </figure>
  );
}

type DiffLine = readonly [sign: '+' | '-' | ' ' | '@', text: string];

/** What an edit, a new file or a patch changes, and the names of the values that say so. */
function findChanges(tool: string, given: CallPage['given']) {
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
const shownDiffLines = 40;

function Diff({ lines }: { readonly lines: readonly DiffLine[] }) {
  const [isWhole, setWhole] = useState(false);
  const isLong = lines.length > shownDiffLines * 1.5;
  return (
    <figure class="long">
      <figcaption>change</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key */}
      <pre class="diff" tabIndex={0}>
        {lines.slice(0, isLong && !isWhole ? shownDiffLines : undefined).map(([sign, text]) => (
          <span class={signNames[sign]}>{`${sign === '@' ? '' : `${sign} `}${text}\n`}</span>
        ))}
      </pre>
      {isLong && (
        <button type="button" class="link" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'show less' : `show all ${lines.length} lines`}
        </button>
      )}
    </figure>
  );
}

/** As a blob, since an address could not carry the token. */
export function TranscriptImage({ address }: { readonly address: string }) {
  const [source, setSource] = useState<string | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    let made = '';
    askBlob(address, abort.signal).then(
      (blob) => {
        made = URL.createObjectURL(blob);
        setSource(made);
      },
      () => {},
    );
    return () => {
      abort.abort();
      if (made !== '') URL.revokeObjectURL(made);
    };
  }, [address]);
  return source === null ? null : <img class="picture" src={source} alt="in the transcript" />;
}

/** The images of a message, where the transcript still has them. */
export function MessageImages({ sessionId, line }: { readonly sessionId: string; readonly line: number }) {
  const [count, setCount] = useState(0);
  const given = { id: sessionId, line: String(line) };
  useEffect(() => {
    const abort = new AbortController();
    ask<{ count: number }>(toAddress('images', given), abort.signal).then(
      (answer) => setCount(answer.count),
      () => {},
    );
    return () => abort.abort();
  }, [sessionId, line]);
  return (
    <>
      {Array.from({ length: count }, (_, i) => (
        <TranscriptImage address={toAddress('image', given, { image: String(i) })} />
      ))}
    </>
  );
}
