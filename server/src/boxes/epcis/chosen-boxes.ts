import type { ListPlace, Paged } from '@befaqt/domain/api/box-api'
import type { TradeBox, TradeChoice } from '@befaqt/domain/api/box-trade-api'
import { DAY_MS } from '@befaqt/domain/durations'
import { lackingElements } from '@befaqt/domain/epcis/elements'
import { eventsOfBox } from '@befaqt/domain/epcis/events-of-box'
import { blankColumns, lackingTexts } from '@befaqt/domain/epcis/fsma'
import { instantOf } from '@befaqt/domain/market-time'
import { and, asc, count, gte, inArray, lt, max, type SQL, sql } from 'drizzle-orm'
import { holdsFish } from '#server/boxes/box-access.ts'
import type { Market } from '#server/boxes/projection/box-summary.ts'
import type { Db } from '#server/db/client.ts'
import { countListed, keysetPage, type Part, rising } from '#server/db/keyset.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { timeText } from '#server/db/stored-values.ts'
import { fieldError } from '#server/http/field-error.ts'
import { allowedBoxes, assertBoxAccess, type Principal } from '#server/identity/principal.ts'
import { type FsmaDeps, fsmaLineOf, readEpcisSources } from './trade-documents.ts'

/** Boxes of a page: each is read with its whole history. */
const PAGE = 20

/** The boxes of a choice, and what their documents would not hold. @throws ShopError as `chosenBoxes` */
export async function listTrade(
  deps: FsmaDeps,
  principal: Principal,
  { page, after, before, ...choice }: TradeChoice & ListPlace,
): Promise<Paged<TradeBox>> {
  const { db } = deps
  // Only of boxes that are named one may have no catch; and who names one that is not there is told so.
  const isNamed = choice.box !== undefined
  const where = isNamed
    ? (await chosenBoxes(deps, principal, choice)).where
    : isChosen(principal, choice, deps.siteFile.market)
  const keys = [{ ...rising(boxes.caughtAt), isNullable: isNamed }, rising(boxes.id)]
  const { rows: found, ...part } = await keysetPage(
    { page, size: PAGE, after, before },
    { keys, of: ['trade', choice] },
    (asked) => idsOf(db, where, asked),
    (beyond) => countListed(db, boxes, where, beyond),
  )
  const listed = new Map(found.map((row) => [row.id, row]))
  const rows: TradeBox[] = []
  for await (const source of readEpcisSources(deps, [...listed.keys()])) {
    const { boxID, catchProv } = source.box
    const { caughtAt = null, recalled = false } = listed.get(boxID) ?? {}
    const events = eventsOfBox(source)
    rows.push({
      boxID,
      species: catchProv?.species ?? '',
      caughtAt: timeText(caughtAt),
      events: events.length,
      recalled,
      lacking: lackingTexts(lackingElements(events)),
      blank: blankColumns(fsmaLineOf(deps, source)),
    })
  }
  return { ...part, rows }
}

type ChoosingDeps = { db: Db; siteFile: { market: Market } }

/** The boxes of a choice: how to find them, how many there are, and when the newest of them changed. */
type ChosenBoxes = { where: SQL | undefined; total: number; changedAt: Date; field: 'box' | 'to' }

/**
 * Counts the boxes of a choice.
 * @throws ShopError `input.invalid` at `box` for a box that is not there, `auth.forbidden` for one that a key may not touch
 */
export async function chosenBoxes(
  { db, siteFile: { market } }: ChoosingDeps,
  principal: Principal,
  choice: TradeChoice,
): Promise<ChosenBoxes> {
  const { box } = choice
  const where = isChosen(principal, choice, market)
  const [found] = await db
    .select({ total: count(), changedAt: max(boxes.updatedAt) })
    .from(boxes)
    .where(where)
  const { total = 0, changedAt = null } = found ?? {}
  if (box !== undefined && total < box.length) {
    const there = await db.select({ id: boxes.id }).from(boxes).where(where)
    const missing = box.find((boxID) => !there.some(({ id }) => id === boxID))
    throw fieldError('box', `There is no box ${missing}.`)
  }
  return { where, total, changedAt: changedAt ?? new Date(0), field: box === undefined ? 'to' : 'box' }
}

/** SQL: is a box of a choice? Of days a key that is limited to some boxes sees its own. @throws ShopError `auth.forbidden` */
function isChosen(
  principal: Principal,
  { from = '', to = '', box }: TradeChoice,
  market: Market,
): SQL | undefined {
  for (const boxID of box ?? []) assertBoxAccess(principal, boxID)
  if (box !== undefined) return and(holdsFish, inArray(boxes.id, box))
  const own = allowedBoxes(principal)
  return and(holdsFish, caughtOn(from, to, market), own === null ? undefined : inArray(boxes.id, [...own]))
}

/** Caught from the beginning of one day at the market to the end of another. */
function caughtOn(from: string, to: string, { timeZone }: Market): SQL | undefined {
  const start = instantOf(`${from} 00:00:00`, timeZone) ?? 0
  // The day after the last begins up to an hour later or earlier than 24 hours on.
  const next = new Date(Date.parse(`${to}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10)
  const end = instantOf(`${next} 00:00:00`, timeZone) ?? 0
  return and(gte(boxes.caughtAt, new Date(start)), lt(boxes.caughtAt, new Date(end)))
}

/**
 * Ids of all boxes of a choice, the first catch first.
 * @throws ShopError `input.invalid` when there are more than `most`: a file that ends early would look whole
 */
export async function chosenIds(
  db: Db,
  { where, total, field }: ChosenBoxes,
  most: number,
): Promise<string[]> {
  if (total > most)
    throw fieldError(
      field,
      `These are ${total} boxes, and one file holds at most ${most}. Choose fewer days or boxes.`,
    )
  const order = [asc(boxes.caughtAt), asc(boxes.id)]
  const found = await idsOf(db, where, { where: undefined, order, limit: most, offset: 0, at: sql`''` })
  return found.map(({ id }) => id)
}

/** Boxes of a choice, the first catch first; those without a catch last. */
const idsOf = (db: Db, where: SQL | undefined, { where: beyond, order, limit, offset, at }: Part) =>
  db
    .select({
      id: boxes.id,
      caughtAt: boxes.caughtAt,
      recalled: sql<boolean>`${boxes.recallId} is not null`,
      at,
    })
    .from(boxes)
    .where(and(where, beyond))
    .orderBy(...order)
    .limit(limit)
    .offset(offset)
