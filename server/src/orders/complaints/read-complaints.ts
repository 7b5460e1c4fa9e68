import type { ComplaintView, ManagedComplaint, OrderComplaints } from '@befaqt/domain/api/complaint-api'
import { complaintActs } from '@befaqt/domain/complaint'
import { ShopError } from '@befaqt/domain/errors'
import { and, asc, desc, eq } from 'drizzle-orm'
import type { Logger } from 'pino'
import { z } from 'zod'
import { actorNames } from '#server/audit/history.ts'
import { ONE_MOMENT, type Tx } from '#server/db/client.ts'
import { complaintPhotos, complaints, complaintWords } from '#server/db/schema/complaints.ts'
import type { FileStore } from '#server/files/file-store.ts'
import { readObject } from '#server/files/objects.ts'
import { BOX_NOT_ALLOWED, type Principal } from '#server/identity/principal.ts'
import { orderRole } from '../order-access.ts'
import type { WholeOrder } from '../order-views.ts'
import { type OrderReadDeps, readWholeOrder } from '../read-orders.ts'
import { type Asked, type ComplaintRecord, endOf, may, mostFor, promiseOf } from './complaint-rules.ts'

type Words = typeof complaintWords.$inferSelect
type Photo = typeof complaintPhotos.$inferSelect

/** A complaint with what was written and shown. */
type Told = { complaint: ComplaintRecord; words: readonly Words[]; photos: readonly Photo[] }

/** Complaints of an order, the newest first. */
export const complaintsOf = (tx: Tx, orderId: string): Promise<ComplaintRecord[]> =>
  tx
    .select()
    .from(complaints)
    .where(eq(complaints.orderId, orderId))
    .orderBy(desc(complaints.createdAt), desc(complaints.id))

async function toldOf(tx: Tx, orderId: string): Promise<Told[]> {
  const all = await complaintsOf(tx, orderId)
  if (all.length === 0) return []
  const words = await tx
    .select()
    .from(complaintWords)
    .where(eq(complaintWords.orderId, orderId))
    .orderBy(asc(complaintWords.id))
  const photos = await tx
    .select()
    .from(complaintPhotos)
    .where(eq(complaintPhotos.orderId, orderId))
    .orderBy(asc(complaintPhotos.place))
  return all.map((complaint) => ({
    complaint,
    words: words.filter(({ complaintId }) => complaintId === complaint.id),
    photos: photos.filter(({ complaintId }) => complaintId === complaint.id),
  }))
}

async function actsOf(by: 'buyer' | 'shop', asked: Asked): Promise<ComplaintView['acts']> {
  const acts: ComplaintView['acts'] = []
  for (const act of complaintActs) if (await may(act, by, asked)) acts.push(act)
  return acts
}

/** @param nameOf of who wrote for the shop; without, nobody is named */
async function view(
  by: 'buyer' | 'shop',
  { complaint, words, photos }: Told,
  asked: Asked,
  nameOf: (who: string) => string | null = () => null,
): Promise<ComplaintView> {
  const { refundedAt, refundWay } = complaint
  return {
    _id: complaint.id,
    status: complaint.status,
    lines: complaint.lines,
    wrong: complaint.wrong,
    wish: complaint.wish,
    words: words.map(({ who, text, happenedAt }) => ({
      by: who === null ? 'buyer' : 'shop',
      who: who === null ? null : nameOf(who),
      text,
      at: happenedAt.toISOString(),
    })),
    photos: photos.map(({ id, width, height }) => ({ _id: id, width, height })),
    promised: promiseOf(asked.whole, complaint),
    refunded:
      refundedAt === null || refundWay === null ? null : { at: refundedAt.toISOString(), way: refundWay },
    until: endOf(asked.whole, complaint.answeredAt).toISOString(),
    acts: await actsOf(by, asked),
    createdAt: complaint.createdAt.toISOString(),
    updatedAt: complaint.updatedAt.toISOString(),
    version: complaint.version,
  }
}

/** Complaints of an order as its buyer sees them, the newest first. */
export async function buyersComplaints(tx: Tx, whole: WholeOrder, now: Date): Promise<ComplaintView[]> {
  const told = await toldOf(tx, whole.order.id)
  const all = told.map(({ complaint }) => complaint)
  return Promise.all(told.map((one) => view('buyer', one, { whole, all, complaint: one.complaint, now })))
}

