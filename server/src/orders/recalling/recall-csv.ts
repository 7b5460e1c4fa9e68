import type { RecallView } from '@befaqt/domain/api/recall-api'
import { csvHeader, csvRows } from '@befaqt/domain/csv-cells'
import { amountText } from './recall-emails.ts'

const COLUMNS = ['order', 'status', 'name', 'email', 'phone', 'bought', 'notice', 'error']

/** The buyers whom a recall concerns, as CSV for phone calls or another email program. */
export const recallCsv = ({ orders }: RecallView): string =>
  csvHeader(COLUMNS) +
  csvRows(
    orders.map(({ number, status, contact, lines, notice, noticeError }) => [
      number,
      status,
      contact ? `${contact.fname} ${contact.lname}` : '',
      contact?.email ?? '',
      contact?.phone ?? '',
      lines.map((line) => `${line.title} ${amountText(line)}`).join('; '),
      notice,
      noticeError,
    ]),
  )
