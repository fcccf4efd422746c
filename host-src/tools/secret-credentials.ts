/** Finds what stands where credentials stand: in URLs, HTTP headers, and options of well-known commands. */
import type { SecretSpan } from './secret-span.ts'
import { isPlaceholder } from './secret-values.ts'

interface Place {
  readonly name: string
  /** With the flags `d` and `g`; its first group is the secret. */
  readonly pattern: RegExp
  readonly proof?: (value: string) => boolean
  /** Whether a value that the end of the text cuts is one. */
  readonly isOpen?: (value: string) => boolean
}

const always = (): boolean => true
const looksRandom = (value: string): boolean => /\d/.test(value) && /[A-Za-z]/.test(value)

/** Every quantifier is bounded or followed by something that it cannot take, so that each search is linear. */
const PLACES: readonly Place[] = [
  { name: 'password in a URL', pattern: /:\/\/[^\s/@:"'<>[\]]{0,256}:([^\s/"'<>]{1,256})@/dg },
  { name: 'credentials in a URL', pattern: /:\/\/([^\s/@:"'<>]{20,256})@/dg, proof: looksRandom },
  {
    // Not yet known to be credentials: the text ends in it. A port is none.
    name: 'password in a URL',
    pattern: /:\/\/[^\s/@:"'<>[\]]{0,256}:([^\s/"'<>@]{1,256})$/dg,
    proof: (value) => !/^\d{1,5}$/.test(value),
    isOpen: (value) => !/^\d{1,5}$/.test(value),
  },
  {
    name: 'signature in a URL',
    pattern: /[?&](?:sig|signature|x-(?:amz|goog)-(?:signature|credential|security-token))=([\w%+/=.~-]{1,4096})/dgi,
    proof: ({ length }) => length >= 16,
    isOpen: always,
  },
  {
    name: 'authorization',
    pattern:
      /\bauthorization["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?:(?:aws4-hmac-sha256|digest|hmac|signature)[ \t]([^"'\n]{1,4096}))/dgi,
    isOpen: always,
  },
  {
    name: 'authorization',
    pattern:
      /\bauthorization["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?:bearer|basic|token|negotiate|ntlm|apikey|api-key|bot|key)[ \t]{1,4}([^\s"'`,;]{1,8192})/dgi,
    isOpen: always,
  },
  {
    name: 'authorization',
    pattern: /\bauthorization["']?[ \t]{0,4}[:=][ \t]{0,4}["']?([^\s"'`,;:]{8,8192})(?=["'`,;\s]|$)/dgi,
    proof: (value) => looksRandom(value) && value.length >= 12,
    isOpen: looksRandom,
  },
  {
    name: 'bearer token',
    pattern: /\bbearer[ \t]{1,4}["']?([\w.~+/=-]{1,8192})/dgi,
    proof: (value) => value.length >= 16 && looksRandom(value),
    isOpen: always,
  },
  { name: 'password', pattern: /\bsshpass[ \t]{1,4}-p[ \t]{0,4}["']?([^\s"']{1,256})/dg, isOpen: always },
  {
    name: 'password',
    pattern:
      /\b(?:curl|wget|http)\b[^\n]{0,300}?[ \t](?:-u|--user|--proxy-user)[ \t=]{1,4}["']?[^\s:"']{1,64}:([^\s"']{1,256})/dg,
    isOpen: always,
  },
  {
    name: 'password',
    pattern: /\blogin\s{1,4}\S{1,128}\s{1,8}password\s{1,4}(\S{1,256})/dg,
    isOpen: always,
  },
  {
    name: 'password',
    pattern: /\b(?:mysql|mysqldump|mariadb)\b[^\n]{0,300}?[ \t]-p([^\s"'-][^\s"']{3,256})/dg,
    isOpen: always,
  },
]

export function findCredentials(text: string): SecretSpan[] {
  const found: SecretSpan[] = []
  for (const { name, pattern, proof = always, isOpen = proof } of PLACES) {
    for (const { 1: value, indices } of text.matchAll(pattern)) {
      const [from, to] = indices?.[1] ?? [0, 0]
      if (value === undefined || isPlaceholder(value)) continue
      if (to === text.length ? isOpen(value) : proof(value)) found.push({ from, to, name })
    }
  }
  return found
}
