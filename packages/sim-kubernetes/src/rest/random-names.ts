const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** A version 4 UUID out of the injected chance, so that a simulation repeats itself to the letter. */
export function createUuid(random: () => number): () => string {
  const word = (): number => (random() * 0x1_0000_0000) >>> 0;
  return () => {
    const [a, b, c, d] = [word(), (word() & 0xffff0fff) | 0x4000, (word() & 0x3fffffff) | 0x80000000, word()];
    return `${word32(a)}-${word16(b >>> 16)}-${word16(b)}-${word16(c >>> 16)}-${word16(c)}${word32(d)}`;
  };
}

const word16 = (value: number): string => `${hex[(value >>> 8) & 255]}${hex[value & 255]}`;
const word32 = (value: number): string => word16(value >>> 16) + word16(value);

/** Without vowels and look-alikes, so that no name says something. */
const suffixLetters = 'bcdfghjklmnpqrstvwxz2456789';
const longestName = 63;
const suffixLength = 5;

/** generateName plus five letters; a long prefix is cut so that the whole stays a label. */
export function generatedName(prefix: string, random: () => number): string {
  let name = prefix.slice(0, longestName - suffixLength);
  for (let index = 0; index < suffixLength; index++) {
    name += suffixLetters[Math.floor(random() * suffixLetters.length)] ?? 'x';
  }
  return name;
}
