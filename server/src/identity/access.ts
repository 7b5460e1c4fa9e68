import type { Right } from '@befaqt/domain/api-key'
import { ShopError } from '@befaqt/domain/errors'
import { hasRight, type Principal } from './principal.ts'

/**
 * Who may call a route: anybody; anybody signed in; ADMIN; or ADMIN and keys with a right.
 * The status of an account is checked where the session is read: only ACTIVE ones have sessions. Source: spec §6.
 */
export type AccessRule = 'public' | 'user' | 'admin' | { right: Right }

/**
 * Checks that `rule` allows this principal.
 * @throws ShopError `auth.required` when signing in could help, `auth.forbidden` when not
 */
export function authorize(rule: AccessRule, principal: Principal): void {
  if (rule === 'public') return
  const allowed =
    rule === 'user'
      ? principal.kind === 'user'
      : rule === 'admin'
        ? principal.kind === 'user' && principal.role === 'ADMIN'
        : hasRight(principal, rule.right)
  if (allowed) return
  if (principal.kind === 'anonymous') throw new ShopError('auth.required', 'Please log in.')
  throw new ShopError('auth.forbidden', 'You don’t have access to this page.')
}
