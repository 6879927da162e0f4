// Which part of the screen each thing has. The preview is beside the list on a wide terminal, below it on a narrow one, and
// left out where there is no room for it.

import type { Size } from './terminal/frame.ts';

/** Rows and columns from 0. */
export interface Area {
  readonly top: number;
  readonly left: number;
  readonly rows: number;
  readonly columns: number;
}

export interface Layout {
  readonly hasStatus: boolean;
  readonly hasFooter: boolean;
  /** Between the prompt with its status and the footer. */
  readonly body: Area;
  readonly list: Area;
  readonly preview: Area | null;
}

const minColumnsForPreview = 60;
const minColumnsBeside = 100;
const minRowsBelow = 10;
/** A line of the conversation that is longer is hard to read. */
const maxPreviewColumns = 110;

export function toLayout({ columns, rows }: Size): Layout {
  const hasStatus = rows >= 4;
  const hasFooter = rows >= 5;
  const top = hasStatus ? 2 : 1;
  const body = { top, left: 0, rows: Math.max(0, rows - top - (hasFooter ? 1 : 0)), columns };
  return { hasStatus, hasFooter, body, ...divide(body) };
}

function divide(body: Area): Pick<Layout, 'list' | 'preview'> {
  const { top, rows, columns } = body;
  if (columns >= minColumnsBeside) {
    const preview = Math.min(maxPreviewColumns, Math.floor(columns * 0.54));
    const left = columns - preview;
    // A rule comes between, with a space on either side.
    return {
      list: { ...body, columns: left - 3 },
      preview: { ...body, left, columns: preview },
    };
  }
  if (columns < minColumnsForPreview || rows < minRowsBelow) return { list: body, preview: null };
  const above = Math.floor(rows * 0.45);
  return {
    list: { ...body, rows: above },
    preview: { ...body, top: top + above + 1, rows: rows - above - 1 },
  };
}
