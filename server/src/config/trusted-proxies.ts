import { BlockList, isIP, isIPv4 } from 'node:net'

/** Ranges by name. Source: RFC 6890. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Is this a valid entry of TRUSTED_PROXIES: an address, a CIDR range that is not all addresses, or a named range? */
export function isProxyEntry(entry: string): boolean {
  if (Object.hasOwn(NAMES, entry)) return true
  const [address = '', prefix, ...more] = entry.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0) return false
  if (prefix === undefined) return true
  return /^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128)
}

/** Returns a predicate: is this address a proxy whose forwarded headers are trusted? Entries: `isProxyEntry`. */
export function proxyTrust(entries: readonly string[]): (address: string | undefined) => boolean {
  const trusted = new BlockList()
  for (const entry of entries.flatMap((name) => NAMES[name] ?? [name])) {
    const [address = '', prefix] = entry.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (prefix === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(prefix), family)
  }
  return (address = '') => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
    const family = isIP(plain)
    return family !== 0 && trusted.check(plain, family === 4 ? 'ipv4' : 'ipv6')
  }
}
