import type { ComplaintRow } from '@befaqt/domain/api/complaint-api'
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
import type { WaitingOrder } from '@befaqt/domain/api/waiting-order-api'
import type { ApiKeyView } from '@befaqt/domain/api-key'
import type { CsvCell } from '@befaqt/domain/csv-cells'
import type { ColumnOf, ShownList } from '@befaqt/domain/desk-views'
import type { DeviceView } from '@befaqt/domain/device'
import { shownTime } from '@befaqt/domain/market-time'
import type { StaffMember } from '@befaqt/domain/staff'
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
  complaint: ComplaintRow
  waiting: WaitingOrder
}

/** Columns of a file by their headings, in their order, with the cell of a row; times are market time. */
export type FileCells<Row> = Readonly<Record<string, (row: Row, timeZone: string) => CsvCell>>

/** By a column of the list, the columns of the file that say the same: what stands together in a cell there is apart here. */
export type FileColumns = {
  [List in ShownList]: Readonly<Record<ColumnOf<List>, FileCells<RowsOf[List]>>>
}

/** `YYYY-MM-DD HH:MM`; empty where there is no time. */
export const timeOf = (at: string | null | undefined, timeZone: string): string => {
  const { date, time } = shownTime(at ?? '', timeZone)
  return `${date} ${time}`.trim()
}

export const dollars = (amount: number): string => (amount / 100).toFixed(2)
