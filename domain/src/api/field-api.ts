import { z } from 'zod'
import { coldChainMarks } from '../cold-chain.ts'
import { schemaNames } from '../fields.ts'
import { FieldPhone, Handover, SupplierIdentity } from '../supplier.ts'
import { FreshnessNow } from './box-api.ts'

/** Labels that are allotted to a supplier, from the first number to the last, of which some are used. */
export const FreeLabels = z.strictObject({
  first: z.string(),
  last: z.string(),
  free: z.int(),
  /** The first numbers that are free, at most 50. */
  next: z.array(z.string()),
})
export type FreeLabels = z.infer<typeof FreeLabels>

/** What the phone pages remember of who uses them. */
export const FieldUser = z
  .strictObject({
    userId: z.string(),
    fname: z.string(),
    fisher: SupplierIdentity,
    /** Their name in hand-overs. */
    party: z.string(),
    /** Other suppliers' names in hand-overs, and the market's. */
    parties: z.array(z.string()),
    /** Their phones that are registered, those that are valid first. */
    phones: z.array(FieldPhone),
    /** Labels whose numbers they may register. */
    labels: z.array(FreeLabels),
  })
  .register(schemaNames, { id: 'FieldUser' })
export type FieldUser = z.infer<typeof FieldUser>

/**
 * Of a hand-over that its receiver alone said: it waits until the holder or a manager decides, or lapses after
 * `CLAIM_MS`. Of a catch that a manager has to look at: it waits until then.
 */
export const ClaimState = z.enum(['waiting', 'confirmed', 'refused', 'lapsed'])
export type ClaimState = z.infer<typeof ClaimState>

/**
 * Why a catch waits for a manager: it came too late, or under a number that neither is of a label of this supplier nor
 * was made by a phone.
 */
export const CatchDoubt = z.enum(['old', 'number'])
export type CatchDoubt = z.infer<typeof CatchDoubt>

/** Such a hand-over or catch. Times are RFC 3339. */
export const FieldClaim = z
  .strictObject({
    id: z.string(),
    kind: z.enum(['handover', 'catch']),
    boxID: z.string(),
    /** Whether the caller said it; otherwise they may decide. */
    own: z.boolean(),
    state: ClaimState,
    /** What is said, until it is decided: from whom, to whom, when, how warm, and whether it was accepted. */
    said: Handover.nullable(),
    /** What a catch says, until it is decided. */
    caught: z
      .strictObject({
        by: z.string(),
        boat: z.string(),
        time: z.string(),
        species: z.string(),
        size: z.string(),
        /** Net weight; null: nobody weighed it. */
        grams: z.int().nullable(),
        method: z.string(),
        note: z.string(),
        /** Path of its photo; empty: none. */
        img: z.string(),
        doubt: CatchDoubt,
      })
      .nullable(),
    /** Until when a hand-over waits, and when it was refused; null: a catch waits as long as it takes. */
    waitsUntil: z.string().nullable(),
    /** Entries that were sent meanwhile and wait with it: readings, and hand-overs of a box whose catch waits. */
    entries: z.int(),
    /** Why a manager refused it; empty: no reason was given. */
    reason: z.string(),
  })
  .register(schemaNames, { id: 'FieldClaim' })
export type FieldClaim = z.infer<typeof FieldClaim>

/** What became of an entry: the record, and what was found about its time. Times are RFC 3339. */
export const FieldOutcome = z
  .strictObject({
    id: z.string(),
    kind: z.enum(['catch', 'handover', 'reading']),
    boxID: z.string(),
    /** Place of its record in the history of the box; null: there is none, or none yet. */
    seq: z.int().nullable(),
    /** What became of the claim that it is, or that it waits for; null: it needed none. */
    claim: ClaimState.nullable(),
    /** The time that was recorded. */
    at: z.string(),
    /** By the phone's clock, and by the server's when it arrived. */
    deviceTime: z.string(),
    receivedAt: z.string(),
    late: z.boolean(),
    clockWrong: z.boolean(),
    /** Whether the record holds the phone's signature. */
    signed: z.boolean(),
  })
  .register(schemaNames, { id: 'FieldOutcome' })
export type FieldOutcome = z.infer<typeof FieldOutcome>

/** A box of a supplier, and what became of it. */
export const FieldBox = z
  .strictObject({
    boxID: z.string(),
    species: z.string(),
    caughtAt: z.string().nullable(),
    stage: z.string(),
    sealed: z.boolean(),
    recalled: z.boolean(),
    /** As of now. */
    freshness: FreshnessNow,
    coldChain: z.enum(coldChainMarks).nullable(),
    /** Who holds it, by the last hand-over that was accepted. */
    holder: z.string(),
    /** Whether this supplier recorded it; otherwise it was handed to them. */
    own: z.boolean(),
    products: z.array(
      z.strictObject({
        title: z.string(),
        unit: z.string(),
        /** Cents for one unit, with discount; null: it is not on sale. */
        price: z.int().nullable(),
        /** Sold so far: grams, or pieces of what is counted. */
        sold: z.number(),
        /** Whether `sold` is in grams. */
        weighed: z.boolean(),
      }),
    ),
    /** Entries of phones about it whose time is flagged. */
    flags: z.array(FieldOutcome),
  })
  .register(schemaNames, { id: 'FieldBox' })
export type FieldBox = z.infer<typeof FieldBox>

/** Whom an invitation is for. */
export const Invited = z.strictObject({ email: z.string(), traderName: z.string(), expiresAt: z.string() })
export type Invited = z.infer<typeof Invited>

/** Labels that are allotted to a supplier, from the first number to the last. */
export const AllottedLabels = z.strictObject({ id: z.string(), first: z.string(), last: z.string() })
export type AllottedLabels = z.infer<typeof AllottedLabels>

/** A supplier as managers see it. */
export const SupplierView = z
  .strictObject({
    userId: z.string(),
    name: z.string(),
    email: z.string(),
    status: z.enum(['ACTIVE', 'INACTIVE', 'DISABLED']),
    /** Of the account, for changing its status. */
    version: z.int(),
    fisher: SupplierIdentity,
    boxes: z.int(),
    lastEntryAt: z.string().nullable(),
    /** Entries whose phone's clock was wrong, or that arrived late. */
    flagged: z.int(),
    labels: z.array(AllottedLabels),
  })
  .register(schemaNames, { id: 'Supplier' })
export type SupplierView = z.infer<typeof SupplierView>

/** An invitation that was not used yet. */
export const InvitationView = z.strictObject({
  id: z.string(),
  email: z.string(),
  fisher: SupplierIdentity,
  createdAt: z.string(),
  expiresAt: z.string(),
  expired: z.boolean(),
})
export type InvitationView = z.infer<typeof InvitationView>

/** The link of a phone that was not used yet; where it leads is shown once, when it is made. */
export const PhoneLinkView = z.strictObject({
  id: z.string(),
  /** What the phone will be called. */
  name: z.string(),
  /** Whose phone it is. */
  supplier: z.strictObject({ userId: z.string(), name: z.string() }),
  expiresAt: z.string(),
  expired: z.boolean(),
})
export type PhoneLinkView = z.infer<typeof PhoneLinkView>

/** What managers see of suppliers. */
export const SupplierList = z.strictObject({
  suppliers: z.array(SupplierView),
  invitations: z.array(InvitationView),
  phoneLinks: z.array(PhoneLinkView),
  /** Hand-overs that their receivers alone said, and catches that a manager has to look at, which wait. */
  claims: z.array(FieldClaim),
})
export type SupplierList = z.infer<typeof SupplierList>
