// What a person typed is shown as it was typed, since `__init__` is no emphasis to them; only fenced code is told from
// the rest.

export interface TypedBlock {
  readonly isCode: boolean;
  readonly language: string;
  readonly text: string;
}

const fence = /^ {0,3}(`{3,}|~{3,})[^\S\n]*([^\s`]*)[^\n`]*$/;

export function toTypedBlocks(text: string): TypedBlock[] {
  const blocks: TypedBlock[] = [];
  let lines: string[] = [];
  let open: { readonly mark: string; readonly language: string } | null = null;
  const end = (isCode: boolean, language: string) => {
    const joined = lines.join('\n');
    if (isCode || joined.trim() !== '')
      blocks.push({ isCode, language, text: isCode ? joined : joined.replace(/^\n+|\s+$/g, '') });
    lines = [];
  };
  for (const line of text.split('\n')) {
    const [, mark = '', language = ''] = fence.exec(line) ?? [];
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