/** The boxes that the lines of a complaint were packed from. */
export const boxesOf = ({ lines }: Pick<ComplaintRecord, 'lines'>, { boxes }: WholeOrder): string[] => [
  ...new Set(
    boxes.flatMap(({ position, boxId }) => (lines.length === 0 || lines.includes(position) ? boxId : [])),
  ),
]

/** The same as the shop works on them. */
export async function shopsComplaints(tx: Tx, whole: WholeOrder, now: Date): Promise<ManagedComplaint[]> {
  const told = await toldOf(tx, whole.order.id)
  const all = told.map(({ complaint }) => complaint)
  const names = await actorNames(tx, [
    ...new Set(
      told.flatMap(({ complaint, words }) => [
        ...words.flatMap(({ who }) => who ?? []),
        ...(complaint.checkedBy === null ? [] : [complaint.checkedBy]),
      ]),
    ),
  ])
  const nameOf = (who: string): string => names.get(who) ?? who
  return Promise.all(
    told.map(async (one) => {
      const { complaint } = one
      const { aboutBoxes, checkedAt, checkedBy, checkFound } = complaint
      const asked = { whole, all, complaint, now }
      const checked =
        checkedAt === null || checkedBy === null
          ? null
          : { at: checkedAt.toISOString(), who: nameOf(checkedBy), found: checkFound ?? '' }
      return {
        ...(await view('shop', one, asked, nameOf)),
        check: aboutBoxes ? { boxes: boxesOf(complaint, whole), checked } : null,
        most: mostFor(asked),
      }
    }),
  )
}

/**
 * What the buyer of an order said of it, and whether more can be said. The shop reads the same.
 * @param key of the signed link, for guests
 * @throws ShopError `order.not_found`, `auth.forbidden` for a key for some boxes
 */
export const readComplaints = (
  deps: OrderReadDeps,
  principal: Principal,
  id: string,
  key: string | undefined,
): Promise<OrderComplaints> =>
  deps.db.transaction(async (tx) => {
    const [whole, role] = await seenOrder(deps, tx, principal, id, key)
    const now = deps.now()
    const all = await complaintsOf(tx, id)
    return {
      open: role === 'buyer' && (await may('send', 'buyer', { whole, all, complaint: null, now })),
      until: endOf(whole).toISOString(),
      complaints: await buyersComplaints(tx, whole, now),
    }
  }, ONE_MOMENT)

/**
 * An order for its buyer or for the shop. @throws ShopError `order.not_found`, `auth.forbidden` for a key for some boxes
 */
export async function seenOrder(
  deps: Omit<OrderReadDeps, 'db'>,
  tx: Tx,
  principal: Principal,
  id: string,
  key: string | undefined,
): Promise<[WholeOrder, 'buyer' | 'shop']> {
  const whole = await readWholeOrder(tx, id)
  const role = await orderRole(deps, tx, principal, whole.order, key, 'order:read')
  if (role === 'boxes') throw new ShopError('auth.forbidden', BOX_NOT_ALLOWED)
  return [whole, role]
}

/**
 * The bytes of a photo, for who may read its order's complaints.
 * @throws ShopError `order.not_found`, `file.not_found` also for a photo of another order, `unavailable`
 */
export async function readPhoto(
  deps: OrderReadDeps & { files: FileStore; log: Logger },
  principal: Principal,
  { id, photo }: { id: string; photo: string },
  key: string | undefined,
): Promise<Uint8Array> {
  const found = await deps.db.transaction(async (tx) => {
    await seenOrder(deps, tx, principal, id, key)
    if (!z.uuid().safeParse(photo).success) return undefined
    const { id: ofPhoto, orderId } = complaintPhotos
    const [row] = await tx
      .select()
      .from(complaintPhotos)
      .where(and(eq(ofPhoto, photo), eq(orderId, id)))
    return row
  }, ONE_MOMENT)
  const bytes = found && (await readObject(deps, { ...found, path: `complaint photo ${found.id}` }))
  if (bytes === undefined) throw new ShopError('file.not_found', 'There is no such photo.')
  return bytes
}
