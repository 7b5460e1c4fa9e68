import { randomUUID } from 'node:crypto'
import type {
  ComplaintDecision,
  ComplaintInput,
  ComplaintMove,
  ComplaintView,
  ManagedComplaint,
} from '@befaqt/domain/api/complaint-api'
import { boxWrongs, type ComplaintAct, type complaintLife } from '@befaqt/domain/complaint'
import { ShopError } from '@befaqt/domain/errors'
import { carryOut, type EffectOf, type Handlers } from '@befaqt/domain/life'
import { eq, sql } from 'drizzle-orm'
import { consume, consumeEach, emailKey } from '#server/accounts/index.ts'
import type { Tx } from '#server/db/client.ts'
import { complaintPhotos, complaints, complaintWords } from '#server/db/schema/complaints.ts'
import { orderContacts } from '#server/db/schema/orders.ts'
import type { FileStore } from '#server/files/file-store.ts'
import { claimObject, putObject, removeIfUnreferenced } from '#server/files/objects.ts'
import { fieldError } from '#server/http/field-error.ts'
import { checkVersion } from '#server/http/optimistic-lock.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import type { NormalizedImage } from '#server/images/image-processor.ts'
import { ownEmails } from '../count-orders.ts'
import { userIdOf } from '../hold-stock.ts'
import type { OrderDeps } from '../order-deps.ts'
import { complaintsByNetwork, ordersByRecipient } from '../order-limits.ts'
import type { WholeOrder } from '../order-views.ts'
import { lockOrder } from '../read-orders.ts'
import { mailAnswered, mailReceived, mailShop } from './complaint-emails.ts'
import { type Asked, type ComplaintRecord, edgeFor } from './complaint-rules.ts'
import { buyersComplaints, complaintsOf, seenOrder, shopsComplaints } from './read-complaints.ts'

/** Who asks, from where, and by which signed link. */
export type From = { principal: Principal; network: string; key: string | undefined }

const notFound = (): ShopError => new ShopError('not_found', 'There is no such complaint.')

/** What a complaint brings about, by its name in the table of the life. */
const effects: Handlers<EffectOf<typeof complaintLife>, [Parameters<typeof mailReceived>[0]], void> = {
  'email: received': mailReceived,
  'email: answered': mailAnswered,
  'notice to the shop': mailShop,
}

/**
 * Could this be sent? Asked before its photos are read: nobody else's photos are taken in. It counts.
 * @throws ShopError as `complain`
 */
export async function assertMayComplain(deps: OrderDeps, id: string, from: From): Promise<void> {
  await consume(deps.db, complaintsByNetwork(from.network), deps.now())
  await deps.db.transaction(async (tx) => {
    const asked = await buyerAsks(deps, tx, id, from)
    await edgeFor('send', 'buyer', asked)
  })
}

/**
 * A buyer says what is wrong with an order, with photos. One at a time: of two sent at once the second is refused.
 * @throws ShopError `order.not_found`, `order.state`, `conflict` when it is too late, one is open, or there were too many,
 *   `input.invalid`, `rate.limited`, `auth.forbidden` for the shop itself, `unavailable`
 */
