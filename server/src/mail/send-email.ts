import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Db, Tx } from '#server/db/client.ts'
import { enqueueAll, type NewJob } from '#server/jobs/queue.ts'
import { type JobHandler, PermanentError } from '#server/jobs/run.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { tracedPart } from '#server/tracing/trace.ts'
import { type EmailContent, emailHtml, emailText, type Sender } from './email-content.ts'
import { describeSmtpError, type Mailer, MailRejected } from './mailer.ts'

/** The queue of emails. Its jobs show operators the recipient and kind of an email, not its content. */
export const MAIL_QUEUE = 'mail.send'

/** A queued email without its content: all that managers may see. */
export const QueuedEmail = z.object({
  id: z.string(),
  kind: z.string(),
  to: z.string(),
  date: z.iso.datetime(),
  goodUntil: z.iso.datetime().optional(),
  receipt: z.string().optional(),
})
const MailJob = QueuedEmail.extend({ sealed: z.string() })

const Text = z.object({ kind: z.enum(['text', 'note']), text: z.string() })
const Button = z.object({ kind: z.literal('button'), label: z.string(), url: z.string() })
const Rows = z.object({ kind: z.literal('rows'), rows: z.array(z.tuple([z.string(), z.string()])) })
const StoredContent = z.object({
  subject: z.string(),
  heading: z.string(),
  blocks: z.array(z.discriminatedUnion('kind', [Text, Button, Rows])),
  stop: z.string().optional(),
})

/**
 * An email to be sent. `goodUntil`: when its link expires; it is not sent after that. `receipt`: by what its sender
 * knows it: it is noted once a mail server has taken it, and queued once for each receipt. `id`: of what is queued again
 * and must be shown once.
 */
export type NewEmail = {
  kind: EmailKind
  to: string
  content: EmailContent
  goodUntil?: Date
  receipt?: string
  id?: string
}

/**
 * What senders say of their emails, by receipt. `isWanted`: asked just before it is sent; without it the job ends.
 * `noteSent`: a mail server took it; in the transaction that ends its job.
 */
export type EmailReceipts = {
  isWanted(receipt: string): Promise<boolean>
  noteSent(tx: Tx, receipt: string): Promise<void>
}
const noReceipts: EmailReceipts = { isWanted: async () => true, noteSent: async () => undefined }

/** How long an email in flight may still take at shutdown: a healthy mail server needs less. */
const SHUTDOWN_GRACE_MS = 5_000

const contextOf = (id: string): string => `mail ${id}`

/**
 * Sends an email when the caller's transaction commits, and only then. It is stored encrypted, since its links are
 * worth as much as passwords.
 */
export const queueEmail = (tx: Tx | Db, secrets: Secrets, email: NewEmail, now: Date): Promise<void> =>
  queueEmails(tx, secrets, [email], now)

/** As `queueEmail`, in one statement. */
export const queueEmails = (
  tx: Tx | Db,
  secrets: Secrets,
  emails: readonly NewEmail[],
  now: Date,
): Promise<void> =>
  enqueueAll(
    tx,
    MAIL_QUEUE,
    emails.map((email) => jobOf(secrets, email, now)),
  )

function jobOf(secrets: Secrets, email: NewEmail, now: Date): NewJob {
  const { id = randomUUID() } = email
  const sealed = secrets.encrypt(JSON.stringify(email.content), contextOf(id))
  const goodUntil = email.goodUntil && { goodUntil: email.goodUntil.toISOString() }
  const { receipt } = email
  const more = receipt === undefined ? {} : { receipt }
  const mail = { id, kind: email.kind, to: email.to, date: now.toISOString(), ...goodUntil, ...more, sealed }
  return { payload: mail, ...(receipt === undefined ? {} : { uniqueKey: receipt }) }
}

/**
 * Runs a job of the mail queue. A second run sends the same message again under the same Message-ID. Its errors have
 * messages for managers; the cause is for the log. At shutdown it aborts a slow mail server after `graceMs`, so that
 * another worker can send the email at once.
 * @param receipts what is asked and told about emails with a receipt
 */
