import type { Right } from '@befaqt/domain/api-key'
import { ShopError } from '@befaqt/domain/errors'
import { type Asker, may } from './principal.ts'

/**
 * Who may call a route: anybody; anybody signed in; ADMIN; or ADMIN and keys with a right.
 * The status of an account is checked where the session is read: only ACTIVE ones have sessions. Source: spec §6.
 */
export type Rule = 'public' | 'user' | 'admin' | { right: Right }

/**
 * Is this asker let through by `rule`?
 * @throws ShopError `auth.required` when signing in could help, `auth.forbidden` when not
 */
export function checkAccess(rule: Rule, asker: Asker): void {
  if (rule === 'public') return
  const allowed =
    rule === 'user'
      ? asker.kind === 'user'
      : rule === 'admin'
        ? asker.kind === 'user' && asker.role === 'ADMIN'
        : may(asker, rule.right)
  if (allowed) return
  if (asker.kind === 'nobody') throw new ShopError('auth.required', 'Please log in.')
  throw new ShopError('auth.forbidden', 'You may not do this.')
}
