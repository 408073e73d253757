/** Whether Go's mail.ParseAddress takes the text: `a@b`, `<a@b>` or `Name <a@b>`. Encoded words and comments are not read. */
export function parseAddress(text: string): boolean {
  const bracketed = /^\s*(?:"(?:[^"\\]|\\.)*"|[\w!#$%&'*+\-/=?^`{|}~. \u0080-\u{10ffff}]*?)\s*<([^<>]*)>\s*$/u.exec(
    text,
  );
  return isAddressSpec((bracketed?.[1] ?? text).trim());
}

const atom = /^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~\u0080-\u{10ffff}]+$/u;

function isAddressSpec(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1) return false;
  const local = text.slice(0, at);
  const domain = text.slice(at + 1);
  const quoted = /^"(?:[^"\\\r\n]|\\.)+"$/.test(local);
  if (!quoted && !isDotAtom(local)) return false;
  return isDotAtom(domain) || /^\[[0-9a-fA-F.:]+\]$/.test(domain);
}

function isDotAtom(text: string): boolean {
  return text.split('.').every((part) => atom.test(part));
}
