/** The longest beginning of the text that fits in so many bytes of UTF-8, never with half a character at its end. */
export function cutText(text: string, maxBytes: number): string {
  const whole = text.toWellFormed();
  const bytes = Buffer.from(whole);
  if (bytes.length <= maxBytes) return whole;
  let end = maxBytes;
  // A byte of the form 10xxxxxx continues a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString();
}
