// What a person typed is shown as it was typed, because they do not mean `__init__` as emphasis; only fenced code is
// recognised.

export interface TypedBlock {
  readonly isCode: boolean;
  readonly language: string;
  readonly text: string;
}

const fence = /^ {0,3}(`{3,}|~{3,})/;

export function toTypedBlocks(text: string): TypedBlock[] {
  const blocks: TypedBlock[] = [];
  let lines: string[] = [];
  let open: { readonly mark: string; readonly language: string } | null = null;
  const end = (isCode: boolean, language: string) => {
    const joined = lines.join('\n');
    if (isCode || joined.trim() !== '')
      blocks.push({ isCode, language, text: isCode ? joined : joined.replace(/^\n+/, '').trimEnd() });
    lines = [];
  };
  for (const line of text.split('\n')) {
    const { mark, language } = parseFence(line);
    if (open === null && mark !== '') {
      end(false, '');
      open = { mark, language };
    } else if (open !== null && mark.startsWith(open.mark) && language === '') {
      end(true, open.language);
      open = null;
    } else lines.push(line);
  }
  end(open !== null, open?.language ?? '');
  return blocks;
}

/** The mark is empty if the line is not a fence. A pattern for the whole line would be tried at every place of a long one. */
function parseFence(line: string): { readonly mark: string; readonly language: string } {
  const [start = '', mark = ''] = fence.exec(line) ?? [];
  const info = line.slice(start.length);
  if (mark === '' || info.includes('`')) return { mark: '', language: '' };
  const [language = ''] = info.trimStart().split(/\s/, 1);
  return { mark, language };
}
