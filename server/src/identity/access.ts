import type { Right } from '@befaqt/domain/api-key'
import { ShopError } from '@befaqt/domain/errors'
import { hasRight, type Principal } from './principal.ts'

/**
 * Who may call a route: anybody; anybody signed in; SUPPLIER alone, since such a route is about the caller's own boxes;
 * ADMIN; or ADMIN and keys with a right.
 * The status of an account is checked where the session is read: only ACTIVE ones have sessions. Source: spec §6.
 */
export type AccessRule = 'public' | 'user' | 'supplier' | 'admin' | { right: Right }

const roleFor = { admin: 'ADMIN', supplier: 'SUPPLIER' } as const

/**
 * Checks that `rule` allows this principal.
 * @throws ShopError `auth.required` when signing in could help, `auth.forbidden` when not
 */
export function authorize(rule: AccessRule, principal: Principal): void {
  if (rule === 'public') return
  const allowed =
    rule === 'user'
      ? principal.kind === 'user'
      : rule === 'admin' || rule === 'supplier'
        ? principal.kind === 'user' && principal.role === roleFor[rule]
        : hasRight(principal, rule.right)
  if (allowed) return
  if (principal.kind === 'anonymous') throw new ShopError('auth.required', 'Please log in.')
  throw new ShopError('auth.forbidden', 'You don’t have access to this page.')
}
