import { z } from 'zod'
import { ACTIVATION_QUEUE, resendActivationJob } from './accounts/sign-up/sign-up.ts'
import { staffReceipts } from './accounts/staff/invite-staff.ts'
import { hourlyStamps, STAMP_QUEUE, stampJob } from './anchoring/stamps/stamp-job.ts'
import { AUDIT_QUEUE, auditSampleJob } from './box-audit/audit-boxes.ts'
import { ARCHIVE_QUEUE, archiveBoxesJob } from './boxes/archive/archive-boxes.ts'
import { DROP_QUEUE, dropRowsJob } from './boxes/archive/drop-rows.ts'
import { ARCHIVE_LOOK_QUEUE, hourlyArchiveLook, lookAtArchivesJob } from './boxes/archive/look-at-files.ts'
import { RENEW_QUEUE, renewProjectionsJob } from './boxes/projection/projection.ts'
import { OFFER_QUEUE, recordOffersJob } from './boxes/records/follow-offers.ts'
import {
  fetchPictureJob,
  followSchedulesJob,
  LOOK_QUEUE,
  PICTURE_QUEUE,
  regularFollowing,
  SCHEDULE_QUEUE,
} from './catalogue/index.ts'
import { CDN_QUEUE, clearCopiesJob } from './cdn/clear-copies.ts'
import type { Deps } from './deps.ts'
import { DRILL_QUEUE, drillJob, drillLease, weeklyDrill } from './doctor/drill-job.ts'
import { noticeReceipts, WEBHOOK_QUEUE } from './excursions/notify.ts'
import { sendWebhookJob } from './excursions/send-webhook.ts'
import { invitationReceipts } from './field/invite-supplier.ts'
import { OBJECT_QUEUE, removeIfUnreferenced } from './files/objects.ts'
import { removeUnused, UNUSED_QUEUE } from './files/store-file.ts'
import { makeVariants, VARIANTS_QUEUE } from './files/store-image.ts'
import { nightly, type Recurring } from './jobs/recurring.ts'
import type { JobHandlers } from './jobs/run.ts'
import type { LeaseOptions } from './jobs/run-with-lease.ts'
import { type EmailReceipts, MAIL_QUEUE, sendMailJob } from './mail/send-email.ts'
import { hourlyLook, lookJob, stockReceipts } from './notices/look.ts'
import { complaintReceipts } from './orders/complaints/complaint-emails.ts'
import { orderReceipts } from './orders/order-emails.ts'
import { settlePaymentJob } from './orders/paying/settle-payment.ts'
import { PAYMENT_QUEUE } from './orders/queue-settling.ts'
import { recallReceipts } from './orders/recalling/recall-emails.ts'
import { fillSlotsJob, SLOT_QUEUE } from './orders/slot-rules/fill-slots.ts'
import { waitingReceipts } from './orders/waiting/waiting-order.ts'
import { auditSalesJob, SALES_AUDIT_QUEUE } from './reports/sales-audit.ts'
import { PURGE_QUEUE, purgeJob } from './retention.ts'
import { JOURNEY_QUEUE, playJourneysJob } from './sample/sample-journeys.ts'
import { SHOP_WEBHOOK_QUEUE, sendShopWebhookJob } from './webhooks/send-message.ts'

/** The payload of jobs about one stored file. */
const FileJob = z.object({ path: z.string() })
/** The payload of jobs about one object of the file store. */
const ObjectJob = z.object({ key: z.string() })

/** Each sender knows its own receipts, and wants what is not its own. */
const allReceipts = (all: readonly EmailReceipts[]): EmailReceipts => ({
  async isWanted(receipt) {
    for (const receipts of all) if (!(await receipts.isWanted(receipt))) return false
    return true
  },
  async noteSent(tx, receipt) {
    for (const receipts of all) await receipts.noteSent(tx, receipt)
  },
})

/** Handlers of jobs that somebody waits for, by queue. */
export const interactiveJobs = (deps: Deps): JobHandlers => ({
  [MAIL_QUEUE]: sendMailJob(
    deps.mailer,
    deps.secrets,
    { name: deps.siteFile.name, url: deps.config.PUBLIC_URL },
    deps.now,
    undefined,
    allReceipts([
      orderReceipts(deps.db),
      complaintReceipts(deps.db),
      recallReceipts(deps),
      noticeReceipts(deps.db),
      waitingReceipts(deps),
      stockReceipts(deps),
      staffReceipts(deps.db),
      invitationReceipts(deps.db),
    ]),
  ),
  [ACTIVATION_QUEUE]: resendActivationJob(deps),
  [LOOK_QUEUE]: lookJob(deps),
  [SCHEDULE_QUEUE]: followSchedulesJob(deps),
  [OFFER_QUEUE]: recordOffersJob(deps),
})