export async function complain(
  deps: OrderDeps & { files: FileStore },
  id: string,
  input: ComplaintInput,
  photos: readonly NormalizedImage[],
  from: From,
): Promise<ComplaintView> {
  const keys: string[] = []
  try {
    for (const { bytes } of photos)
      keys.push(await putObject(deps.db, deps.files, { bytes, extension: 'webp' }))
    return await deps.db.transaction(async (tx) => {
      await lockOrder(tx, id)
      const asked = await buyerAsks(deps, tx, id, from)
      const { to, effects: names } = await edgeFor('send', 'buyer', asked)
      assertLines(asked.whole, input.lines)
      await countFor(deps, tx, asked.whole, from)
      const [complaint] = await tx
        .insert(complaints)
        .values({
          id: randomUUID(),
          orderId: id,
          status: to,
          lines: input.lines,
          wrong: input.wrong,
          wish: input.wish,
          aboutBoxes: input.wrong.some((one) => boxWrongs.includes(one)),
          createdAt: asked.now,
          updatedAt: asked.now,
        })
        .returning()
      if (complaint === undefined) throw new Error('a complaint was inserted')
      await write(tx, complaint, { who: null, text: input.words, now: asked.now })
      for (const [place, { bytes, width, height }] of photos.entries()) {
        const objectKey = keys[place] ?? ''
        await claimObject(tx, objectKey)
        const row = { complaintId: complaint.id, orderId: id, place, bytes: bytes.length, width, height }
        await tx.insert(complaintPhotos).values({ id: randomUUID(), ...row, objectKey })
      }
      await carryOut(names, effects, { tx, deps, whole: asked.whole, complaint, before: null, answer: '' })
      return seenByBuyer(tx, asked, complaint.id)
    })
  } finally {
    await Promise.allSettled(keys.map((one) => removeIfUnreferenced(deps.db, deps.files, one)))
  }
}

/** An order as its buyer has it before something is done, who stays while this transaction lasts. */
async function buyerAsks(deps: OrderDeps, tx: Tx, id: string, { principal, key }: From): Promise<Asked> {
  await tx
    .select({ id: orderContacts.orderId })
    .from(orderContacts)
    .where(eq(orderContacts.orderId, id))
    .for('key share')
  const [whole, role] = await seenOrder(deps, tx, principal, id, key)
  if (role !== 'buyer')
    throw new ShopError('auth.forbidden', 'Who bought it says what is wrong with an order.')
  return { whole, all: await complaintsOf(tx, id), complaint: null, now: deps.now() }
}

/** @throws ShopError `input.invalid` for a line that is not in the order, or was left out of it */
function assertLines({ lines }: WholeOrder, positions: readonly number[]): void {
  for (const [i, position] of positions.entries()) {
    const line = lines.find((one) => one.position === position)
    if (line === undefined) throw fieldError(`lines[${i}]`, 'is not in this order')
    if (line.leftOutReason !== null) throw fieldError(`lines[${i}]`, 'was left out of this order')
  }
}

/** Each sends an email: they count as orders do. @throws ShopError `rate.limited` */
async function countFor(
  deps: OrderDeps,
  tx: Tx,
  { contact }: WholeOrder,
  { principal }: From,
): Promise<void> {
  const email = contact?.email ?? ''
  const own = await ownEmails(tx, [{ principal }])
  if (own.get(userIdOf(principal)) === emailKey(email)) return
  for (const refused of await consumeEach(tx, [ordersByRecipient(email)], deps.now()))
    if (refused) throw refused
}

const write = (
  tx: Tx,
  { id, orderId }: Pick<ComplaintRecord, 'id' | 'orderId'>,
  { who, text, now }: { who: string | null; text: string; now: Date },
) => tx.insert(complaintWords).values({ complaintId: id, orderId, who, text, happenedAt: now })

async function seenByBuyer(tx: Tx, { whole, now }: Asked, id: string): Promise<ComplaintView> {
  const one = (await buyersComplaints(tx, whole, now)).find(({ _id }) => _id === id)
  if (one === undefined) throw notFound()
  return one
}

/** Makes an allowed change of a complaint, with what follows. */
async function change(
  tx: Tx,
  deps: OrderDeps,
  asked: Asked & { complaint: ComplaintRecord },
  {
    act,
    by,
    set,
    words,
  }: { act: ComplaintAct; by: 'buyer' | 'shop'; set: object; words?: Parameters<typeof write>[2] },
): Promise<void> {
  const { to, effects: names } = await edgeFor(act, by, asked)
  const { id, version } = asked.complaint
  const [complaint] = await tx
    .update(complaints)
    .set({ ...set, status: to, version: version + 1, updatedAt: asked.now })
    .where(eq(complaints.id, id))
    .returning()
  if (complaint === undefined) throw notFound()
  if (words !== undefined) await write(tx, complaint, words)
  const answer = words?.text ?? ''
  const before = asked.complaint
  await carryOut(names, effects, { tx, deps, whole: asked.whole, complaint, before, answer })
}

