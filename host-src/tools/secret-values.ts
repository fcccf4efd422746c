/** Tells a secret written out from what stands in its place: a variable, a star, a word of a manual, a piece of code. */

/** Values that say what is to be put there, or that there is nothing. */
const WORDS = new Set(
  (
    'null none nil true false undefined unset unknown empty yes no on off default required optional invalid missing expired enabled ' +
    'disabled string str text number int bool boolean bytes any object value name key user username email password passwd ' +
    'passphrase secret token tokens credential credentials prompt stdin file path env environment vault redacted masked hidden ' +
    'removed omitted example placeholder changed created deleted updated revoked rotated generated valid present absent set not ' +
    'the this your from with for and process self config settings options params args getenv function const await async return ' +
    'bearer basic plain identifier keyword literal punctuator symbol operator eof word whitespace'
  ).split(' '),
)

/** Not a secret, whatever the name before it. */
export function isPlaceholder(value: string): boolean {
  return (
    /^(?:[<{[(*\\]|\$[A-Za-z_{(]|%[A-Za-z_({])/.test(value) ||
    /^(.)\1*[.,;)\]}]*$/s.test(value) ||
    /^(?:\.\.\.|…|x{3,}|your[_-]|[^\u0020-\u007e])/i.test(value) ||
    WORDS.has(value.replace(/[.,;:!?)\]}]+$/, '').toLowerCase())
  )
}

/** `process.env.TOKEN`, `getToken()`, `args->password`: what a program says instead of the value. */
export function isCode(value: string): boolean {
  return (
    /^[A-Za-z_$.]+(?:\(|\[['"\d])|^[A-Za-z_$][\w$]*(?:=>|->|::)/.test(value) ||
    /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+[,;)]*$/.test(value) ||
    /^[a-z_]*(?:password|passwd|secret|token|key)[,;)]*$/i.test(value)
  )
}

/** A path, or a name like those of Kubernetes: kebab-case with at most digits. */
export function isPathOrName(value: string): boolean {
  return /^(?:[A-Za-z]:\\|~?\.{0,2}\/)[^+=]*$/.test(value) || /^[a-z0-9]+(?:[-._/:][a-z0-9]+)+[,;]?$/.test(value)
}

export function isMixed(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value)
}
