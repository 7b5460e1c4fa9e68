import { isIPv4, isIPv6 } from 'node:net'

/**
 * First 64 bits of an IPv6 address (RFC 4291 §2.5.4); IPv4 as it is, also inside IPv6. Some proxies forward the port
 * with the address: without it, or each connection would be a network of its own.
 */
export function networkOf(forwarded: string): string {
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
