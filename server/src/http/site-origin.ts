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
