// Whether a prompt says what a session is about. A greeting or a single short word does not, and makes a poor title.

/** Also in pairs: "hey there", "ok thanks". */
const smallTalkWords = `hi hello hey hiya howdy yo sup there claude again good morning afternoon evening thanks thank you please
  ok okay yes yep no nope sure cool nice great go on continue proceed resume retry test testing ping are still help me so
  well bye`;
const smallTalk = new Set(smallTalkWords.split(/\s+/));

/** A single word with fewer letters than this is a command such as `ls`, or a slip of the hand. */
const minLetters = 6;

export function isOfSubstance(text: string): boolean {
  const trimmed = text.trim();
  if (/^\/[\w:-]+$/.test(trimmed)) return false;
  const words = trimmed.toLowerCase().match(/[\p{L}\p{N}'’]+/gu) ?? [];
  if (words.every((word) => smallTalk.has(word))) return false;
  if (words.length > 1) return true;
  // A Chinese, Japanese or Korean character says about as much as two letters.
  const cjk =
    trimmed.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0;
  return (words[0]?.length ?? 0) + cjk >= minLetters;
}
