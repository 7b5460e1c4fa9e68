import { randomBytes } from 'node:crypto'
import {
  type Enrolment,
  type EnrolmentProof,
  MAX_BACKDATED_DAYS,
  type NewDevice,
} from '@befaqt/domain/device'
import { DAY_MS } from '@befaqt/domain/durations'
import { ShopError } from '@befaqt/domain/errors'
import { blockTimeText, genesisHead, toHex } from '@befaqt/provenance'
import {
  enrolMessage,
  keyIdOf,
  type RegisterEntry,
  registerBoxOf,
} from '@befaqt/provenance/signed/device-register'
import { verifyEd25519 } from '@befaqt/provenance/signed/ed25519-node'
import { eq, lt } from 'drizzle-orm'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import { appendRecords } from '#server/boxes/records/append-records.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { devices, enrolments } from '#server/db/schema/devices.ts'
import { fieldError } from '#server/http/field-error.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { qrPath } from '#server/images/qr-path.ts'

/** What managing devices needs of the world. */
export type DeviceDeps = { db: Db; now: () => Date }

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
  if (asked === undefined || asked.expiresAt < now() || isPhone !== (asked.linkId !== null))
    throw new ShopError('not_found', 'There is no open enrolment of this key. Begin again.')
  const message = enrolMessage(Buffer.from(asked.nonce, 'hex'), id)
  if (!(await verifyEd25519(Buffer.from(asked.publicKey, 'hex'), message, Buffer.from(signature, 'hex'))))
    throw fieldError('signature', 'This is not the signature of this key over the message.')
  const { publicKey, name, level } = asked
  const validFrom = new Date(Math.floor((asked.validFrom ?? now()).getTime() / 1000) * 1000)
  await db.transaction(async (tx) => {
    await assertUnknown(tx, id)
    const supplierId = (asked.linkId && (await consumeLink?.(tx, asked.linkId))) || null
    await tx.insert(devices).values({ id, publicKey, name, level, supplierId, validFrom })
    await tx.delete(enrolments).where(eq(enrolments.id, id))
    const box = registerBoxOf(id)
    await tx.insert(boxes).values({ id: box, head: toHex(genesisHead(box)) })
    await appendEntry(tx, principal, entryOf({ id, publicKey, name, level, validFrom }, null))
    const after = { name, level, publicKey, ...(supplierId && { supplier: supplierId }) }
    await writeAuditEntry(tx, principal, 'device', id, { before: null, after })
  })
}

async function assertUnknown(tx: Tx, id: string): Promise<void> {
  const [known] = await tx.select({ id: devices.id }).from(devices).where(eq(devices.id, id))
  if (known !== undefined) throw new ShopError('conflict', 'This key is in the register already.')
}

/** Adds the entry, as it is from now on, to the register box of its key. */
export const appendEntry = (tx: Tx, principal: Principal, entry: RegisterEntry): Promise<unknown> =>
  appendRecords(tx, registerBoxOf(entry.id), [
    { kind: 'device', at: entry.revokedAt ?? entry.validFrom, by: actorId(principal), data: { ...entry } },
  ])

type DeviceRow = Pick<typeof devices.$inferSelect, 'id' | 'publicKey' | 'name' | 'level' | 'validFrom'>

/** A row as the register's records write it: times to the second. */
export const entryOf = (row: DeviceRow, revokedAt: Date | null): RegisterEntry => ({
  id: row.id,
  key: row.publicKey,
  level: row.level,
  name: row.name,
  validFrom: secondText(row.validFrom),
  revokedAt: revokedAt === null ? null : secondText(revokedAt),
})

const secondText = (time: Date): string => blockTimeText(Math.floor(time.getTime() / 1000))
