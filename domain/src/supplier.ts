import { z } from 'zod'
import { FirstName, LastName, NewPassword } from './account.ts'
import { Fisher } from './box.ts'
import { oneLine } from './box-values.ts'
import { Email, Phone } from './contact.ts'

/** Days for which the link of an invitation works, once. */
export const INVITATION_DAYS = 7

/** Who a supplier is in records: the fisher of a registration, whose trader id and name are required. */
export const SupplierIdentity = Fisher.extend({ traderName: oneLine(200).min(1, 'is required') })
export type SupplierIdentity = z.infer<typeof SupplierIdentity>

/** The name of a supplier in hand-overs: the company's, or the trader's where there is none. */
export const partyOf = ({ companyName, traderName }: Pick<Fisher, 'companyName' | 'traderName'>): string =>
  companyName.trim() || traderName.trim()

/** Two names of one party: case and outer spaces do not count. */
export const isSameParty = (a: string, b: string): boolean =>
  a.trim().toLocaleLowerCase('en') === b.trim().toLocaleLowerCase('en')

/** An invitation that a manager sends. */
export const NewInvitation = z.strictObject({ email: Email, fisher: SupplierIdentity })
export type NewInvitation = z.infer<typeof NewInvitation>

const token = z.string({ error: 'token is required' }).min(1, 'token is required').max(200)

/** The token of an invitation's link. */
export const InvitationToken = z.strictObject({ token })
export type InvitationToken = z.infer<typeof InvitationToken>

/** What an invited supplier fills in. */
export const JoinInput = z.strictObject({
  token,
  fname: FirstName,
  lname: LastName,
  phone: Phone,
  password: NewPassword,
})
export type JoinInput = z.infer<typeof JoinInput>
