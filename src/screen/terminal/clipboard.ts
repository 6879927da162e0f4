// Text for the clipboard of the person's own terminal: OSC 52, which also works over ssh.

/** Terminals drop longer ones. */
const maxChars = 74_994;

/** Null if the text is too long. */
export function toClipboard(text: string, isInMultiplexer: boolean): string | null {
  const encoded = Buffer.from(text).toString('base64');
  if (encoded.length > maxChars) return null;
  const sequence = `\x1b]52;c;${encoded}\x07`;
  // tmux takes the plain one if it may set the clipboard, and passes the wrapped one on if it may do that.
  return isInMultiplexer ? `${sequence}\x1bPtmux;\x1b${sequence}\x1b\\` : sequence;
}
