// The hours of the day as bars side by side.

import type { Colors } from '../colors.ts';

const margin = 4;
const heights = '▁▂▃▄▅▆▇█';

export function toHourBars(hours: readonly number[], columns: number, { green, dim }: Colors): string[] {
  const most = Math.max(1, ...hours);
  const cell = Math.max(1, Math.min(3, Math.floor((columns - margin) / hours.length)));
  const bars = hours.map((count) => {
    if (count === 0) return `${dim('·')}${' '.repeat(cell - 1)}`;
    const height = heights[Math.max(0, Math.round((count / most) * heights.length) - 1)] ?? '';
    return `${green(height.repeat(Math.max(1, cell - 1)))}${cell > 1 ? ' ' : ''}`;
  });
  const axis = [0, 6, 12, 18].map((hour) => String(hour).padEnd(6 * cell)).join('');
  const indent = ' '.repeat(margin);
  return [`${indent}${bars.join('')}`.trimEnd(), `${indent}${axis}`.trimEnd()];
}