export function sendMailJob(
  mailer: Mailer,
  secrets: Secrets,
  sender: Sender,
  now: () => Date,
  graceMs = SHUTDOWN_GRACE_MS,
  receipts: EmailReceipts = noReceipts,
): JobHandler {
  return async (payload, signal) => {
    const { job, content } = decryptJob(payload, secrets)
    if (job.goodUntil !== undefined && new Date(job.goodUntil) <= now())
      throw new PermanentError('Its link expired before it could be sent.', undefined)
    const message = {
      id: job.id,
      kind: job.kind,
      to: job.to,
      date: new Date(job.date),
      subject: content.subject,
      text: emailText(content, sender),
      html: emailHtml(content, sender),
      ...(content.stop !== undefined && { stop: content.stop }),
    }
    const { receipt } = job
    if (receipt !== undefined && !(await receipts.isWanted(receipt))) return undefined
    signal.throwIfAborted() // a worker that was paused may have lost its lease
    const lateAbort = abortedAfter(signal, graceMs)
    const sending = { kind: 'client', attributes: { 'befaqt.email': job.kind } } as const
    await tracedPart('send email', sending, () => mailer.send(message, lateAbort)).catch((error: unknown) => {
      lateAbort.throwIfAborted()
      if (error instanceof MailRejected) throw new PermanentError(describeSmtpError(error.cause), error)
      throw new Error(describeSmtpError(error), { cause: error })
    })
    return receipt === undefined ? undefined : (tx) => receipts.noteSent(tx, receipt)
  }
}

/** A signal that is aborted `ms` after this one, with its reason. */
function abortedAfter(signal: AbortSignal, ms: number): AbortSignal {
  const later = new AbortController()
  const abort = (): void => void setTimeout(() => later.abort(signal.reason), ms).unref()
  signal.addEventListener('abort', abort, { once: true })
  return later.signal
}

/** @throws PermanentError when the job is invalid, or was encrypted with another key */
function decryptJob(payload: unknown, secrets: Secrets) {
  try {
    const job = MailJob.parse(payload)
    return { job, content: StoredContent.parse(JSON.parse(secrets.decrypt(job.sealed, contextOf(job.id)))) }
  } catch (error) {
    throw new PermanentError(
      'It can’t be decrypted. Is DATA_DIR/secret.key the one it was written with?',
      error,
    )
  }
}

/** Every kind of email that the shop sends, with its label for managers. */
export const emailKinds = {
  activation: 'activation email',
  'address-taken': 'email that there is an account already',
  recovery: 'email to set a new password',
  'password-changed': 'notice of a changed password',
  'email-change': 'request to confirm a new email of an account',
  'email-changed': 'notice of a changed email of an account',
  'account-erased': 'notice of a deleted account',
  'second-factor-on': 'notice that two-step login is on',
  'second-factor-off': 'notice that two-step login is off',
  'second-factor-codes': 'notice of new recovery codes',
  'second-factor-code-used': 'notice of a used recovery code',
  'second-factor-passkey-added': 'notice of a new passkey',
  'second-factor-passkey-removed': 'notice of a removed passkey',
  'supplier-invited': 'invitation of a supplier',
  'staff-invited': 'invitation to the desk',
  excursion: 'notice of an excursion',
  'stock-confirm': 'request to confirm a wish to be told',
  'stock-waiting': 'notice that an address waits already',
  'stock-back': 'notice that something can be bought again',
  'order-waiting': 'request to confirm an order',
  'order-not-left': 'notice that a paid order could not be filled',
  'order-placed': 'confirmation of an order',
  'order-amended': 'notice of an order that its buyer changed',
  'order-changed': 'notice of a weighed order',
  'order-left-out': 'notice of what was left out of an order',
  'order-replaced': 'notice that fish of an order was replaced',
  'order-moved': 'notice of a new time for an order',
  'order-ready': 'notice that an order is ready',
  'order-sent': 'notice that an order is on its way',
  'order-cancelled': 'notice of a cancelled order',
  'order-unpaid': 'notice that an order is no longer paid',
  'order-refunded': 'notice of a refunded payment',
  'complaint-received': 'receipt of a complaint',
  'complaint-answered': 'answer to a complaint',
  'complaint-notice': 'notice of a complaint to the shop',
  'order-recalled': 'recall of what was sold',
  'order-recall-withdrawn': 'notice that a recall was withdrawn',
} as const
export type EmailKind = keyof typeof emailKinds

const isKnown = (kind: string): kind is EmailKind => Object.hasOwn(emailKinds, kind)

/** The label of a queued email; its bare kind for one that another version of the shop queued. */
export const emailLabel = (kind: string): string =>
  isKnown(kind) ? emailKinds[kind] : `${kind.replaceAll('-', ' ')} email`
