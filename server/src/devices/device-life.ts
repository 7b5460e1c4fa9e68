import { randomBytes } from 'node:crypto'
import {
  type Enrolment,
  type EnrolmentProof,
  MAX_BACKDATED_DAYS,
  type NewDevice,
  type Revocation,
} from '@befaqt/domain/device'
import { DAY_MS } from '@befaqt/domain/durations'
import { ShopError } from '@befaqt/domain/errors'
import { carryOut, type EffectOf, edgeOf, type Handlers, life } from '@befaqt/domain/life'
import { blockTimeText, genesisHead, toHex } from '@befaqt/provenance'
import {
  enrolMessage,
  keyIdOf,
  type RegisterEntry,
  registerBoxOf,
} from '@befaqt/provenance/signed/device-register'
import { verifyEd25519 } from '@befaqt/provenance/signed/signatures-node'
import { and, eq, isNull, lt } from 'drizzle-orm'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import { appendRecords } from '#server/boxes/index.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { devices, enrolments } from '#server/db/schema/devices.ts'
import { fieldError } from '#server/http/field-error.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { qrPath } from '#server/images/qr-path.ts'

/** What managing devices needs of the world. */
export type DeviceDeps = { db: Db; now: () => Date }

/** A manager, or the supplier whose phone it is. */
const enroller = ['manager', 'supplier'] as const

/** The life of a device's key. It is revoked for good: no key comes back. */
export const deviceLife = life({
  new: { begin: { to: 'asked', by: enroller } },
  asked: {
    'begin again': { to: 'asked', by: enroller },
    register: {
      to: 'valid',
      by: enroller,
      effects: ['use up the link of a phone', 'open its register box', 'record', 'audit: registered'],
    },
    lapse: { to: 'lapsed', by: ['clock'] },
  },
  lapsed: { 'begin again': { to: 'asked', by: enroller } },
  valid: { revoke: { to: 'revoked', by: ['manager'], effects: ['record', 'audit: revoked'] } },
  revoked: {},
})

/** How long a device may take to sign: somebody may have to carry the answer to it. */
const ENROLMENT_MS = 60 * 60_000

/**
 * Answers what a device has to sign, so that it shows that it holds the key. The same key again gets a new nonce, and the
 * old one no longer counts.
 * @param linkId the link by which a supplier's phone came; null: a manager registers a device
 * @throws ShopError `conflict` when the key is in the register, also when it was revoked
 */
export async function beginEnrolment(
  { db, now }: DeviceDeps,
  input: NewDevice,
  linkId: string | null = null,
): Promise<Enrolment> {
  const { publicKey, name, level } = input
  const validFrom = backdated(input.validFrom, now())
  const id = keyIdOf(Buffer.from(publicKey, 'hex'))
  const nonce = randomBytes(32)
  const expiresAt = new Date(now().getTime() + ENROLMENT_MS)
  const asked = { publicKey, name, level, validFrom, linkId, nonce: nonce.toString('hex'), expiresAt }
  await db.transaction(async (tx) => {
    await assertUnknown(tx, id)
    await tx.delete(enrolments).where(lt(enrolments.expiresAt, now()))
    await tx
      .insert(enrolments)
      .values({ id, ...asked })
      .onConflictDoUpdate({ target: enrolments.id, set: asked })
  })
  const message = Buffer.from(enrolMessage(nonce, id)).toString('hex')
  return { id, nonce: asked.nonce, message, expiresAt: expiresAt.toISOString(), qr: qrPath(message) }
}

/** @throws ShopError `input.invalid` for a time to come, or one that no logger's memory reaches back to */
function backdated(text: string | undefined, now: Date): Date | null {
  if (text === undefined) return null
  const time = new Date(text)
  if (time > now) throw fieldError('validFrom', 'must not be in the future')
  if (time.getTime() < now.getTime() - MAX_BACKDATED_DAYS * DAY_MS)
    throw fieldError('validFrom', `must be at most ${MAX_BACKDATED_DAYS} days ago`)
  return time
}

/**
 * Enters a key into the register: a row, the first record of its box, and an audit entry.
 * @param consumeLink consumes the link of a supplier's phone in the same transaction, and answers whose it is
 * @throws ShopError `not_found` when nothing was begun or it took too long, `input.invalid` for a wrong signature,
 * `conflict` when another request was faster
 */
