// The few colours of a page as escape sequences, or no sequences where colour is off.

export type Paint = (text: string) => string;

export interface Colors {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly italic: Paint;
  readonly underline: Paint;
  readonly inverse: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly magenta: Paint;
  readonly cyan: Paint;
  readonly yellow: Paint;
  readonly brightGreen: Paint;
}

export function toColors(isOn: boolean): Colors {
  const paint =
    (on: number, off: number): Paint =>
    (text) =>
      isOn && text !== '' ? `\x1b[${on}m${text}\x1b[${off}m` : text;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    italic: paint(3, 23),
    underline: paint(4, 24),
    inverse: paint(7, 27),
    red: paint(31, 39),
    green: paint(32, 39),
    magenta: paint(35, 39),
    cyan: paint(36, 39),
    yellow: paint(33, 39),
    brightGreen: paint(92, 39),
  };
}
