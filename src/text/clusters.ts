// Characters that are drawn as one and so are never split. Node's own segmenter takes tens of milliseconds to load, so
// simple rules recognise them; where the rules are wrong, a line is shorter than it could be.

/** Marks, joiners and variation selectors belong to the character before them. */
const extending = /^[\p{M}\p{Cf}]$/u;
/** So do a skin tone after a picture, and a picture joined to another, even across its marks and its tone. */
const picture = /^\p{Extended_Pictographic}$/u;
const skinTone = /^\p{Emoji_Modifier}$/u;
const mark = /^[\p{Mn}\p{Me}]$/u;
const joiner = '\u200d';

/** Latin letters and ordinary signs are clusters on their own; the first use of a Unicode class takes milliseconds. */
const simple = /^[\x00-\xac\xae-\u02ff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u2199\u2500-\u257f]*$/;

export function toClusters(text: string): string[] {
  if (simple.test(text)) return text.split('');
  const clusters: string[] = [];
  let before = '';
  /** Whether the characters so far end with a picture, or with a picture and a joiner. */
  let end: 'picture' | 'joined' | 'other' = 'other';
  for (const character of text) {
    const isPicture = picture.test(character);
    const isTone = skinTone.test(character);
    const isJoined = isPicture && end === 'joined';
    const isToned = isTone && picture.test(before);
    if (before !== '' && (isToned || isJoined || extending.test(character)))
      clusters[clusters.length - 1] += character;
    else clusters.push(character);
    if (isPicture) end = 'picture';
    else if (end === 'picture' && character === joiner) end = 'joined';
    else if (end !== 'picture' || !(isTone || mark.test(character))) end = 'other';
    before = character;
  }
  return clusters;
}
