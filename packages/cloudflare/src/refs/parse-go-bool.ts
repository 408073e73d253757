const words: Readonly<Record<string, boolean>> = {
  '1': true,
  t: true,
  T: true,
  true: true,
  TRUE: true,
  True: true,
  '0': false,
  f: false,
  F: false,
  false: false,
  FALSE: false,
  False: false,
};

/** What Go's strconv.ParseBool makes of a text; annotations have always been read like that. */
export function parseGoBool(text: string): boolean | undefined {
  return Object.hasOwn(words, text) ? words[text] : undefined;
}