/** Handlers of jobs about payments, by queue: neither emails nor pictures wait for a provider that is slow. */
export const paymentJobs = (deps: Deps): JobHandlers => ({ [PAYMENT_QUEUE]: settlePaymentJob(deps) })

/** Handlers of messages to others' servers, by queue: nothing else waits for one that hangs. */
export const webhookJobs = (deps: Deps): JobHandlers => ({
  [WEBHOOK_QUEUE]: sendWebhookJob(deps),
  [SHOP_WEBHOOK_QUEUE]: sendShopWebhookJob(deps),
})

/** Handlers of calls to the CDN, by queue: neither waits for a receiver that hangs, nor does one for it. */
export const cdnJobs = (deps: Deps): JobHandlers => ({ [CDN_QUEUE]: clearCopiesJob(deps) })

/** Handlers of pictures that are fetched from others' servers, by queue: nothing else waits for one that is slow. */
export const pictureJobs = (deps: Deps): JobHandlers => ({ [PICTURE_QUEUE]: fetchPictureJob(deps) })

/** Handlers of jobs that keep the shop's rows in order, by queue: they may take long, and nobody waits for them. */
const upkeepJobs = (deps: Deps): JobHandlers => ({
  [PURGE_QUEUE]: purgeJob(deps),
  [SLOT_QUEUE]: fillSlotsJob(deps),
  [JOURNEY_QUEUE]: playJourneysJob(deps),
  [AUDIT_QUEUE]: auditSampleJob(deps),
  [SALES_AUDIT_QUEUE]: auditSalesJob(deps),
  [RENEW_QUEUE]: renewProjectionsJob(deps),
  [ARCHIVE_QUEUE]: archiveBoxesJob(deps),
  [DROP_QUEUE]: dropRowsJob(deps),
  [ARCHIVE_LOOK_QUEUE]: lookAtArchivesJob(deps),
  [STAMP_QUEUE]: stampJob(deps),
})

/** Handlers of jobs about stored files, by queue. */
export const fileJobs = (deps: Deps): JobHandlers => ({
  [VARIANTS_QUEUE]: async (payload, signal) => makeVariants(deps, FileJob.parse(payload).path, signal),
  [UNUSED_QUEUE]: async (payload) => removeUnused(deps.db, FileJob.parse(payload).path),
  [OBJECT_QUEUE]: async (payload) => removeIfUnreferenced(deps.db, deps.files, ObjectJob.parse(payload).key),
})

/** Handlers of drills, by queue. */
const drillJobs = (deps: Deps): JobHandlers => ({ [DRILL_QUEUE]: drillJob(deps) })

/** Leases of workers whose jobs may take longer than others'. */
export const leasesOf: Readonly<Record<string, LeaseOptions>> = { drills: drillLease }

/** The workers of a process, each with its handlers: one works on one job at a time. */
export const workersOf = (deps: Deps): Readonly<Record<string, JobHandlers>> => ({
  jobs: interactiveJobs(deps),
  payments: paymentJobs(deps),
  webhooks: webhookJobs(deps),
  copies: cdnJobs(deps),
  pictures: pictureJobs(deps),
  files: fileJobs(deps),
  upkeep: upkeepJobs(deps),
  drills: drillJobs(deps),
})

/** What is done each night of the market, when few ask for anything, and what is done by the hour. */
export const recurringJobs = ({ siteFile, config }: Deps): readonly Recurring[] => {
  const next = nightly(siteFile.market.timeZone)
  return [
    ...[PURGE_QUEUE, SLOT_QUEUE, AUDIT_QUEUE, SALES_AUDIT_QUEUE, ARCHIVE_QUEUE, DROP_QUEUE].map((queue) => ({
      queue,
      next,
    })),
    hourlyLook,
    hourlyArchiveLook,
    regularFollowing,
    ...hourlyStamps(config),
    ...weeklyDrill(config, siteFile.market.timeZone),
  ]
}
