/** The marks of our hooks in a text: how they look, and the text without them. */

/** Kind, exit status where one stands, nonce, further fields. */
// oxlint-disable-next-line no-control-regex -- control sequences are what this is about
export const MARK = /\u001b\]133;([A-Z])(?:;(-?\d*))?;k=([0-9a-f]{32})((?:;[a-z]=[^\u0007\u001b;]*)*)\u0007/g

export const withoutMarks = (output: string): string => output.replace(MARK, '')
