import { randomUUID } from 'node:crypto'
import type { AllottedLabels, FreeLabels } from '@befaqt/domain/api/field-api'
import {
  isOfLabels,
  labelNumberOf,
  labelText,
  MAX_LABELS,
  type NewLabels,
  numbersFrom,
  type PrintedLabels,
} from '@befaqt/domain/box-numbers'
import { ShopError } from '@befaqt/domain/errors'
import { and, asc, eq, gte, inArray, isNotNull, lte, sql } from 'drizzle-orm'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import { type LabelContent, type LabelDeps, numberLabel } from '#server/boxes/index.ts'
import { lockNamed } from '#server/db/advisory-locks.ts'
import { type Db, ONE_MOMENT, type Tx } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { fieldEntries, supplierLabels, suppliers } from '#server/db/schema/suppliers.ts'
import type { Principal } from '#server/identity/principal.ts'

type LabelRange = Omit<typeof supplierLabels.$inferSelect, 'userId' | 'createdAt'>

/** Ranges of labels that one supplier may have. */
const MAX_RANGES = 20
/** Free numbers of each that a phone is told. */
const MAX_NEXT = 50

/**
 * Allots labels to a supplier, who may register boxes under their numbers.
 * @throws ShopError `user.not_found`; `conflict` when some of them are allotted, or the supplier has too many ranges
 */
export async function allotLabels(
  { db, now }: { db: Db; now: () => Date },
  principal: Principal,
  userId: string,
  { first, count }: NewLabels,
): Promise<AllottedLabels> {
  const row = { id: randomUUID(), userId, ...rangeOf(first, count), createdAt: now() }
  await db.transaction(async (tx) => {
    await lockNamed(tx, 'labels', row.prefix)
    const [supplier] = await tx.select().from(suppliers).where(eq(suppliers.userId, userId)).for('update')
    if (supplier === undefined) throw new ShopError('user.not_found', 'There is no such supplier.')
    const [taken] = await allotmentsAmong(tx, first, count)
    if (taken !== undefined) {
      const { labels, party } = taken
      throw new ShopError('conflict', `${labels.first} to ${labels.last} are allotted to ${party} already.`)
    }
    if ((await tx.$count(supplierLabels, eq(supplierLabels.userId, userId))) >= MAX_RANGES)
      throw new ShopError(
        'conflict',
        `This supplier has ${MAX_RANGES} ranges of labels already: take those back that are used up.`,
      )
    await tx.insert(supplierLabels).values(row)
    const { id: _, ...labels } = labelsView(row)
    await writeAuditEntry(tx, principal, 'supplier', userId, { before: null, after: { labels } })
  })
  return labelsView(row)
}

/** Prefix, digits, and first and last value of so many labels from `first` on. */
function rangeOf(first: string, count: number): Omit<LabelRange, 'id'> {
  const number = labelNumberOf(first)
  if (number === null) throw new Error(`labels without a number: ${first}`)
  const { value, ...series } = number
  return { ...series, first: value, last: value + count - 1 }
}

/** Allotments that have any of so many labels from `first` on, with the party that has them. */
async function allotmentsAmong(
  tx: Tx,
  first: string,
  count: number,
): Promise<{ labels: AllottedLabels; userId: string; party: string }[]> {
  const range = rangeOf(first, count)
  const found = await tx
    .select({ labels: supplierLabels, party: suppliers.party })
    .from(supplierLabels)
    .innerJoin(suppliers, eq(suppliers.userId, supplierLabels.userId))
    .where(
      and(
        eq(supplierLabels.prefix, range.prefix),
        eq(supplierLabels.digits, range.digits),
        lte(supplierLabels.first, range.last),
        gte(supplierLabels.last, range.first),
      ),
    )
  return found.map(({ labels, party }) => ({ labels: labelsView(labels), userId: labels.userId, party }))
}

/**
 * Takes labels back that were allotted: boxes under their numbers stay, and new ones wait for a manager.
 * @throws ShopError `not_found`
 */
export async function takeLabelsBack({ db }: { db: Db }, principal: Principal, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [gone] = await tx.delete(supplierLabels).where(eq(supplierLabels.id, id)).returning()
    if (gone === undefined) throw new ShopError('not_found', 'These labels are not allotted any more.')
    const { id: _, ...labels } = labelsView(gone)
    await writeAuditEntry(tx, principal, 'supplier', gone.userId, { before: { labels }, after: null })
  })
}

/** Is this the number of a label that this supplier was allotted? */
export async function isAllotted(tx: Tx, userId: string, boxID: string): Promise<boolean> {
  const number = labelNumberOf(boxID)
  if (number === null) return false
  const { prefix, digits, value } = number
  const { first, last } = supplierLabels
  const isIn = and(lte(first, value), gte(last, value))
  const isLike = and(eq(supplierLabels.prefix, prefix), eq(supplierLabels.digits, digits))
  return (await tx.$count(supplierLabels, and(eq(supplierLabels.userId, userId), isLike, isIn))) > 0
}

/** The labels of these suppliers, oldest first. */
export async function labelsOf(db: Db, userIds: readonly string[]): Promise<Map<string, AllottedLabels[]>> {
  if (userIds.length === 0) return new Map()
  const found = await db
    .select()
    .from(supplierLabels)
    .where(inArray(supplierLabels.userId, [...userIds]))
    .orderBy(asc(supplierLabels.createdAt), asc(supplierLabels.id))
  const byUser = Map.groupBy(found, ({ userId }) => userId)
  return new Map([...byUser].map(([userId, labels]) => [userId, labels.map(labelsView)]))
}

