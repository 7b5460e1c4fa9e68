import { isOfLabels, numbersFrom, type PrintedLabels } from '@befaqt/domain/box-numbers'
import { ShopError } from '@befaqt/domain/errors'
import { and, eq, inArray } from 'drizzle-orm'
import { type LabelContent, type LabelDeps, numberLabel } from '#server/boxes/labels/label-content.ts'
import { ONE_MOMENT, type Tx } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { fieldEntries, suppliers } from '#server/db/schema/suppliers.ts'
import { allotmentsAmong, isWaitingCatch } from './allot-labels.ts'

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
