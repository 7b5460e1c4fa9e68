/* Rights of machines and of people at the desk. Free of the schema library: pages ask these of everybody. */

/** What a key of a machine may do. Source: running.md 'Keys'. */
export const keyRights = [
  'box:write',
  'record:write',
  'shop:write',
  'order:write',
  'user:write',
  'device:write',
  'order:read',
] as const

/** What a person at the desk may do: the same, and what is for people alone. Source: desk.md 'Staff'. */
export const rights = [...keyRights, 'site:write', 'customer:read', 'report:read'] as const
export type KeyRight = (typeof keyRights)[number]
export type Right = (typeof rights)[number]

/** What a right to write brings along. */
const implied: Partial<Record<Right, Right>> = { 'order:write': 'order:read' }

/** Does who has `held` have this right, by name or with one that it comes with? */
export const holds = (held: readonly Right[], right: Right): boolean =>
  held.some((one) => one === right || implied[one] === right)

type Person = { role: string; rights: readonly Right[] } | null

/** May this person do that at the desk? Who owns the shop, an ADMIN, may do all. */
export const mayAtDesk = (person: Person, right: Right): boolean =>
  person !== null && (person.role === 'ADMIN' || holds(person.rights, right))

/** Has this person anything to do at the desk? */
export const worksAtDesk = (person: Person): boolean =>
  person !== null && (person.role === 'ADMIN' || person.rights.length > 0)
