// Words that say little about what a person is looking for. They never have to match and barely count:
// "when did we move the queue to redis?" is about move, queue and redis.

const functionWords = `a about after again all also am an and any are as at be because been before being but by can could
  did do does doing done down each for from further get got had has have having he her here hers him his how i if in into
  is it its itself just let lets like me more most my no nor not now of off ok okay on once only or other our ours out over
  own please same she should so some such than that the their theirs them then there these they this those through to too
  under until up us very was we were what when where which while who whom why will with would yes you your yours yourself
  im ive id dont doesnt didnt cant wont isnt arent wasnt youre thats whats theres ll re ve m s t d`;

/**
 * Words that belong to the question rather than to the answer; they count a little more, since they may be
 * meant.
 */
const askingWords = `many much long often number total amount suggest recommend recommendation remind tell tips tip advice
  idea ideas mention mentioned remember know ago passed current currently last past recent recently different help helpful
  want wanted need think something thing things way make made find take took`;

const toSet = (words: string) => new Set(words.split(/\s+/));
const weak = toSet(functionWords);
const asking = toSet(askingWords);

export type Strength = 'strong' | 'asking' | 'weak';

export function toStrength(word: string): Strength {
  if (weak.has(word)) return 'weak';
  return asking.has(word) ? 'asking' : 'strong';
}
