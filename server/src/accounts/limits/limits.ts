import { emailKey } from '#server/accounts/email-key.ts'
import type { Growth, Limit } from './rate-limit.ts'

const MINUTE_S = 60
const HOUR_S = 3_600
const DAY_S = 86_400

const limit =
  (what: string, growth: Growth) =>
  (about: string): Limit => ({ what, about, growth })
const quarterHour = { longestWaitS: 15 * MINUTE_S }

/** Sign-ins from one address, whoever they are for: stuffing lists of stolen passwords. */
export const signInsFrom = limit('signin-from', {
  free: 50,
  firstWaitS: 15,
  ...quarterHour,
  rememberS: HOUR_S,
})

const pair = limit('signin-pair', { free: 10, firstWaitS: 10, ...quarterHour, rememberS: DAY_S })

/** Sign-ins to one account from one address or known browser: guessing one password. */
export const signInsToFrom = (email: string, from: string): Limit => pair(`${emailKey(email)} ${from}`)

const account = limit('signin-account', { free: 30, firstWaitS: 30, ...quarterHour, rememberS: DAY_S })

/** Sign-ins to one account from anywhere: guessing by many. Known browsers of the owner do not pass here. */
export const signInsTo = (email: string): Limit => account(emailKey(email))

/** Codes of the second factor. Only who has the password gets here, so no stranger can use it up. */
export const codesOf = limit('twofa', { free: 5, firstWaitS: 30, ...quarterHour, rememberS: DAY_S })

/** The password asked for again inside a session. */
export const passwordsAgainOf = limit('password-again', {
  free: 5,
  firstWaitS: 30,
  ...quarterHour,
  rememberS: HOUR_S,
})

/** Sign-ups from one address. */
export const signUpsFrom = limit('signup-from', {
  free: 100,
  firstWaitS: 30,
  ...quarterHour,
  rememberS: HOUR_S,
})

/** Recovery asked for from one address: the one place that tells whether an account exists. */
export const recoveriesFrom = limit('forgot-from', {
  free: 30,
  firstWaitS: 30,
  ...quarterHour,
  rememberS: HOUR_S,
})

/** Activation mails asked for again from one address: each is a job, whether or not there is such an account. */
export const activationsFrom = limit('activation-from', {
  free: 30,
  firstWaitS: 30,
  ...quarterHour,
  rememberS: HOUR_S,
})

/** Changes from one address that their owner is told of by mail: of passwords, second factors and passkeys. */
export const noticesFrom = limit('notices-from', {
  free: 30,
  firstWaitS: 30,
  ...quarterHour,
  rememberS: HOUR_S,
})

const mails = limit('mails-to', { free: 6, firstWaitS: MINUTE_S, longestWaitS: HOUR_S, rememberS: DAY_S })

/** Mails that anybody can have us send to one address. */
export const mailsTo = (email: string): Limit => mails(emailKey(email))

/** One-time links tried from one address. */
export const linksFrom = limit('links-from', { free: 60, firstWaitS: 15, ...quarterHour, rememberS: HOUR_S })
