import type { Right } from '@befaqt/domain/api-key'
import { ShopError } from '@befaqt/domain/errors'
import { allowedBoxes, hasRight, type Principal } from './principal.ts'

/**
 * Who may call a route: anybody; anybody signed in; SUPPLIER alone, since such a route is about the caller's own boxes;
 * ADMIN; or ADMIN and keys with a right. `allBoxes`: what the route does can't be limited to some boxes, so a key that
 * is limited to some is refused.
 * The status of an account is checked where the session is read: only ACTIVE ones have sessions. Source: spec §6.
 */
export type AccessRule = 'public' | 'user' | 'supplier' | 'admin' | { right: Right; allBoxes?: true }

const roleFor = { admin: 'ADMIN', supplier: 'SUPPLIER' } as const

/**
 * Checks that `rule` allows this principal.
 * @throws ShopError `auth.required` when signing in could help, `auth.second_factor` when that does, else `auth.forbidden`
 */
export function authorize(rule: AccessRule, principal: Principal): void {
  if (rule === 'public') return
  const allowed =
    rule === 'user'
      ? principal.kind === 'user'
      : rule === 'admin' || rule === 'supplier'
        ? principal.kind === 'user' && principal.role === roleFor[rule]
        : hasRight(principal, rule.right)
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
      'Administrators of this shop need two-step login: set it up in your profile, or log in with a passkey.',
    )
  if (principal.kind === 'anonymous') throw new ShopError('auth.required', 'Please log in.')
  throw new ShopError('auth.forbidden', 'You don’t have access to this page.')
}
