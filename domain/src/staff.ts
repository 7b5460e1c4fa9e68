import { z } from 'zod'
import { InvitedPerson } from './account.ts'
import { rightsAmong } from './api-key.ts'
import { Email, schemaNames } from './fields.ts'
import { MAX_STAFF } from './limits.ts'
import { type Right, rights } from './rights.ts'

/** What a right lets a person do, in a few words for whoever gives it. */
export const rightWords: Readonly<Record<Right, string>> = {
  'box:write': 'boxes, excursions and suppliers',
  'record:write': 'freshness results at the station',
  'shop:write': 'products, prices, categories and coupons',
  'order:write': 'orders: pack, change, hand out, recall',
  'user:write': 'accounts of customers',
  'device:write': 'devices and trackers',
  'site:write': 'what the site says of the shop, and emails that failed',
  'order:read': 'orders and invoices, to look at',
  'customer:read': 'who bought, when and how much',
  'report:read': 'reports of sales and stock',
}

/** Jobs at a shop with the rights that they need; who owns the shop is an ADMIN and has all. */
export const presets: Readonly<Record<string, readonly Right[]>> = {
  Manager: rights.filter((right) => right !== 'user:write'),
  Packer: ['order:write'],
  Catalogue: ['shop:write'],
  Accounts: ['order:read', 'customer:read', 'report:read'],
}

/** The name of the job with exactly these rights, for lists. */
export const presetOf = (held: readonly Right[]): string | undefined =>
  Object.keys(presets).find((name) => {
    const list = presets[name] ?? []
    return list.length === held.length && list.every((right) => held.includes(right))
  })

const Rights = rightsAmong(rights)

/** Days for which the link of an invitation to the desk works, once. */
export const STAFF_LINK_DAYS = 7

/** Whom an owner invites to work at the desk, and what they may do there. */
export const NewStaff = z.strictObject({ email: Email, rights: Rights })
export type NewStaff = z.infer<typeof NewStaff>

/** What somebody may do from now on; nothing: they don't work here any more. */
export const StaffRights = z.strictObject({ rights: z.union([Rights, z.tuple([])]) })
export type StaffRights = z.infer<typeof StaffRights>

const token = z.string({ error: 'token is required' }).min(1, 'token is required').max(200)

/** The token of an invitation's link. */
export const StaffLink = z.strictObject({ token })
export type StaffLink = z.infer<typeof StaffLink>

/** `person`: who it is, where the invited address has no account that was ever activated. */
export const JoinStaff = z.strictObject({ token, person: InvitedPerson.optional() })
export type JoinStaff = z.infer<typeof JoinStaff>

const Held = z.array(z.enum(rights))

/** What the holder of a link is shown. Times are RFC 3339. */
export const StaffInvited = z
  .strictObject({
    email: z.string(),
    rights: Held,
    expiresAt: z.string(),
    /** Its account keeps its name and password: only the rights come with the link. */
    hasAccount: z.boolean(),
  })
  .register(schemaNames, { id: 'StaffInvited' })
export type StaffInvited = z.infer<typeof StaffInvited>

/** Somebody who works at the desk: an owner, whose role is ADMIN, or a USER with rights. */
export const StaffMember = z
  .strictObject({
    _id: z.string(),
    name: z.string(),
    email: z.string(),
    role: z.enum(['USER', 'ADMIN', 'SUPPLIER']),
    /** As they are held by name; an ADMIN has all. */
    rights: Held,
    status: z.string(),
    version: z.int(),
    /** A second factor or a passkey is set up. */
    hasSecondFactor: z.boolean(),
  })
  .register(schemaNames, { id: 'StaffMember' })
export type StaffMember = z.infer<typeof StaffMember>

/** An invitation that nobody took up. */
export const StaffInvitation = z
  .strictObject({
    id: z.string(),
    email: z.string(),
    rights: Held,
    createdAt: z.string(),
    expiresAt: z.string(),
    expired: z.boolean(),
  })
  .register(schemaNames, { id: 'StaffInvitation' })
export type StaffInvitation = z.infer<typeof StaffInvitation>

/** All who work at the desk, owners first, and whom it waits for. */
export const StaffList = z
  .strictObject({
    people: z.array(StaffMember).max(MAX_STAFF * 2),
    invitations: z.array(StaffInvitation).max(MAX_STAFF),
  })
  .register(schemaNames, { id: 'StaffList' })
export type StaffList = z.infer<typeof StaffList>
