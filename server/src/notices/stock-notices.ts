import { randomUUID } from 'node:crypto'
import { ShopError } from '@befaqt/domain/errors'
import type { StockNoticeInput } from '@befaqt/domain/stock-notice'
import { and, eq, gt, isNotNull, sql } from 'drizzle-orm'
import {
  consume,
  emailKey,
  emailsByRecipient,
  hashToken,
  linksByNetwork,
  newToken,
  noticeAddress,
  stockNoticesByNetwork,
} from '#server/accounts/index.ts'
import { isTradeName, LOOK_QUEUE } from '#server/catalogue/index.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { users } from '#server/db/schema/accounts.ts'
import { categories, products, stockNotices } from '#server/db/schema/shop.ts'
import { fieldError } from '#server/http/field-error.ts'
import type { Principal } from '#server/identity/principal.ts'
import { enqueue } from '#server/jobs/queue.ts'
import type { EmailTexts } from '#server/mail/email-content.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { buyableSubjects, keyOf, type Subject } from './look.ts'
import { mailConfirm, mailWaiting } from './notice-emails.ts'

export type NoticeDeps = {
  db: Db
  now: () => Date
  secrets: Secrets
  config: { PUBLIC_URL: string }
} & EmailTexts

/** Hours for which the link that confirms a wish works, and days for which a confirmed one waits. */
const CONFIRM_HOURS = 24
const WAITING_DAYS = 180
/** What one address may wait for at a time, and how many may wait for one thing. */
const MAX_OF_ADDRESS = 20
const MAX_OF_SUBJECT = 2_000

const inHours = (hours: number) => sql`clock_timestamp() + ${hours} * interval '1 hour'`
const isOpen = gt(stockNotices.endsAt, sql`clock_timestamp()`)
const isAbout = ({ productId, species }: Subject) =>
  productId === null ? eq(stockNotices.species, species ?? '') : eq(stockNotices.productId, productId)

/**
 * Notes that somebody wants to be told. An address that is not known to be theirs gets an email with a link first; one that
 * waits already gets one that says so: what is answered, and done, is the same for all.
 * @throws ShopError `product.not_found`, `input.invalid`, `conflict` for what can be bought now and for what too many wait
 *   for, `rate.limited`
 */
export async function askForNotice(
  deps: NoticeDeps,
  principal: Principal,
  { email, product_id, species }: StockNoticeInput,
  network: string,
): Promise<{ message: string }> {
  await consume(deps.db, stockNoticesByNetwork(network), deps.now())
  const { subject, name } = await subjectOf(deps.db, product_id, species)
  if ((await buyableSubjects(deps.db, [subject])).has(keyOf(subject)))
    throw new ShopError('conflict', 'It can be bought now: please load the page again.')
  const waiting = and(isAbout(subject), isOpen, isNotNull(stockNotices.confirmedAt)) // others may be nobody's
  if ((await deps.db.$count(stockNotices, waiting)) >= MAX_OF_SUBJECT)
    throw new ShopError('conflict', 'So many wait for it that we can’t take more. Please look in again.')
  const userId = await ownerOf(deps.db, principal, email)
  if (userId === null) await consume(deps.db, emailsByRecipient(email), deps.now())
  return deps.db.transaction(async (tx) => {
    const wish = { subject, name, email, address: noticeAddress(deps.secrets, email) }
    return userId === null ? ask(tx, deps, wish) : note(tx, wish, userId)
  })
}

type Wish = { subject: Subject; name: string; email: string; address: string }

/** @throws ShopError `product.not_found`, `input.invalid` */
async function subjectOf(
  db: Db,
  productId: string | undefined,
  species: string | undefined,
): Promise<{ subject: Subject; name: string }> {
  if (productId === undefined) {
    if (species === undefined || !isTradeName(species))
      throw fieldError('species', 'We don’t know this kind.')
    return { subject: { productId: null, species }, name: species }
  }
  const onSale = and(eq(products.status, 'ACTIVE'), eq(categories.status, 'ACTIVE'))
  const [found] = await db
    .select({ title: products.title })
    .from(products)
    .innerJoin(categories, eq(categories.id, products.categoryId))
    .where(and(eq(products.id, productId), onSale))
  if (found === undefined) throw new ShopError('product.not_found', 'There is no such product.')
  return { subject: { productId, species: null }, name: found.title }
}

