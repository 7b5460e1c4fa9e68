/** All tables, for the query builder and the migration generator. */
import * as accounts from './accounts.ts'
import * as anchorLog from './anchor-log.ts'
import * as archives from './archives.ts'
import * as boxes from './boxes.ts'
import * as complaints from './complaints.ts'
import * as coupons from './coupons.ts'
import * as desk from './desk.ts'
import * as devices from './devices.ts'
import * as events from './events.ts'
import * as excursions from './excursions.ts'
import * as files from './files.ts'
import * as installation from './installation.ts'
import * as jobs from './jobs.ts'
import * as ledger from './ledger.ts'
import * as orders from './orders.ts'
import * as payments from './payments.ts'
import * as recalls from './recalls.ts'
import * as reports from './reports.ts'
import * as shop from './shop.ts'
import * as site from './site.ts'
import * as slotRules from './slot-rules.ts'
import * as suppliers from './suppliers.ts'
import * as trackers from './trackers.ts'
import * as waitingOrders from './waiting-orders.ts'
import * as webhooks from './webhooks.ts'

export const schema = {
  ...accounts,
  ...anchorLog,
  ...archives,
  ...boxes,
  ...complaints,
  ...coupons,
  ...desk,
  ...devices,
  ...events,
  ...excursions,
  ...files,
  ...installation,
  ...jobs,
  ...ledger,
  ...orders,
  ...payments,
  ...recalls,
  ...reports,
  ...shop,
  ...site,
  ...slotRules,
  ...suppliers,
  ...trackers,
  ...waitingOrders,
  ...webhooks,
}
