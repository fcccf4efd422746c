/** A place in a text that must not be shown: from `from` up to and without `to`, as indices of the text. */
export interface SecretSpan {
  readonly from: number
  readonly to: number
  /** For what takes its place. */
  readonly name: string
}
