// A word as shells hand it over while it is being typed: with its quotes and backslashes, and the last quote still open.

export function unquoteWord(word: string): string {
  let text = '';
  let quote = '';
  for (let i = 0; i < word.length; i++) {
    const character = word.charAt(i);
    if (character === quote) quote = '';
    else if (quote === '' && (character === '"' || character === "'")) quote = character;
    else if (character === '\\' && quote !== "'" && i + 1 < word.length) text += word.charAt(++i);
    else text += character;
  }
  return text;
}
