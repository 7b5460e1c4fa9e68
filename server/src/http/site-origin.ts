import type { FastifyRequest } from 'fastify'
import type { Config } from '#server/config/config.ts'
import { proxyTrust } from '#server/config/trusted-proxies.ts'

/** Names of this machine itself, which browsers treat alike. */
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

export const isLoopback = (hostname: string): boolean => LOOPBACK.has(hostname)

/**
 * Is this an origin of the site at `publicUrl`? Where that is a loopback name, all loopback names of its port are: whoever
 * tries the shop on their own machine types any of them.
 */
export function isSameSite(origin: string, publicUrl: string): boolean {
  const home = new URL(publicUrl)
  if (origin === home.origin) return true
  if (!URL.canParse(origin) || !isLoopback(home.hostname)) return false
  const { protocol, hostname, port } = new URL(origin)
  return isLoopback(hostname) && protocol === home.protocol && port === home.port
}

/** Headers that proxies add: a request with one of them did not come straight from a browser. */
const PROXY_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

/**
 * Where to redirect a page request for another host name: cart, session and passkeys belong to the origin of
 * PUBLIC_URL. Undefined when the request has that name, or when the name in the address bar is unknown: a proxy that
 * sends its own Host header would cause a redirect loop. So a host name counts only
 * - when a trusted proxy forwards it (X-Forwarded-Host), whatever the port, or
 * - without a proxy, when PUBLIC_URL is plain http and the requested port is the public one.
 * The target is always at PUBLIC_URL: no header finds its way into it.
 */
export function canonicalUrl({
  PUBLIC_URL,
  TRUSTED_PROXIES,
}: Pick<Config, 'PUBLIC_URL' | 'TRUSTED_PROXIES'>): (request: FastifyRequest) => string | undefined {
  const home = new URL(PUBLIC_URL)
  const isProxy = proxyTrust(TRUSTED_PROXIES)
  return ({ headers, socket, method, url }) => {
    if ((method !== 'GET' && method !== 'HEAD') || !url.startsWith('/')) return undefined
    // Nearly every request: by this name there is nowhere to go, from whomever it came.
    if (headers.host === home.host && headers['x-forwarded-host'] === undefined) return undefined
    const proxied = isProxy(socket.remoteAddress)
    const requested = proxied ? nameIn(lastOf(headers['x-forwarded-host'])) : nameIn(headers.host)
    if (requested === undefined || requested.hostname === home.hostname) return undefined
    if (!proxied) {
      const hasProxy = PROXY_HEADERS.some((name) => headers[name] !== undefined)
      if (hasProxy || home.protocol !== 'http:' || requested.port !== home.port) return undefined
    }
    return new URL(`${PUBLIC_URL}${url}`).href
  }
}

/** Each proxy may have appended a value; the last one is from the proxy that we trust. */
const lastOf = (header: string | string[] | undefined): string | undefined =>
  [header].flat().at(-1)?.split(',').at(-1)?.trim()

const nameIn = (host: string | undefined): URL | undefined =>
  host !== undefined && URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined
