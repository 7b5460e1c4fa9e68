import type { ManagedCoupon } from '@befaqt/domain/api/coupon-api'
import type { CustomerRow } from '@befaqt/domain/api/desk-api'
import type { ExcursionRow } from '@befaqt/domain/api/excursion-api'
import type { SupplierView } from '@befaqt/domain/api/field-api'
import type {
  FailedEmail,
  ManagedBox,
  ManagedCategory,
  ManagedProduct,
  ManagedUser,
} from '@befaqt/domain/api/manage-api'
import type { ManagedOrderRow, ManagedSlot } from '@befaqt/domain/api/order-api'
import type { ApiKeyView } from '@befaqt/domain/api-key'
import type { CsvCell } from '@befaqt/domain/csv-cells'
import type { ColumnOf, DeskList } from '@befaqt/domain/desk-views'
import type { DeviceView } from '@befaqt/domain/device'
import { shownTime } from '@befaqt/domain/market-time'
import type { StaffMember } from '@befaqt/domain/staff'
import { partyOf } from '@befaqt/domain/supplier'
import type { TrackerView } from '@befaqt/domain/tracker'

/** What the rows of each list are. */
export type RowsOf = {
  order: ManagedOrderRow
  slot: ManagedSlot
  product: ManagedProduct
  category: ManagedCategory
  box: ManagedBox
  excursion: ExcursionRow
  device: DeviceView
  tracker: TrackerView
  user: ManagedUser
  customer: CustomerRow
  offer: ManagedCoupon
  supplier: SupplierView
  mail: FailedEmail
  staff: StaffMember
  key: ApiKeyView
}

/** Columns of a file by their headings, in their order, with the cell of a row; times are market time. */
type FileCells<Row> = Readonly<Record<string, (row: Row, timeZone: string) => CsvCell>>

/** By a column of the list, the columns of the file that say the same: what stands together in a cell there is apart here. */
type FileColumns = {
  [List in DeskList]: Readonly<Record<ColumnOf<List>, FileCells<RowsOf[List]>>>
}

/** `YYYY-MM-DD HH:MM`; empty where there is no time. */
const timeOf = (at: string | null | undefined, timeZone: string): string => {
  const { date, time } = shownTime(at ?? '', timeZone)
  return `${date} ${time}`.trim()
}

const dollars = (amount: number): string => (amount / 100).toFixed(2)
const titles = (all: readonly { title: string | null }[]): string =>
  all.map(({ title }) => title ?? 'gone').join('; ')

const changed: FileCells<{ updatedAt: string | null }> = {
  'last changed': ({ updatedAt }, zone) => timeOf(updatedAt, zone),
}

const fileColumns: FileColumns = {
  order: {
    order: { order: ({ number }) => number },
    for: { kind: ({ kind }) => kind, slot: ({ slot }) => timeOf(slot.startsAt, slot.timeZone) },
    buyer: {
      'first name': ({ contact }) => contact?.fname ?? '',
      'last name': ({ contact }) => contact?.lname ?? '',
      phone: ({ contact }) => contact?.phone ?? '',
    },
    total: { total: ({ total }) => dollars(total), lines: ({ lines }) => lines },
    state: {
      state: ({ status }) => status,
      'to decide': ({ toDecide }) => toDecide ?? '',
      payment: ({ payment }) => payment ?? '',
    },
    placed: { placed: ({ createdAt }, zone) => timeOf(createdAt, zone) },
  },
  slot: {
    time: {
      from: ({ startsAt, timeZone }) => timeOf(startsAt, timeZone),
      until: ({ endsAt, timeZone }) => timeOf(endsAt, timeZone),
    },
    for: { kind: ({ kind }) => kind, postcodes: ({ area }) => area?.join('; ') ?? '' },
    orders: {
      orders: ({ orders }) => orders,
      capacity: ({ capacity }) => capacity,
      left: ({ left }) => left,
    },
    cutoff: { 'cut-off': ({ cutOffAt, timeZone }) => timeOf(cutOffAt, timeZone) },
    state: {
      closed: ({ closed }) => (closed ? 'closed' : ''),
      made: ({ rule, edited }) => (rule === null ? 'by hand' : edited ? 'weekly, changed' : 'weekly'),
    },
  },
  product: {
    product: {
      product: ({ title }) => title,
      category: ({ categoryTitle }) => categoryTitle,
      unit: ({ unit }) => unit,
      boxes: ({ boxes }) => boxes.map(({ boxID }) => boxID).join('; '),
    },
    price: { price: ({ price }) => price },
    discount: { 'discount %': ({ discount }) => discount },
    stock: { stock: ({ stock }) => stock, 'can be sold': ({ sellable }) => sellable },
    shelf: { shelf: ({ shelfPos }) => shelfPos },
    status: { status: ({ status, isDraft }) => (isDraft && status === 'INACTIVE' ? 'draft' : status) },
    origin: { origin: ({ origin }) => origin.join('; ') },
    changed,
  },
  category: {
    category: { category: ({ title }) => title },
    description: { description: ({ description }) => description },
    shelf: { shelf: ({ shelfPos }) => shelfPos },
    products: { products: ({ products }) => products },
    status: { status: ({ status }) => status },
    changed,
  },
  box: {
    box: {
      box: ({ boxID }) => boxID,
      sale: ({ recalled, offSale }) => (recalled ? 'recalled' : offSale ? 'off sale' : ''),
    },
    fish: { species: ({ species }) => species, trader: ({ trader }) => trader },
    state: { state: ({ stage }) => stage },
    caught: {
      caught: ({ caughtAt }, zone) => timeOf(caughtAt, zone),
      records: ({ records }) => records,
      'not anchored': ({ pending }) => pending,
    },
    alerts: {
      products: ({ products }) => titles(products),
      alerts: ({ alerts }) => alerts.map(({ words }) => words).join('; '),
      excursions: ({ excursions }) => excursions.map(({ text }) => text).join('; '),
    },
    changed,
  },
  excursion: {
    box: { box: ({ boxID }) => boxID, species: ({ species }) => species },
    what: { what: ({ text }) => text },
    since: {
      since: ({ since }, zone) => timeOf(since, zone),
      until: ({ endedAt }, zone) => timeOf(endedAt, zone),
    },
    state: {
      closed: ({ closedAt }, zone) => timeOf(closedAt, zone),
      withdrawn: ({ withdrawnAt }, zone) => timeOf(withdrawnAt, zone),
      'hours above in total': ({ grade }) => grade,
    },
    peak: { 'warmest °C': ({ peak }) => peak },
  },
  device: {
    device: {
      device: ({ name }) => name,
      key: ({ id }) => id,
      'phone of': ({ supplier }) => supplier?.party ?? '',
    },
    level: { 'readings are': ({ level }) => level },
    state: {
      revoked: ({ revokedAt }, zone) => timeOf(revokedAt, zone),
      'silent from': ({ silentFrom }, zone) => timeOf(silentFrom, zone),
    },
    last: {
      'last reading': ({ last }, zone) => timeOf(last?.readingAt, zone),
      '°C': ({ last }) => last?.temperature ?? null,
      'in box': ({ last }) => last?.box ?? '',
    },
    battery: { 'battery %': ({ last }) => last?.battery ?? null },
    register: { 'in the register since': ({ validFrom }, zone) => timeOf(validFrom, zone) },
  },
  tracker: {
    device: { device: ({ name }) => name, id: ({ deviceId }) => deviceId },
    service: { service: ({ source }) => source },
    box: {
      box: ({ assigned }) => assigned?.box ?? '',
      since: ({ assigned }, zone) => timeOf(assigned?.from, zone),
    },
    last: {
      'last reading': ({ last }, zone) => timeOf(last?.readingAt, zone),
      '°C': ({ last }) => last?.temperature ?? null,
      'in box': ({ last }) => last?.box ?? '',
      'battery %': ({ battery }) => battery,
    },
    message: {
      'last message': ({ heardAt }, zone) => timeOf(heardAt, zone),
      refused: ({ refusal }) => refusal ?? '',
    },
  },
  user: {
    name: { 'first name': ({ fname }) => fname, 'last name': ({ lname }) => lname },
    email: { email: ({ email }) => email },
    phone: { phone: ({ phone }) => phone },
    role: { role: ({ role }) => role },
    status: { status: ({ status }) => status },
    since: { 'member since': ({ createdAt }, zone) => timeOf(createdAt, zone) },
  },
  customer: {
    name: { name: ({ name }) => name, email: ({ email }) => email },
    orders: { orders: ({ orders }) => orders },
    bought: { 'bought for': ({ revenue }) => dollars(revenue) },
    last: { 'last slot': ({ last }) => last ?? '' },
  },
  offer: {
    code: { code: ({ code }) => code },
    off: {
      '% off': ({ percent }) => percent,
      '$ off': ({ amount }) => (amount === null ? null : dollars(amount)),
    },
    for: {
      products: ({ products }) => titles(products ?? []),
      categories: ({ categories }) => titles(categories ?? []),
      'from $': ({ minimum }) => dollars(minimum),
      'first orders only': ({ firstOrder }) => (firstOrder ? 'yes' : ''),
    },
    when: {
      state: ({ state }) => state,
      from: ({ from }, zone) => timeOf(from, zone),
      until: ({ until }, zone) => timeOf(until, zone),
    },
    used: {
      used: ({ used }) => used,
      'may be used': ({ uses }) => uses,
      '$ taken off': ({ given }) => dollars(given),
    },
    made: { made: ({ createdAt }, zone) => timeOf(createdAt, zone) },
  },
  supplier: {
    supplier: { supplier: ({ name }) => name, email: ({ email }) => email },
    records: {
      'in records': ({ fisher }) => partyOf(fisher),
      'trader id': ({ fisher }) => fisher.traderID,
      boat: ({ fisher }) => fisher.boat,
    },
    boxes: {
      boxes: ({ boxes }) => boxes,
      'last sent': ({ lastEntryAt }, zone) => timeOf(lastEntryAt, zone),
      'late or with a wrong clock': ({ flagged }) => flagged,
    },
    status: { status: ({ status }) => status },
  },
  mail: {
    email: { email: ({ letter }) => letter, to: ({ to }) => to },
    asked: { 'asked for': ({ askedAt }, zone) => timeOf(askedAt, zone) },
    why: {
      why: ({ lastError }) => lastError,
      tries: ({ tries }) => tries,
      state: ({ state, expired }) => (expired ? 'expired' : state),
    },
  },
  staff: {
    name: { name: ({ name }) => name, email: ({ email }) => email },
    job: { rights: ({ role, rights }) => (role === 'ADMIN' ? 'all' : rights.join('; ')) },
    login: { 'log-in': (row) => (row.hasSecondFactor ? 'two steps or passkey' : 'password alone') },
    status: { status: ({ status }) => status },
  },
  key: {
    key: { key: ({ name }) => name },
    rights: { permissions: ({ rights }) => rights.join('; ') },
    boxes: { boxes: ({ boxes }) => boxes?.join('; ') ?? 'all' },
    made: {
      'made by': ({ madeBy }) => madeBy ?? 'the shop itself',
      made: ({ createdAt }, zone) => timeOf(createdAt, zone),
    },
    used: { 'last used': ({ lastUsedAt }, zone) => timeOf(lastUsedAt, zone) },
  },
}

/** What the file of a list says for these of its columns: headings, and their cells of a row. */
export const fileColumnsOf = <List extends DeskList>(list: List, names: readonly string[]) =>
  names.flatMap((name) => {
    const cells: FileCells<RowsOf[List]> = Reflect.get(fileColumns[list], name) ?? {}
    return Object.entries(cells)
  })
