/**
 * Who may reach the plugin, as one table: the unit tests ask the rule itself, the integration and end-to-end tests send
 * each row over a real socket to every path there is. HOST stands for the authority of the server under test.
 */
export const HOST = '{host}'
export const PORT = '{port}'

export interface FenceRow {
  readonly name: string
  /** Request headers; null leaves one out that is there otherwise. The plain request has `host: HOST` and no other. */
  readonly headers: Readonly<Record<string, string | null>>
  /** Whether the headers alone let a request through, by what it wants. */
  readonly read: boolean
  readonly write: boolean
  readonly upgrade: boolean
}

const all = (name: string, headers: FenceRow['headers'], isLetThrough: boolean): FenceRow => ({
  name,
  headers,
  read: isLetThrough,
  write: isLetThrough,
  upgrade: isLetThrough,
})

export const FENCE_TABLE: readonly FenceRow[] = [
  { name: 'a plain local client', headers: {}, read: true, write: false, upgrade: true },
  all('the app itself', { origin: `http://${HOST}`, 'sec-fetch-site': 'same-origin' }, true),
  all('the app itself in an old browser', { origin: `http://${HOST}` }, true),
  {
    name: 'an address typed by hand',
    headers: { 'sec-fetch-site': 'none' },
    read: true,
    write: false,
    upgrade: false,
  },
  all('a browser that proves its origin by Sec-Fetch-Site alone', { 'sec-fetch-site': 'same-origin' }, true),
  // DNS rebinding. Origin equal to Host is not enough.
  all('another Host', { host: 'evil.test' }, false),
  all('another Host with our port', { host: `evil.test:${PORT}` }, false),
  all('a rebound Host with the same Origin', { host: `evil.test:${PORT}`, origin: `http://evil.test:${PORT}` }, false),
  all('a Host that begins like ours', { host: `127.0.0.1.evil.test:${PORT}` }, false),
  all('a Host that ends like ours', { host: `evil.localhost:${PORT}` }, false),
  all('a private address as Host', { host: `192.168.0.7:${PORT}` }, false),
  all('the unspecified address as Host', { host: `0.0.0.0:${PORT}` }, false),
  all('a Host with user information', { host: `127.0.0.1:${PORT}@evil.test` }, false),
  all('a Host with a path', { host: `127.0.0.1:${PORT}/x` }, false),
  all('an empty Host', { host: '' }, false),
  // cross-site WebSocket hijacking.
  all('another Origin', { origin: 'https://evil.test' }, false),
  all(
    'another Origin that calls itself same-origin',
    { origin: 'https://evil.test', 'sec-fetch-site': 'same-origin' },
    false,
  ),
  all('our Origin on another port', { origin: 'http://127.0.0.1:1' }, false),
  all('our Origin without a port', { origin: 'http://127.0.0.1' }, false),
  all('another loopback name as Origin', { origin: `http://localhost:${PORT}` }, false),
  all('an opaque Origin', { origin: 'null' }, false),
  all('an empty Origin', { origin: '' }, false),
  all('an Origin that is no web page', { origin: 'file://' }, false),
  all('an Origin of an extension', { origin: 'chrome-extension://abcdefgh' }, false),
  all('two Origins', { origin: `http://${HOST}, https://evil.test` }, false),
  all('an Origin with user information', { origin: `http://${HOST}@evil.test` }, false),
  // the browser says where the request comes from.
  all('cross-site', { 'sec-fetch-site': 'cross-site' }, false),
  all('same-site', { 'sec-fetch-site': 'same-site' }, false),
  all('cross-site with our Origin', { origin: `http://${HOST}`, 'sec-fetch-site': 'cross-site' }, false),
  all('same-site with our Origin', { origin: `http://${HOST}`, 'sec-fetch-site': 'same-site' }, false),
  all('a Sec-Fetch-Site that does not exist', { 'sec-fetch-site': 'SAME-ORIGIN' }, false),
  all('two Sec-Fetch-Site', { 'sec-fetch-site': 'same-origin, cross-site' }, false),
]

/** The headers of a row for a server at `authority`. */
export const headersOf = (row: FenceRow, authority: string): Record<string, string> => {
  const port = authority.slice(authority.lastIndexOf(':') + 1)
  const entries = Object.entries({ host: HOST, ...row.headers })
  return Object.fromEntries(
    entries.flatMap(([name, value]) =>
      value === null ? [] : [[name, value.replaceAll(HOST, authority).replaceAll(PORT, port)]],
    ),
  )
}
