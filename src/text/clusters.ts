// Characters that are drawn as one and so are never parted. Node's own segmenter takes tens of milliseconds to load, as
// long as the search itself, so they are told by simple rules; where these are wrong, a line comes out shorter than it
// could be.

/** Marks, joiners and variation selectors stand with the character before them. */
const extending = /^[\p{M}\p{Cf}]$/u;
/** So do a skin tone after a picture, and a picture that is joined to another. */
const picture = /^\p{Extended_Pictographic}$/u;
const skinTone = /^\p{Emoji_Modifier}$/u;
const openPicture = /\p{Extended_Pictographic}[\p{Mn}\p{Me}\p{Emoji_Modifier}]*\u200d$/u;

export function toClusters(text: string): string[] {
  const clusters: string[] = [];
  let before = '';
  for (const character of text) {
    const cluster = clusters.at(-1) ?? '';
    const isToned = skinTone.test(character) && picture.test(before);
    const isJoined = before === '\u200d' && picture.test(character) && openPicture.test(cluster);
    if (cluster !== '' && (isToned || isJoined || extending.test(character)))
      clusters[clusters.length - 1] += character;
    else clusters.push(character);
    before = character;
  }
  return clusters;
}
