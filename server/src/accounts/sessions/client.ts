import type { FastifyRequest } from 'fastify'
import { clientNetwork } from '#server/http/client-network.ts'
import { DEVICE_COOKIE, sessionTokenOf } from './cookies.ts'
import { deviceName } from './device-name.ts'

/** Where a request comes from. */
export type Client = {
  address: string
  /** The key of rate limits: one IPv6 household has 2^64 addresses. */
  network: string
  /** A description for the owner's list of sessions. */
  device: string
  /** The token of a browser that has signed in before. */
  deviceToken: string | undefined
  /** The token of the session that the browser has now: another sign-in replaces it. */
  sessionToken?: string | undefined
}

/** The client of a request. */
export const clientOf = (request: FastifyRequest): Client => ({
  address: request.ip,
  network: clientNetwork(request.ip),
  device: deviceName(request.headers['user-agent'] ?? ''),
  deviceToken: request.cookies[DEVICE_COOKIE],
  sessionToken: sessionTokenOf(request),
})
