// What other features use of accounts, and all that they may import of it.

export { type AccountDeps, emailKey, userByEmail } from './account.ts'
export { API_KEY_PREFIX, authenticateApiKey } from './api-keys.ts'
export { assertNotGuessedFirst } from './credentials/passwords.ts'
export {
  consume,
  consumeEach,
  emailsByRecipient,
  linksByNetwork,
  type RateLimit,
  refund,
  stockNoticesByNetwork,
} from './limits.ts'
export { peopleFound } from './manage-users.ts'
export { noticeAddress } from './own-notices.ts'
export { rejectCrossOrigin } from './sessions/authenticate.ts'
export { type Client, clientOf, SESSION_COOKIE } from './sessions/client.ts'
export { endSessions } from './sessions/sessions.ts'
export {
  assertOpenLink,
  checkToken,
  hashToken,
  newToken,
  refusedLink,
  sameSecret,
  withToken,
} from './tokens.ts'
