import { isIPv4, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { DEVICE_COOKIE } from './cookies.ts'
import { deviceName } from './device-name.ts'

/** Where a request comes from, as far as accounts care. */
export type Client = {
  address: string
  /** What limits count by: one household of IPv6 has 2^64 addresses and still is one. */
  network: string
  /** In words, for the owner's list of sessions. */
  device: string
  /** Token of a browser that was here before. */
  deviceToken: string | undefined
}

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

/** Reads who is calling off a request. */
export const clientOf = (request: FastifyRequest): Client => ({
  address: request.ip,
  network: networkOf(request.ip),
  device: deviceName(request.headers['user-agent'] ?? ''),
  deviceToken: request.cookies[DEVICE_COOKIE],
})
