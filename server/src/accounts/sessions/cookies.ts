import { readProfile } from '@befaqt/domain/api/endpoints/profile'
import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply } from 'fastify'
import { newToken } from '#server/accounts/tokens.ts'
import type { Config } from '#server/config/config.ts'

/** Carries the session token. Source: product.md 'session'. */
export const SESSION_COOKIE = 'befaqt_session'
/** Identifies a browser that has signed in before; grants nothing by itself. */
export const DEVICE_COOKIE = 'befaqt_device'

/** Lifetime of sessions and of their cookie, seconds. Source: spec §9. */
export const SESSION_S = 365 * 86_400

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Secure, unless the site is served over plain http under a host name, where browsers would never send a Secure cookie
 * back. They treat `http://localhost` as secure. Source: docs/decisions/0010-sessions.md.
 */
export function secureCookies(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'https:' || LOOPBACK.has(hostname)
}

const options = (config: Site): CookieSerializeOptions => ({
  httpOnly: true,
  secure: secureCookies(config.PUBLIC_URL),
  sameSite: 'lax',
  path: '/',
})

type Site = Pick<Config, 'PUBLIC_URL'>

/** Sets the session and device cookies. */
export function setSessionCookies(
  reply: FastifyReply,
  config: Site,
  session: { token: string; deviceToken: string },
): void {
  reply.setCookie(SESSION_COOKIE, session.token, { ...options(config), maxAge: SESSION_S })
  setDeviceCookie(reply, config, session.deviceToken)
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
  reply.clearCookie(SESSION_COOKIE, options(config))
}

/** The browser's device token, or a new one: all accounts that sign in with a browser share it. */
export const deviceTokenOrNew = (present: string | undefined): string =>
  present !== undefined && /^[\w-]{43}$/.test(present) ? present : newToken()
