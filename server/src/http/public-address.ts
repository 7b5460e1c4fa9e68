import type { FastifyRequest } from 'fastify'
import type { Config } from '#server/config/config.ts'
import { proxyTrust } from '#server/config/trusted-proxies.ts'

/** What proxies add. Whoever says one of these has not typed our address. */
const PROXIED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/**
 * Answers where a page that was asked for under another name has to be opened: cart, session and passkeys belong to the
 * origin of PUBLIC_URL. Undefined where it was asked for there, or where nobody knows what stands in the address bar:
 * a proxy that sends its own word for us would lead visitors round in circles. So a name counts
 * - when a trusted proxy says that it was asked for it (X-Forwarded-Host), whatever the port, or
 * - when no proxy shows, the public address is plain http, and the port asked for is the public one.
 * The answer is always at PUBLIC_URL: no header finds its way into it.
 */
export function elsewhere({
  PUBLIC_URL,
  TRUSTED_PROXIES,
}: Pick<Config, 'PUBLIC_URL' | 'TRUSTED_PROXIES'>): (request: FastifyRequest) => string | undefined {
  const home = new URL(PUBLIC_URL)
  const isProxy = proxyTrust(TRUSTED_PROXIES)
  return ({ headers, socket, method, url }) => {
    if ((method !== 'GET' && method !== 'HEAD') || !url.startsWith('/')) return undefined
    const proxied = isProxy(socket.remoteAddress)
    const asked = proxied ? nameIn(lastOf(headers['x-forwarded-host'])) : nameIn(headers.host)
    if (asked === undefined || asked.hostname === home.hostname) return undefined
    if (!proxied) {
      const between = PROXIED.some((name) => headers[name] !== undefined)
      if (between || home.protocol !== 'http:' || asked.port !== home.port) return undefined
    }
    return new URL(`${PUBLIC_URL}${url}`).href
  }
}

/** Each proxy on the way may have added its own; the last is from the one we trust. */
const lastOf = (header: string | string[] | undefined): string | undefined =>
  [header].flat().at(-1)?.split(',').at(-1)?.trim()

const nameIn = (host: string | undefined): URL | undefined =>
  host !== undefined && URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined
