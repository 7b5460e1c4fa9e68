import type { Viewer } from '@befaqt/domain/api/site-api'
import type { Right } from '@befaqt/domain/api-key'
import { ShopError } from '@befaqt/domain/errors'
import type { Role } from '@befaqt/domain/status'

/** Who makes a request. Read from the session or key on every request, never from what the client claims. */
export type Asker =
  | { kind: 'nobody' }
  | { kind: 'user'; userId: string; fname: string; role: Role; sessionId: string; via: 'cookie' | 'bearer' }
  | { kind: 'key'; keyId: string; rights: readonly Right[]; boxes: readonly string[] | null }

export const nobody: Asker = { kind: 'nobody' }

/** How the shop itself is named where it acts without an asker. */
export const SYSTEM = 'system'

/** How the asker is named in the history of changes. */
export const whoOf = (asker: Asker): string =>
  asker.kind === 'user' ? asker.userId : asker.kind === 'key' ? `key:${asker.keyId}` : 'nobody'

/** The signed-in person. @throws ShopError `auth.required` for nobody and for machines */
export function signedIn(asker: Asker): Extract<Asker, { kind: 'user' }> {
  if (asker.kind !== 'user') throw new ShopError('auth.required', 'Please log in.')
  return asker
}

/** May this asker do what ADMIN or a key with `right` may? */
export const may = (asker: Asker, right: Right): boolean =>
  (asker.kind === 'user' && asker.role === 'ADMIN') || (asker.kind === 'key' && asker.rights.includes(right))

/** The boxes that this asker is limited to; null: all. Only keys are limited. */
export const boxesOf = (asker: Asker): readonly string[] | null => (asker.kind === 'key' ? asker.boxes : null)

/** A key that was made for some boxes touches no others. */
export const touches = (asker: Asker, boxID: string): boolean => boxesOf(asker)?.includes(boxID) ?? true

export const FOREIGN_BOX = 'This key may not touch this box.'

/** @throws ShopError `auth.forbidden` when the asker's key does not touch this box */
export function mayTouchBox(asker: Asker, boxID: string): void {
  if (!touches(asker, boxID)) throw new ShopError('auth.forbidden', FOREIGN_BOX)
}

/** What a page may know of who is looking. */
export const viewerOf = (asker: Asker): Viewer =>
  asker.kind === 'user' ? { fname: asker.fname, role: asker.role } : null