/** One of the complaints of an order. @throws ShopError `not_found` */
function chosen(asked: Asked, id: string): Asked & { complaint: ComplaintRecord } {
  const complaint = asked.all.find((one) => one.id === id)
  if (complaint === undefined) throw notFound()
  return { ...asked, complaint }
}

/**
 * A buyer takes a complaint back, or says that an answer is not enough.
 * @throws ShopError as `complain`; `not_found`, `version.stale`
 */
export async function moveComplaint(
  deps: OrderDeps,
  { id, complaint }: { id: string; complaint: string },
  move: ComplaintMove,
  from: From,
  version?: number,
): Promise<ComplaintView> {
  await consume(deps.db, complaintsByNetwork(from.network), deps.now())
  return deps.db.transaction(async (tx) => {
    await lockOrder(tx, id)
    const asked = chosen(await buyerAsks(deps, tx, id, from), complaint)
    checkVersion(version, await seenByBuyer(tx, asked, complaint))
    const { act } = move
    if (act === 'withdraw') await change(tx, deps, asked, { act, by: 'buyer', set: {} })
    else {
      await edgeFor(act, 'buyer', asked)
      await countFor(deps, tx, asked.whole, from)
      const set = { rounds: asked.complaint.rounds + 1 }
      const words = { who: null, text: move.words, now: asked.now }
      await change(tx, deps, asked, { act, by: 'buyer', set, words })
    }
    return seenByBuyer(tx, asked, complaint)
  })
}

/**
 * The shop answers a complaint, closes it, records that it gave money back or that somebody looked at its boxes, or takes
 * such a record back.
 * @throws ShopError `not_found`, `version.stale`, `conflict`, `input.invalid` for more than the order cost
 */
export async function decideComplaint(
  deps: OrderDeps,
  principal: Principal,
  id: string,
  decision: ComplaintDecision,
  version?: number,
): Promise<ManagedComplaint> {
  return deps.db.transaction(async (tx) => {
    const [found] = await tx
      .select({ orderId: complaints.orderId })
      .from(complaints)
      .where(sql`${complaints.id} = ${id}`)
    if (found === undefined) throw notFound()
    await lockOrder(tx, found.orderId)
    await tx.select().from(orderContacts).where(eq(orderContacts.orderId, found.orderId)).for('key share')
    const [whole] = await seenOrder(deps, tx, principal, found.orderId, undefined)
    const now = deps.now()
    const refund = decision.act === 'answer' ? decision.refund : undefined
    const all = await complaintsOf(tx, found.orderId)
    const asked = chosen({ whole, all, complaint: null, now, refund }, id)
    const seen = async (): Promise<ManagedComplaint> => {
      const one = (await shopsComplaints(tx, whole, now)).find(({ _id }) => _id === id)
      if (one === undefined) throw notFound()
      return one
    }
    checkVersion(version, await seen())
    await change(tx, deps, asked, { ...changeOf(decision, actorId(principal), now), by: 'shop' })
    return seen()
  })
}

/** The columns that a decision sets, and what is written with it. */
function changeOf(decision: ComplaintDecision, who: string, now: Date) {
  const { act } = decision
  switch (act) {
    case 'answer': {
      const { refund, words: text } = decision
      const promise = refund === undefined ? {} : { promisedCents: refund === 0 ? null : refund }
      return { act, set: { ...promise, answeredAt: now }, words: { who, text, now } }
    }
    case 'close':
      return { act, set: {} }
    case 'record refund':
      return { act, set: { refundedAt: now, refundedBy: who, refundWay: decision.way } }
    case 'undo refund':
      return { act, set: { refundedAt: null, refundedBy: null, refundWay: null } }
    case 'undo check':
      return { act, set: { checkedAt: null, checkedBy: null, checkFound: null } }
    case 'check boxes':
      return { act, set: { checkedAt: now, checkedBy: who, checkFound: decision.found } }
  }
}