/** SQL: a catch that waits for a manager, whose number is used. */
const isWaitingCatch = and(eq(fieldEntries.kind, 'catch'), isNotNull(fieldEntries.kept))

/**
 * The labels of a supplier with what is free of them, oldest first. A number is used when there is such a box, whoever
 * registered it, or a catch of this supplier waits under it.
 */
export async function freeLabels(db: Db, userId: string): Promise<FreeLabels[]> {
  const ranges = await db
    .select()
    .from(supplierLabels)
    .where(eq(supplierLabels.userId, userId))
    .orderBy(asc(supplierLabels.createdAt), asc(supplierLabels.id))
  if (ranges.length === 0) return []
  const waiting = await db
    .select({ id: fieldEntries.boxId })
    .from(fieldEntries)
    .where(and(eq(fieldEntries.userId, userId), isWaitingCatch))
  const found: FreeLabels[] = []
  for (const range of ranges) {
    const { first, last } = labelsView(range)
    // Numbers of as many digits are in their order in any collation; what else lies between is left out below.
    const between = and(gte(boxes.id, first), lte(boxes.id, last), eq(sql`length(${boxes.id})`, first.length))
    const there = await db.select({ id: boxes.id }).from(boxes).where(between).limit(MAX_LABELS)
    const used = new Set(
      [...there, ...waiting].map(({ id }) => id).filter((id) => isOfLabels({ first, last }, id)),
    )
    const next: string[] = []
    for (let value = range.first; value <= range.last && next.length < MAX_NEXT; value++) {
      const text = labelText({ ...range, value })
      if (!used.has(text)) next.push(text)
    }
    found.push({ first, last, free: range.last - range.first + 1 - used.size, next })
  }
  return found
}

/** Labels with their first and last number as they are printed. */
const labelsView = ({ id, prefix, digits, first, last }: LabelRange): AllottedLabels => ({
  id,
  first: labelText({ prefix, digits, value: first }),
  last: labelText({ prefix, digits, value: last }),
})

/** Numbers that a refusal names. */
const MAX_NAMED = 5

/** Whose labels are printed, and for whom: only managers are told who else has a number. */
type Asked = Pick<PrintedLabels, 'first' | 'count'> & { userId: string; by: 'manager' | 'supplier' }

/**
 * The labels of numbers that are allotted to a supplier and of which there is no box yet: all that are asked for, or none.
 * @throws ShopError `user.not_found`; `conflict` with the numbers that are not theirs, or used already
 */
export async function allottedLabels(deps: LabelDeps, asked: Asked): Promise<LabelContent[]> {
  const numbers = numbersFrom(asked)
  const reason = await deps.db.transaction(
    async (tx) => (await notAllotted(tx, asked, numbers)) ?? (await used(tx, asked, numbers)),
    ONE_MOMENT,
  )
  if (reason !== null) throw new ShopError('conflict', reason)
  return numbers.map((number) => numberLabel(deps, number))
}

/** Why some of these numbers are not this supplier's; null: all are. */
async function notAllotted(
  tx: Tx,
  { userId, by, first, count }: Asked,
  numbers: readonly string[],
): Promise<string | null> {
  const [supplier] = await tx.select().from(suppliers).where(eq(suppliers.userId, userId))
  if (supplier === undefined) throw new ShopError('user.not_found', 'There is no such supplier.')
  const allotments = await allotmentsAmong(tx, first, count)
  const allotmentOf = (boxID: string) => allotments.find(({ labels }) => isOfLabels(labels, boxID))
  const others = numbers.filter((boxID) => allotmentOf(boxID)?.userId !== userId)
  if (others.length === 0) return null
  const to = by === 'supplier' ? 'you' : supplier.party
  const party = allotmentOf(others[0] ?? '')?.party
  if (by === 'supplier' || party === undefined)
    return `${named(others)} not allotted to ${to}, or not any more.`
  const theirs = others.filter((boxID) => allotmentOf(boxID)?.party === party)
  return `${named(theirs)} allotted to ${party}, not to ${to}.`
}

/** What some of these numbers are used for already; null: all are free. */
async function used(tx: Tx, { userId, by }: Asked, numbers: readonly string[]): Promise<string | null> {
  const there = await tx
    .select({ id: boxes.id })
    .from(boxes)
    .where(inArray(boxes.id, [...numbers]))
  const taken = numbers.filter((boxID) => there.some(({ id }) => id === boxID))
  if (taken.length > 0) {
    const where = by === 'manager' ? ' Labels of boxes are printed on Manage Box.' : ''
    return `${named(taken)} used by ${taken.length === 1 ? 'a box' : 'boxes'} already.${where}`
  }
  const waiting = await tx
    .select({ id: fieldEntries.boxId })
    .from(fieldEntries)
    .where(and(eq(fieldEntries.userId, userId), isWaitingCatch, inArray(fieldEntries.boxId, [...numbers])))
  const kept = numbers.filter((boxID) => waiting.some(({ id }) => id === boxID))
  if (kept.length === 0) return null
  return `${named(kept)} used by ${kept.length === 1 ? 'a catch that waits' : 'catches that wait'}.`
}

/** 'B-1 is', 'B-1, B-2 and B-3 are' or 'B-1, B-2, B-3, B-4, B-5 and 7 more are'. */
function named(numbers: readonly string[]): string {
  if (numbers.length === 1) return `${numbers[0]} is`
  const some = numbers.length > MAX_NAMED ? numbers.slice(0, MAX_NAMED) : numbers.slice(0, -1)
  const rest = numbers.length > MAX_NAMED ? `${numbers.length - MAX_NAMED} more` : numbers.at(-1)
  return `${some.join(', ')} and ${rest} are`
}
