import type { ShownList } from '@befaqt/domain/desk-views'
import { partyOf } from '@befaqt/domain/supplier'
import { dollars, type FileCells, type FileColumns, type RowsOf, timeOf } from './export-cells.ts'
import { orderColumns } from './export-order-columns.ts'

const titles = (all: readonly { title: string | null }[]): string =>
  all.map(({ title }) => title ?? 'gone').join('; ')

const changed: FileCells<{ updatedAt: string | null }> = {
  'last changed': ({ updatedAt }, zone) => timeOf(updatedAt, zone),
}

const fileColumns: FileColumns = {
  ...orderColumns,
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
export const fileColumnsOf = <List extends ShownList>(list: List, names: readonly string[]) =>
  names.flatMap((name) => {
    const cells: FileCells<RowsOf[List]> = Reflect.get(fileColumns[list], name) ?? {}
    return Object.entries(cells)
  })
