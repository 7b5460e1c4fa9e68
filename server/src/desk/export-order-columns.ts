import type { WaitingOrder } from '@befaqt/domain/api/waiting-order-api'
import { wishes, wrongs } from '@befaqt/domain/complaint'
import { unitsText } from '@befaqt/domain/labelling'
import { preparedTitle } from '@befaqt/domain/preparation'
import { dollars, type FileColumns, timeOf } from './export-cells.ts'

/** What a large first order waits for, by how it is paid. */
const waitsFor = { card: 'its card', later: 'a click in its email' } as const

const wantedText = ({ title, preparation, quantity, unit }: WaitingOrder['lines'][number]): string =>
  `${preparedTitle(title, preparation?.kind)}, ${unitsText(quantity, unit)}`

/** What files say of orders, of what waits to be one, of complaints about them, and of slots. */
export const orderColumns: Pick<FileColumns, 'order' | 'slot' | 'complaint' | 'waiting'> = {
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
  complaint: {
    order: { order: ({ order }) => order.number },
    wrong: { 'what is wrong': ({ wrong }) => wrong.map((one) => wrongs[one]).join('; ') },
    wished: {
      wished: ({ wish }) => wishes[wish],
      'promised $': ({ promised }) => (promised === null ? null : dollars(promised)),
      'given back': ({ promised, isRefunded }) => (promised !== null && isRefunded ? 'yes' : ''),
    },
    since: { since: ({ createdAt }, zone) => timeOf(createdAt, zone) },
    state: {
      state: ({ status }) => status,
      'to look at': ({ isToCheck }) => (isToCheck ? 'yes' : ''),
      boxes: ({ toCheck }) => toCheck.join('; '),
    },
    photos: { photos: ({ photos }) => photos },
    stage: { 'the order is': ({ order }) => order.status },
  },
  waiting: {
    buyer: {
      'first name': ({ contact }) => contact?.fname ?? '',
      'last name': ({ contact }) => contact?.lname ?? '',
      phone: ({ contact }) => contact?.phone ?? '',
      email: ({ contact }) => contact?.email ?? '',
    },
    for: { kind: ({ kind }) => kind, slot: ({ slot }) => timeOf(slot.startsAt, slot.timeZone) },
    wants: { wants: ({ lines }) => lines.map(wantedText).join('; ') },
    total: { total: ({ totals }) => dollars(totals.total) },
    state: {
      state: ({ status }) => status,
      'waits for': ({ status, payment }) => (status === 'WAITING' ? waitsFor[payment] : ''),
      until: ({ until }, zone) => timeOf(until, zone),
      reason: ({ reason }) => reason,
    },
    placed: { placed: ({ createdAt }, zone) => timeOf(createdAt, zone) },
  },
}
