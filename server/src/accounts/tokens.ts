import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { ShopError } from '@befaqt/domain/errors'
import { LINK_HOURS } from '@befaqt/domain/link-hours'
import { and, eq, gt, isNull } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/client.ts'
import { oneTimeTokens } from '#server/db/schema/accounts.ts'
import { isSameSite } from '#server/http/site-origin.ts'

type TokenRow = typeof oneTimeTokens.$inferSelect
export type Purpose = TokenRow['purpose']

const HOUR_S = 3_600

/** Lifetimes of links in seconds. */
export const TOKEN_LIFETIME_S: Readonly<Record<Purpose, number>> = {
  activate: LINK_HOURS.activate * HOUR_S,
  reset: LINK_HOURS.reset * HOUR_S,
  'first-admin': LINK_HOURS['first-admin'] * HOUR_S,
}

/** Issues a token for one purpose. Only its hash is stored. */
export async function issueToken(
  tx: Tx,
  purpose: Purpose,
  of: { userId: string | null; signUp?: TokenRow['signUp'] },
  now: Date,
): Promise<string> {
  const token = newToken()
  await tx.insert(oneTimeTokens).values({
    hash: hashToken(token),
    purpose,
    userId: of.userId,
    signUp: of.signUp ?? null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + TOKEN_LIFETIME_S[purpose] * 1_000),
  })
  return token
}

/**
 * Consumes a token. Of two concurrent uses, one wins.
 * @throws ShopError `token.invalid`: unknown, of another purpose, used, or expired
 */
export async function consumeToken(tx: Tx, purpose: Purpose, token: string, now: Date): Promise<TokenRow> {
  const hash = hashToken(token)
  const [used] = await tx
    .update(oneTimeTokens)
    .set({ usedAt: now })
    .where(
      and(
        eq(oneTimeTokens.hash, hash),
        eq(oneTimeTokens.purpose, purpose),
        isNull(oneTimeTokens.usedAt),
        gt(oneTimeTokens.expiresAt, now),
      ),
    )
    .returning()
  if (used !== undefined) return used
  const [row] = await tx.select().from(oneTimeTokens).where(eq(oneTimeTokens.hash, hash))
  throw tokenError(row, purpose)
}

/**
 * Checks that a token is valid, before work that is done for its owner only. Does not consume it.
 * @throws ShopError `token.invalid`: unknown, of another purpose, used, or expired
 */
export async function checkToken(db: Db, purpose: Purpose, token: string, now: Date): Promise<TokenRow> {
  const hash = hashToken(token)
  const [row] = await db.select().from(oneTimeTokens).where(eq(oneTimeTokens.hash, hash))
  const isOpen = row?.purpose === purpose && row.usedAt === null && row.expiresAt > now
  if (row === undefined || !isOpen) throw tokenError(row, purpose)
  return row
}

const UNKNOWN = 'This link is not valid.'
const USED = 'This link has been used already.'

/** Why a link does not work; only its holder learns that. */
export const refusedLink = (message: string, reason: string): ShopError =>
  new ShopError('token.invalid', message, { details: { reason } })

function tokenError(row: TokenRow | undefined, purpose: Purpose): ShopError {
  if (row === undefined || row.purpose !== purpose) return refusedLink(UNKNOWN, 'unknown')
  if (row.usedAt !== null) return refusedLink(USED, 'used')
  return refusedLink('This link has expired.', 'expired')
}

/** A link that works once, for a time, and whose row is deleted when it is revoked. */
type OnceLink = { usedAt: Date | null; expiresAt: Date }

/** In which state of an invitation's life its link is. */
function linkState(row: OnceLink | undefined, now: Date): 'open' | 'used' | 'lapsed' | 'revoked' {
  if (row === undefined) return 'revoked'
  if (row.usedAt !== null) return 'used'
  return row.expiresAt <= now ? 'lapsed' : 'open'
}

/** A link that still works. @param unknown what is said of one that is not there @throws ShopError `token.invalid` */
export function assertOpenLink<Row extends OnceLink>(
  row: Row | undefined,
  now: Date,
  unknown = UNKNOWN,
): Row {
  const state = linkState(row, now)
  if (row !== undefined && state === 'open') return row
  if (state === 'used') throw refusedLink(USED, 'used')
  if (state === 'lapsed') throw refusedLink('This link has expired. Ask for a new one.', 'expired')
  throw refusedLink(unknown, 'unknown')
}

/** Revokes the account's other links of this purpose. */
export async function revokeTokens(tx: Tx | Db, purpose: Purpose, userId: string): Promise<void> {
  await tx
    .delete(oneTimeTokens)
    .where(
      and(eq(oneTimeTokens.purpose, purpose), eq(oneTimeTokens.userId, userId), isNull(oneTimeTokens.usedAt)),
    )
}

/**
 * The page that a link in an email leads to. What a client sends is checked for this site's origin, and the page is
 * always our own: the specification names no base, and a wrong path would mail a dead link. Source: product.md.
 * @param sent a URL of this site, or one relative to it
 * @throws ShopError `link.foreign_origin`
 */
export function sameOriginUrl(
  publicUrl: string,
  sent: string | undefined,
  field: string,
  page: string,
): string {
  if (sent !== undefined && !isOfSite(publicUrl, sent)) {
    const message = 'The link must lead to this site.'
    throw new ShopError('link.foreign_origin', message, { fields: [{ path: field, message }] })
  }
  return `${publicUrl}${page}`
}

function isOfSite(publicUrl: string, sent: string): boolean {
  if (!URL.canParse(sent, publicUrl)) return false
  const url = new URL(sent, publicUrl)
  return url.username === '' && url.password === '' && isSameSite(url.origin, publicUrl)
}

/** The URL in the email. */
export const withToken = (base: string, token: string): string => `${base}/${token}`

/** Paths of the pages that one-time links lead to. */
export const ACTIVATION_PAGE = '/user/activate'
export const RESET_PAGE = '/user/resetpassword'
export const FIRST_ADMIN_PAGE = '/user/firstadmin'
export const EMAIL_CHANGE_PAGE = '/user/email'

/** A new URL-safe secret of 256 bits: 43 letters, digits, '-' and '_'. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** The stored form of a token: SHA-256, hex. Enough for 256 random bits, and it can be looked up. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Compares two secrets of any length in constant time. */
export const sameSecret = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
