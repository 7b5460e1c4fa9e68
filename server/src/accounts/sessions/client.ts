import { readProfile } from '@befaqt/domain/api/endpoints/account'
import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { newToken } from '#server/accounts/tokens.ts'
import type { Config } from '#server/config/config.ts'
import { clientNetwork } from '#server/http/client-network.ts'
import { isLoopback } from '#server/http/site-origin.ts'

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

/** Order matters: nearly every browser also names the ones below it. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
]
const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const named = (list: readonly [RegExp, string][], agent: string) =>
  list.find(([sign]) => sign.test(agent))?.[1]

/** A readable name for a User-Agent: 'Firefox on Windows'. Never contains text of the header itself. */
export function deviceName(agent: string): string {
  const browser = named(BROWSERS, agent)
  const system = named(SYSTEMS, agent)
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? 'Another program'
}

/** Carries the session token where the site is served over http. Source: product.md 'session'. */
export const SESSION_COOKIE = 'befaqt_session'
/**
 * The same over https: by this prefix browsers take it only from this very host, so that no neighbour under the same
 * domain can plant one. Source: RFC 6265bis §4.1.3.2.
 */
const HOST_SESSION_COOKIE = `__Host-${SESSION_COOKIE}`
/** Identifies a browser that has signed in before; grants nothing by itself. */
const DEVICE_COOKIE = 'befaqt_device'

/** Lifetime of sessions and of their cookie, seconds. Source: spec §9. */
export const SESSION_S = 365 * 86_400

/**
 * Secure, unless the site is served over plain http under a host name, where browsers would never send a Secure cookie
 * back. They treat `http://localhost` as secure. Source: docs/decisions/0010-sessions.md.
 */
export function secureCookies(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'https:' || isLoopback(hostname)
}

const options = (config: Site): CookieSerializeOptions => ({
  httpOnly: true,
  secure: secureCookies(config.PUBLIC_URL),
  sameSite: 'lax',
  path: '/',
})

type Site = Pick<Config, 'PUBLIC_URL'>

const isHttps = ({ PUBLIC_URL }: Site): boolean => PUBLIC_URL.startsWith('https:')
const sessionCookie = (config: Site): string => (isHttps(config) ? HOST_SESSION_COOKIE : SESSION_COOKIE)

/** The token of the session cookie. The name without prefix, from before there was one, is read until its sessions end. */
export const sessionTokenOf = ({ cookies }: Pick<FastifyRequest, 'cookies'>): string | undefined =>
  cookies[HOST_SESSION_COOKIE] ?? cookies[SESSION_COOKIE]

/** Sets the session and device cookies. */
export function setSessionCookies(
  reply: FastifyReply,
  config: Site,
  session: { token: string; deviceToken: string },
): void {
  reply.setCookie(sessionCookie(config), session.token, { ...options(config), maxAge: SESSION_S })
  setDeviceCookie(reply, config, session.deviceToken)
  clearFormerCookie(reply, config)
}

/** Sets the device cookie. */
export function setDeviceCookie(reply: FastifyReply, config: Site, deviceToken: string): void {
  reply.setCookie(DEVICE_COOKIE, deviceToken, {
    ...options(config),
    path: readProfile.url,
    maxAge: SESSION_S,
  })
}

/** Clears the session cookie; the device cookie stays. */
export function clearSessionCookie(reply: FastifyReply, config: Site): void {
  reply.clearCookie(sessionCookie(config), options(config))
  clearFormerCookie(reply, config)
}

function clearFormerCookie(reply: FastifyReply, config: Site): void {
  if (isHttps(config) && reply.request.cookies[SESSION_COOKIE] !== undefined)
    reply.clearCookie(SESSION_COOKIE, options(config))
}

/** The browser's device token, or a new one: all accounts that sign in with a browser share it. */
export const deviceTokenOrNew = (present: string | undefined): string =>
  present !== undefined && /^[\w-]{43}$/.test(present) ? present : newToken()
