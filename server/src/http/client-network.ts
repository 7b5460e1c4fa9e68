import { isIPv4, isIPv6 } from 'node:net'

/** Networks of addresses that were seen lately; all are forgotten when there are too many. */
const known = new Map<string, string>()
const MAX_KNOWN = 10_000

/**
 * The key for limits per client network: the first 64 bits of an IPv6 address (RFC 4291 §2.5.4); an IPv4 address as it
 * is, also when mapped into IPv6. A port that some proxies forward with the address is cut off, or each connection
 * would count as a network of its own.
 */
export function clientNetwork(forwarded: string): string {
  const found = known.get(forwarded)
  if (found !== undefined) return found
  if (known.size >= MAX_KNOWN) known.clear()
  const network = networkOf(forwarded)
  known.set(forwarded, network)
  return network
}

function networkOf(forwarded: string): string {
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

/**
 * Limits concurrent connections per key to `most`, so that one network can't use up all of them. Returns a function
 * that releases the connection, or undefined when the limit is reached.
 */
export function connectionLimiter(most: number): (kind: string) => (() => void) | undefined {
  const inside = new Map<string, number>()
  return (kind) => {
    const count = inside.get(kind) ?? 0
    if (count >= most) return undefined
    inside.set(kind, count + 1)
    return () => {
      const left = (inside.get(kind) ?? 1) - 1
      if (left === 0) inside.delete(kind)
      else inside.set(kind, left)
    }
  }
}
