import { emailKey } from '#server/accounts/email-key.ts'
import type { BackoffPolicy, RateLimit } from './rate-limit.ts'

const MINUTE_S = 60
const HOUR_S = 3_600
const DAY_S = 86_400

const limit =
  (what: string, growth: BackoffPolicy) =>
  (about: string): RateLimit => ({ name: what, key: about, policy: growth })
const quarterHour = { maxDelayS: 15 * MINUTE_S }

/** Sign-ins from one network to any account: credential stuffing. */
export const signInsByNetwork = limit('signin-from', {
  freeAttempts: 50,
  baseDelayS: 15,
  ...quarterHour,
  windowS: HOUR_S,
})

const pair = limit('signin-pair', { freeAttempts: 10, baseDelayS: 10, ...quarterHour, windowS: DAY_S })

/** Sign-ins to one account from one network or known browser: guessing one password. */
export const signInsByAccountAndClient = (email: string, from: string): RateLimit =>
  pair(`${emailKey(email)} ${from}`)

const account = limit('signin-account', { freeAttempts: 30, baseDelayS: 30, ...quarterHour, windowS: DAY_S })

/** Sign-ins to one account from anywhere: distributed guessing. The owner's known browsers are not counted. */
export const signInsByAccount = (email: string): RateLimit => account(emailKey(email))

/** Codes of the second factor. They need the password first, so a stranger cannot use up this limit. */
export const codesByUser = limit('twofa', { freeAttempts: 5, baseDelayS: 30, ...quarterHour, windowS: DAY_S })

/** Reauthentications within a session. */
export const reauthenticationsByUser = limit('password-again', {
  freeAttempts: 5,
  baseDelayS: 30,
  ...quarterHour,
  windowS: HOUR_S,
})

/** Sign-ups from one network. */
export const signUpsByNetwork = limit('signup-from', {
  freeAttempts: 100,
  baseDelayS: 30,
  ...quarterHour,
  windowS: HOUR_S,
})

/** Password recoveries from one network: the one place that reveals whether an account exists. */
export const recoveriesByNetwork = limit('forgot-from', {
  freeAttempts: 30,
  baseDelayS: 30,
  ...quarterHour,
  windowS: HOUR_S,
})

/** Requests to resend the activation email, from one network: each is a job, whether or not the account exists. */
export const activationsByNetwork = limit('activation-from', {
  freeAttempts: 30,
  baseDelayS: 30,
  ...quarterHour,
  windowS: HOUR_S,
})

/** Changes from one network that cause a notice by email: of passwords, second factors and passkeys. */
export const noticesByNetwork = limit('notices-from', {
  freeAttempts: 30,
  baseDelayS: 30,
  ...quarterHour,
  windowS: HOUR_S,
})

const emails = limit('mails-to', { freeAttempts: 6, baseDelayS: MINUTE_S, maxDelayS: HOUR_S, windowS: DAY_S })

/** Emails to one recipient that anybody can trigger. */
export const emailsByRecipient = (email: string): RateLimit => emails(emailKey(email))

/** Attempts to use one-time links from one network. */
export const linksByNetwork = limit('links-from', {
  freeAttempts: 60,
  baseDelayS: 15,
  ...quarterHour,
  windowS: HOUR_S,
})