export async function completeEnrolment(
  { db, now }: DeviceDeps,
  principal: Principal,
  id: string,
  { signature }: EnrolmentProof,
  consumeLink?: (tx: Tx, linkId: string) => Promise<string>,
): Promise<void> {
  const [asked] = await db.select().from(enrolments).where(eq(enrolments.id, id))
  const isPhone = consumeLink !== undefined
  const state = asked === undefined || asked.expiresAt < now() ? 'lapsed' : 'asked'
  const move = edgeOf(deviceLife, state, 'register', isPhone ? 'supplier' : 'manager')
  if (asked === undefined || move === undefined || isPhone !== (asked.linkId !== null))
    throw new ShopError('not_found', 'There is no open enrolment of this key. Begin again.')
  const message = enrolMessage(Buffer.from(asked.nonce, 'hex'), id)
  if (!(await verifyEd25519(Buffer.from(asked.publicKey, 'hex'), message, Buffer.from(signature, 'hex'))))
    throw fieldError('signature', 'This is not the signature of this key over the message.')
  const { publicKey, name, level } = asked
  const validFrom = new Date(Math.floor((asked.validFrom ?? now()).getTime() / 1000) * 1000)
  await db.transaction(async (tx) => {
    await assertUnknown(tx, id)
    const [supplierId = null] = await carryOut(move.effects, linking, {
      tx,
      linkId: asked.linkId,
      consumeLink,
    })
    const row = { id, publicKey, name, level, supplierId, validFrom, revokedAt: null }
    await tx.insert(devices).values(row)
    await tx.delete(enrolments).where(eq(enrolments.id, id))
    await carryOut(move.effects, followUps, { tx, principal, row, reason: '' })
  })
}

async function assertUnknown(tx: Tx, id: string): Promise<void> {
  const [known] = await tx.select({ id: devices.id }).from(devices).where(eq(devices.id, id))
  if (known !== undefined) throw new ShopError('conflict', 'This key is in the register already.')
}

/**
 * Revokes a key for good, and keeps why in the audit log: when this returns, no reading that it signed is stored any
 * more, on open connections neither.
 * @throws ShopError `not_found`: unknown, or revoked before
 */
export async function revokeDevice(
  { db, now }: DeviceDeps,
  principal: Principal,
  id: string,
  { reason }: Revocation,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [row] = await tx
      .update(devices)
      .set({ revokedAt: now() })
      .where(and(eq(devices.id, id), isNull(devices.revokedAt)))
      .returning()
    if (row === undefined)
      throw new ShopError('not_found', 'There is no such device, or it was revoked before.')
    await carryOut(deviceLife.valid.revoke.effects, followUps, { tx, principal, row, reason })
  })
}

type Linking = {
  tx: Tx
  linkId: string | null
  consumeLink: ((tx: Tx, linkId: string) => Promise<string>) | undefined
}

/** Before the key is entered: whose phone it is. */
const linking = {
  'use up the link of a phone': async ({ tx, linkId, consumeLink }) =>
    linkId === null || consumeLink === undefined ? null : consumeLink(tx, linkId),
} satisfies Partial<Handlers<EffectOf<typeof deviceLife>, [Linking], string | null>>

type DeviceRow = Omit<typeof devices.$inferSelect, 'createdAt'>
type Moved = { tx: Tx; principal: Principal; row: DeviceRow; reason: string }

/** What follows once the key's row says it. */
const followUps: Handlers<Exclude<EffectOf<typeof deviceLife>, keyof typeof linking>, [Moved], unknown> = {
  'open its register box': ({ tx, row }) => {
    const box = registerBoxOf(row.id)
    return tx.insert(boxes).values({ id: box, head: toHex(genesisHead(box)) })
  },
  /** The entry as it is from now on, in the register box of the key. */
  record: ({ tx, principal, row }) => {
    const entry = entryOf(row)
    const at = entry.revokedAt ?? entry.validFrom
    const record = { kind: 'device' as const, at, by: actorId(principal), data: { ...entry } }
    return appendRecords(tx, registerBoxOf(row.id), [record])
  },
  'audit: registered': ({ tx, principal, row: { id, name, level, publicKey, supplierId } }) => {
    const after = { name, level, publicKey, ...(supplierId && { supplier: supplierId }) }
    return writeAuditEntry(tx, principal, 'device', id, { before: null, after })
  },
  'audit: revoked': ({ tx, principal, row, reason }) =>
    writeAuditEntry(tx, principal, 'device', row.id, {
      before: { revoked: false },
      after: { revoked: true, reason },
    }),
}

/** A row as the register's records write it: times to the second. */
const entryOf = ({ id, publicKey, name, level, validFrom, revokedAt }: DeviceRow): RegisterEntry => ({
  id,
  key: publicKey,
  level,
  name,
  validFrom: secondText(validFrom),
  revokedAt: revokedAt === null ? null : secondText(revokedAt),
})

const secondText = (time: Date): string => blockTimeText(Math.floor(time.getTime() / 1000))
