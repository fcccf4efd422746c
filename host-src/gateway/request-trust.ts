/**
 * The fence: may this request reach the plugin at all? One pure function for every route and upgrade, because the host
 * puts no check on a plugin's own. Rules and their order: peer address, Host, Sec-Fetch-Site, Origin.
 *
 * Host is checked against a list and not only against Origin, or a rebound DNS name passes (gptme#3324, CVE-2025-49596).
 */

export interface TrustRequest {
  /** `read` for GET and HEAD without effect, `write` for everything else over HTTP, `upgrade` for a WebSocket. */
  readonly intent: 'read' | 'write' | 'upgrade'
  readonly remoteAddress: string | undefined
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly fetchSite: string | undefined
}

export type TrustVerdict = { trusted: true } | { trusted: false; reason: string }

const refuse = (reason: string): TrustVerdict => ({ trusted: false, reason })

/**
 * @param trustedHosts authorities the host itself serves beside loopback: `name` for any port, `name:port` for that one
 */
export function judgeRequest(request: TrustRequest, trustedHosts: readonly string[]): TrustVerdict {
  const authority = parseAuthority(request.host)
  if (authority === null) return refuse('the Host header is missing or malformed')
  const isTrustedName = matchesTrustedHost(authority, trustedHosts)
  if (!isTrustedName && !isLoopbackName(authority.name))
    return refuse('the Host is neither loopback nor trusted by this host')
  if (!isTrustedName && !isLoopbackAddress(request.remoteAddress)) return refuse('the peer is not on this machine')
  const site = request.fetchSite
  if (site !== undefined && site !== 'same-origin' && !(site === 'none' && request.intent === 'read'))
    return refuse('the request comes from another site')
  if (request.origin !== undefined) {
    const origin = parseOrigin(request.origin)
    if (origin === null) return refuse('the Origin is opaque or malformed')
    const port = authority.port ?? origin.defaultPort
    if (origin.name !== authority.name || origin.port !== port) return refuse('the Origin is not the Host')
  } else if (request.intent === 'write' && site === undefined) {
    return refuse('a request that changes something must prove its origin')
  }
  return { trusted: true }
}

interface Authority {
  readonly name: string
  readonly port: string | null
}

/** `name`, `name:port`, `[v6]`, `[v6]:port`; lower-cased. */
function parseAuthority(host: string | undefined): Authority | null {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i.exec(host ?? '')
  return match?.[1] === undefined ? null : { name: match[1].toLowerCase(), port: match[2] ?? null }
}

function parseOrigin(origin: string): { name: string; port: string; defaultPort: string } | null {
  const match = /^(https?):\/\/(.+)$/i.exec(origin)
  const authority = parseAuthority(match?.[2])
  if (match?.[1] === undefined || authority === null) return null
  const defaultPort = match[1].toLowerCase() === 'https' ? '443' : '80'
  return { name: authority.name, port: authority.port ?? defaultPort, defaultPort }
}

function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name)
}

function isLoopbackAddress(address: string | undefined): boolean {
  return address !== undefined && (address === '::1' || /^(::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/i.test(address))
}

function matchesTrustedHost(authority: Authority, trustedHosts: readonly string[]): boolean {
  return trustedHosts.some((entry) => {
    const trusted = parseAuthority(entry)
    return (
      trusted !== null && trusted.name === authority.name && (trusted.port === null || trusted.port === authority.port)
    )
  })
}