/** The account whose confirmed address this is, if its owner asks; null: somebody typed it. */
async function ownerOf(db: Db, principal: Principal, email: string): Promise<string | null> {
  if (principal.kind !== 'user') return null
  const [user] = await db.select().from(users).where(eq(users.id, principal.userId))
  return user !== undefined && user.activatedAt !== null && user.emailKey === emailKey(email) ? user.id : null
}

/** The row of a wish, locked: a new one, or the one that is there. What it was has ended, where it was over. */
async function rowOf(tx: Tx, { subject, email, address }: Wish) {
  const fresh = { id: randomUUID(), ...subject, email, address, endsAt: inHours(CONFIRM_HOURS) }
  await tx.insert(stockNotices).values(fresh).onConflictDoNothing()
  const [row] = await tx
    .select({
      id: stockNotices.id,
      isWaiting: sql<boolean>`${stockNotices.confirmedAt} is not null and ${isOpen}`,
    })
    .from(stockNotices)
    .where(and(eq(stockNotices.address, address), isAbout(subject)))
    .for('update')
  if (row === undefined) throw new Error('a notice vanished between insert and select')
  const others = and(eq(stockNotices.address, address), isOpen, sql`${stockNotices.id} <> ${row.id}`)
  return { ...row, isTooMuch: (await tx.$count(stockNotices, others)) >= MAX_OF_ADDRESS }
}

async function ask(tx: Tx, deps: NoticeDeps, wish: Wish): Promise<{ message: string }> {
  const { id, isWaiting, isTooMuch } = await rowOf(tx, wish)
  const to = { to: wish.email, name: wish.name, address: wish.address }
  if (isWaiting || isTooMuch) {
    if (!isWaiting) await tx.delete(stockNotices).where(eq(stockNotices.id, id))
    await mailWaiting(tx, deps, { ...to, isTooMuch: !isWaiting })
  } else {
    const token = newToken()
    await tx
      .update(stockNotices)
      .set({ confirmHash: hashToken(token), confirmedAt: null, endsAt: inHours(CONFIRM_HOURS) })
      .where(eq(stockNotices.id, id))
    await mailConfirm(tx, deps, { ...to, token, hours: CONFIRM_HOURS })
  }
  return {
    message: `Please look into your email: open the link in it within ${CONFIRM_HOURS} hours. Then you get one email when it is there.`,
  }
}

/** @throws ShopError `conflict` where the account's address waits for too much already */
async function note(tx: Tx, wish: Wish, userId: string): Promise<{ message: string }> {
  const { id, isWaiting, isTooMuch } = await rowOf(tx, wish)
  if (isTooMuch && !isWaiting)
    throw new ShopError('conflict', `You wait for ${MAX_OF_ADDRESS} things already, which is the most.`)
  if (!isWaiting) await confirmRow(tx, id, userId)
  return { message: 'You get one email when it is there.' }
}

async function confirmRow(tx: Tx, id: string, userId: string | null): Promise<void> {
  await tx
    .update(stockNotices)
    .set({
      confirmedAt: sql`clock_timestamp()`,
      endsAt: inHours(WAITING_DAYS * 24),
      ...(userId !== null && { userId }),
    })
    .where(eq(stockNotices.id, id))
  await enqueue(tx, LOOK_QUEUE, { ids: null }) // it may have come meanwhile
}

/**
 * Confirms a wish by the link of its email. Again, it says the same.
 * @throws ShopError `token.invalid`, `rate.limited`
 */
export async function confirmNotice(
  deps: NoticeDeps,
  token: string,
  network: string,
): Promise<{ message: string }> {
  await consume(deps.db, linksByNetwork(network), deps.now())
  return deps.db.transaction(async (tx) => {
    const [row] = await tx
      .select({ id: stockNotices.id, confirmedAt: stockNotices.confirmedAt })
      .from(stockNotices)
      .where(and(eq(stockNotices.confirmHash, hashToken(token)), isOpen))
      .for('update')
    if (row === undefined)
      throw new ShopError('token.invalid', 'This link is not valid any more. Please ask again on the page.')
    if (row.confirmedAt === null) await confirmRow(tx, row.id, null)
    return { message: 'Thank you. You get one email when it is there, and none after that.' }
  })
}

/** Ends all that the address of this link waits for, also what is about to be sent. Says the same to any link. */
export async function stopNotices({ db }: Pick<NoticeDeps, 'db'>, key: string): Promise<{ message: string }> {
  await db.delete(stockNotices).where(eq(stockNotices.address, key))
  return { message: 'Stopped. You get no more of these emails.' }
}
