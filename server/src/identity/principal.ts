import type { Viewer } from '@befaqt/domain/api/site-api'
import { ShopError } from '@befaqt/domain/errors'
import type { Role } from '@befaqt/domain/fields'
import { holds, type Right } from '@befaqt/domain/rights'

/** Who makes a request: read from the session or key on every request, never from what the client claims. */
export type Principal =
  | { kind: 'anonymous' }
  | {
      kind: 'user'
      userId: string
      fname: string
      role: Role
      /** What this account may do at the desk. ADMIN has all rights, named or not. */
      rights: readonly Right[]
      sessionId: string
      via: 'cookie' | 'bearer'
      /** Password or passkey were asked for within the last minutes (`CONFIRMED_MINUTES`). */
      isConfirmed?: boolean
      /** Staff who are let in as USER without rights until a second factor is set up, since REQUIRE_SECOND_FACTOR wants one. */
      lacksSecondFactor?: boolean
    }
  | { kind: 'key'; keyId: string; rights: readonly Right[]; boxes: readonly string[] | null }

export const anonymous: Principal = { kind: 'anonymous' }

/** The actor id of the shop itself, where it acts without a principal. */
export const SYSTEM = 'system'
/** The same for what a product's schedule does at its moments. */
export const SCHEDULE = 'schedule'

/** The actor id of a principal in audit entries and records. */
export const actorId = (principal: Principal): string =>
  principal.kind === 'user'
    ? principal.userId
    : principal.kind === 'key'
      ? `key:${principal.keyId}`
      : 'anonymous'

/** The signed-in user. @throws ShopError `auth.required` for anonymous requests and API keys */
export function requireUser(principal: Principal): Extract<Principal, { kind: 'user' }> {
  if (principal.kind !== 'user') throw new ShopError('auth.required', 'Please log in.')
  return principal
}

/**
 * What somebody at an open browser must not do asks for the password or a passkey again. Keys have neither: their rights
 * are theirs.
 * @throws ShopError `auth.confirm`
 */
export function assertConfirmed(principal: Principal): void {
  if (principal.kind !== 'user' || principal.isConfirmed === true) return
  throw new ShopError('auth.confirm', 'Please confirm with your password or a passkey that it is you.')
}

/** Is it the account of somebody who owns the shop, with all rights? */
export const isOwner = (principal: Principal): boolean =>
  principal.kind === 'user' && principal.role === 'ADMIN'

/** Does this principal have `right`, or one that it comes with? ADMIN has all of them. */
export const hasRight = (principal: Principal, right: Right): boolean =>
  isOwner(principal) || (principal.kind !== 'anonymous' && holds(principal.rights, right))

/** The boxes that this principal is limited to; null: all. Only API keys are limited. */
export const allowedBoxes = (principal: Principal): readonly string[] | null =>
  principal.kind === 'key' ? principal.boxes : null

/** An API key that was made for some boxes has access to no others. */
export const canAccessBox = (principal: Principal, boxID: string): boolean =>
  allowedBoxes(principal)?.includes(boxID) ?? true

export const BOX_NOT_ALLOWED = 'This key may not touch this box.'

/** @throws ShopError `auth.forbidden` when the principal's key has no access to this box */
export function assertBoxAccess(principal: Principal, boxID: string): void {
  if (!canAccessBox(principal, boxID)) throw new ShopError('auth.forbidden', BOX_NOT_ALLOWED)
}

/** What a page may know about its viewer. */
export const viewerOf = (principal: Principal): Viewer =>
  principal.kind === 'user'
    ? {
        fname: principal.fname,
        role: principal.role,
        rights: [...principal.rights],
        ...(principal.lacksSecondFactor && { lacksSecondFactor: true as const }),
      }
    : null

/**
 * Who may call a route: anybody; anybody signed in; SUPPLIER alone, since such a route is about the caller's own boxes;
 * ADMIN; staff, who are ADMIN or have any right; or ADMIN, staff and keys with a right. `allBoxes`: what the route does
 * can't be limited to some boxes, so a key that is limited to some is refused; `people`: no key may.
 * The status of an account is checked where the session is read: only ACTIVE ones have sessions. Source: spec §6.
 */
export type AccessRule =
  | 'public'
  | 'user'
  | 'supplier'
  | 'admin'
  | 'staff'
  | { right: Right; allBoxes?: true; people?: true }

const roleFor = { admin: 'ADMIN', supplier: 'SUPPLIER' } as const

function isAllowed(rule: Exclude<AccessRule, 'public'>, principal: Principal): boolean {
  if (typeof rule === 'object')
    return hasRight(principal, rule.right) && !(rule.people && principal.kind === 'key')
  if (principal.kind !== 'user') return false
  if (rule === 'user') return true
  if (rule === 'staff') return isOwner(principal) || principal.rights.length > 0
  return principal.role === roleFor[rule]
}

/**
 * Checks that `rule` allows this principal.
 * @throws ShopError `auth.required` when signing in could help, `auth.second_factor` when that does, else `auth.forbidden`
 */
export function authorize(rule: AccessRule, principal: Principal): void {
  if (rule === 'public') return
  const allowed = isAllowed(rule, principal)
  const isTooWide = typeof rule === 'object' && rule.allBoxes && allowedBoxes(principal) !== null
  if (allowed && isTooWide)
    throw new ShopError(
      'auth.forbidden',
      'This key is for some boxes only, and this is about more than those.',
    )
  if (allowed) return
  if (principal.kind === 'user' && principal.lacksSecondFactor)
    throw new ShopError(
      'auth.second_factor',
      'Whoever works at the desk of this shop needs two-step login: set it up in your profile, or log in with a passkey.',
    )
  if (principal.kind === 'anonymous') throw new ShopError('auth.required', 'Please log in.')
  throw new ShopError('auth.forbidden', 'You don’t have access to this page.')
}
