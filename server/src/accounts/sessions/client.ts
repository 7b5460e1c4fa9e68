import type { FastifyRequest } from 'fastify'
import { clientNetwork } from '#server/http/client-network.ts'
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

/** Reads who is calling off a request. */
export const clientOf = (request: FastifyRequest): Client => ({
  address: request.ip,
  network: clientNetwork(request.ip),
  device: deviceName(request.headers['user-agent'] ?? ''),
  deviceToken: request.cookies[DEVICE_COOKIE],
})
