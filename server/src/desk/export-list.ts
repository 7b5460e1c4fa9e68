import { Readable } from 'node:stream'
import type { Paged } from '@befaqt/domain/api/box-api'
import type { ComplaintFilter } from '@befaqt/domain/api/complaint-api'
import { listDevices, listTrackers } from '@befaqt/domain/api/endpoints/devices'
import { listExcursions } from '@befaqt/domain/api/endpoints/excursions'
import * as endpoints from '@befaqt/domain/api/endpoints/manage'
import { listManagedBoxes } from '@befaqt/domain/api/endpoints/managed-boxes'
import { listCategories, listProducts } from '@befaqt/domain/api/endpoints/managed-catalogue'
import { listCoupons } from '@befaqt/domain/api/endpoints/managed-coupons'
import {
  listAllSlots,
  listComplaints,
  listOrders,
  listWaitingOrders,
} from '@befaqt/domain/api/endpoints/managed-orders'
import { listStaff } from '@befaqt/domain/api/endpoints/staff'
import { listSuppliers } from '@befaqt/domain/api/endpoints/suppliers'
import type { ShopApi } from '@befaqt/domain/api/shop-api'
import { csvHeader, csvRows } from '@befaqt/domain/csv-cells'
import { columnsAsked, exportFilters, type ShownList, shownLists } from '@befaqt/domain/desk-views'
import { marketDate } from '@befaqt/domain/market-time'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { MAX_FOUND } from '#server/db/search-and-order.ts'
import { defineRoutes, disconnected, registerRoute } from '#server/http/route.ts'
import type { Principal } from '#server/identity/principal.ts'
import type { RowsOf } from './export-cells.ts'
import { fileColumnsOf } from './export-columns.ts'

/** Rows of a file whose list is read whole, or by the numbers of its pages. */
const MAX_WHOLE = 10_000
/** Rows that are remembered, so that one which moves on meanwhile is not in a file twice. */
const MAX_REMEMBERED = 10_000
/** Rows that are read at once. */
const PAGE = 200

const text = z.string().max(200).optional()

export const exportOperations = defineRoutes(endpoints, {
  exportList: {
    access: 'staff',
    limits: 'file',
    errors: [400],
    summary: `A list of the desk as CSV, as it is filtered, sorted and with the columns shown.`,
    query: z.strictObject({
      list: z.enum(shownLists),
      cols: z.string().max(500).optional().describe('columns in their order, with dots between'),
      ...(Object.fromEntries(exportFilters.map((name) => [name, text])) as Record<
        (typeof exportFilters)[number],
        typeof text
      >),
    }),
    responses: { 200: 'text/csv' },
  },
})

type Filter = Partial<Record<(typeof exportFilters)[number], string | undefined>>
/** A part of a list. `next`: what the following one is asked with, null: there is none; `cut`: what a file is called that has not all. */
type Part<Row> = { rows: readonly Row[]; next: string | null; cut: string }
type Reader<Row> = (call: ShopApi, filter: Filter, at: string) => Promise<Part<Row>>

/** A list that is read on from where the part before ended, all of it. */
const placed =
  <Row>(read: (call: ShopApi, query: never) => Promise<unknown>): Reader<Row> =>
  async (call, filter, after) => {
    // The schema of the list itself says what it takes.
    const query = { ...filter, size: PAGE, ...(after && { after }) } as never
    const { rows, next = null } = (await read(call, query)) as Paged<Row>
    return { rows, next, cut: '' }
  }

const cutOf = (total: number): string => (total > MAX_WHOLE ? `-first-${MAX_WHOLE}` : '')

/** A list that is read whole. */
const whole =
  <Row>(read: (call: ShopApi, filter: Filter) => Promise<readonly Row[]>): Reader<Row> =>
  async (call, filter) => {
    const rows = await read(call, filter)
    return { rows: rows.slice(0, MAX_WHOLE), next: null, cut: cutOf(rows.length) }
  }

