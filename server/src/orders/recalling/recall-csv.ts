import type { RecallView } from '@befaqt/domain/api/recall-api'
import { safeCell } from '@befaqt/domain/csv-cells'
import { stringify } from 'csv-stringify/sync'
import { amountText } from './recall-emails.ts'

const COLUMNS = ['order', 'status', 'name', 'email', 'phone', 'bought', 'notice', 'error']

/** The buyers whom a recall concerns, as CSV for phone calls or another email program. */
export const recallCsv = ({ orders }: RecallView): string =>
  stringify(
    orders.map(({ number, status, contact, lines, notice, noticeError }) =>
      [
        number,
        status,
        contact ? `${contact.fname} ${contact.lname}` : '',
        contact?.email ?? '',
        contact?.phone ?? '',
        lines.map((line) => `${line.title} ${amountText(line)}`).join('; '),
        notice,
        noticeError,
      ].map(safeCell),
    ),
    { header: true, columns: COLUMNS },
  )
