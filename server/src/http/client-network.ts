import { isIPv4, isIPv6 } from 'node:net'

/**
 * The key for limits per client network: the first 64 bits of an IPv6 address (RFC 4291 §2.5.4); an IPv4 address as it
 * is, also when mapped into IPv6. A port that some proxies forward with the address is cut off, or each connection
 * would count as a network of its own.
 */
export function clientNetwork(forwarded: string): string {
  const address = /^(?:\[(.*)\]|([\d.]+)):\d+$/.exec(forwarded)?.slice(1).find(Boolean) ?? forwarded
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined && isIPv4(mapped)) return mapped
  if (!isIPv6(address)) return address
  const [head = '', tail = ''] = (address.split('%')[0] ?? '').split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === '' ? [] : tail.split(':')
  const zeros = address.includes('::')
    ? Array.from({ length: 8 - left.length - right.length }, () => '0')
    : []
  const groups = [...left, ...zeros, ...right]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
  return `${groups.join(':')}::/64`
}