const readers: { [List in ShownList]: Reader<RowsOf[List]> } = {
  order: placed((call, query: object) =>
    call(listOrders, { query: { ...query, sort: 'slot' } as { sort: 'slot' } }),
  ),
  slot: placed((call, query) => call(listAllSlots, { query })),
  product: placed((call, query) => call(listProducts, { query })),
  category: placed((call, query) => call(listCategories, { query })),
  box: placed((call, query) => call(listManagedBoxes, { query })),
  excursion: placed((call, query) => call(listExcursions, { query })),
  device: placed((call, query) => call(listDevices, { query })),
  tracker: placed((call, query) => call(listTrackers, { query })),
  user: placed((call, query) => call(endpoints.listUsers, { query })),
  mail: placed((call, query) => call(endpoints.listFailedEmails, { query })),
  customer: async (call, { q }, after) => {
    const { rows, next, isCut } = await call(endpoints.listCustomers, {
      query: { ...(q && { q }), ...(after && { after }) },
    })
    return { rows, next, cut: isCut ? `-first-${MAX_FOUND}` : '' }
  },
  offer: whole(async (call, { state }) =>
    (await call(listCoupons)).filter((coupon) => state === undefined || coupon.state === state),
  ),
  supplier: whole(async (call, { status }) =>
    (await call(listSuppliers)).suppliers.filter((one) => status === undefined || one.status === status),
  ),
  staff: whole(async (call) => (await call(listStaff)).people),
  key: whole(async (call) => (await call(endpoints.listKeys)).filter(({ revokedAt }) => revokedAt === null)),
  complaint: async (call, { q, state }, after) => {
    const query = {
      ...(q && { q }),
      ...(state && { state: state as ComplaintFilter }),
      ...(after && { after }),
    }
    const { rows, next } = await call(listComplaints, { query })
    return { rows, next, cut: '' }
  },
  waiting: placed((call, query) => call(listWaitingOrders, { query })),
}

type Deps = { now: () => Date; siteFile: { market: { timeZone: string } } }

/**
 * Lists as files: what the screen reads is read, by the same operations, page after page, with what whoever asks may see
 * of it.
 * @param readsFor the operations as a principal may call them
 */
export function exportRoutes(
  app: FastifyInstance,
  { now, siteFile }: Deps,
  readsFor: (principal: Principal, signal: AbortSignal) => ShopApi,
): void {
  registerRoute(app, exportOperations.exportList, async ({ principal, query, reply }) => {
    const { list, cols, ...filter } = query
    const { timeZone } = siteFile.market
    const call = readsFor(principal, disconnected(reply))
    const file = await listFile(call, list, { cols, filter, timeZone })
    const day = marketDate(now().getTime(), timeZone)
    return reply
      .header('content-disposition', `attachment; filename="${list}-${day}${file.cut}.csv"`)
      .header('cache-control', 'no-store')
      .type('text/csv; charset=utf-8')
      .send(Readable.from(file.lines))
  })
}

type Asked = { cols: string | undefined; filter: Filter; timeZone: string }

/**
 * The first part is read before anything is answered, so that who may not read the list is told so, and the name of a
 * file that has not all of it says that.
 */
async function listFile<List extends ShownList>(
  call: ShopApi,
  list: List,
  { cols, filter, timeZone }: Asked,
): Promise<{ cut: string; lines: AsyncGenerator<string> }> {
  const read: Reader<RowsOf[List]> = readers[list]
  const columns = fileColumnsOf(list, columnsAsked(list, cols ?? null).shown)
  const first = await read(call, filter, '')
  async function* lines() {
    yield csvHeader(columns.map(([heading]) => heading))
    const seen = new Set<string>()
    for (let part = first; ; part = await read(call, filter, part.next ?? '')) {
      const rows = part.rows.filter((row) => isNew(seen, row))
      yield csvRows(rows.map((row) => columns.map(([, of]) => of(row, timeZone))))
      if (part.next === null) return
    }
  }
  return { cut: first.cut, lines: lines() }
}

/** A row that moves on in its list while the file is made is in it once. */
function isNew(seen: Set<string>, row: object): boolean {
  const id = ['_id', 'boxID', 'id', 'userId']
    .map((name) => Reflect.get(row, name))
    .find((id) => id !== undefined)
  if (typeof id !== 'string') return true
  if (seen.has(id)) return false
  seen.add(id)
  const [oldest] = seen
  if (seen.size > MAX_REMEMBERED && oldest !== undefined) seen.delete(oldest)
  return true
}
