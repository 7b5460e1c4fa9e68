import { NewApiKey } from '@befaqt/domain/api-key'
import { type KeyRight, keyRights } from '@befaqt/domain/rights'
import { z } from 'zod'

/** What each right lets a machine do. Source: running.md 'Keys'. */
export const rightWords: Readonly<Record<KeyRight, string>> = {
  'box:write': 'register boxes, add catches, corrections and seals, send whole Boxes',
  'record:write': 'send readings, image and e-nose results',
  'shop:write': 'change the catalogue',
  'order:write': 'manage orders',
  'user:write': 'manage accounts',
  'device:write': 'register, assign and revoke devices',
  'order:read': 'read orders, slots, invoices and complaints',
}

/** A key as its form sends it: ticked rights by their names, box ids with white space or commas between. */
function keyValues(values: unknown): unknown {
  if (typeof values !== 'object' || values === null) return values
  const typed = new Map(Object.entries(values))
  const boxes = String(typed.get('boxes') ?? '')
    .split(/[\s,;]+/)
    .filter((boxID) => boxID !== '')
  return {
    name: typed.get('name'),
    rights: keyRights.filter((right) => typed.has(right)),
    ...(boxes.length > 0 && { boxes }),
  }
}
export const KeyForm = z.preprocess(keyValues, NewApiKey)
