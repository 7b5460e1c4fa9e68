import { randomUUID } from 'node:crypto'
import { boxWrongs, wishes, wrongs } from '@befaqt/domain/complaint'
import { cents, formatDollars } from '@befaqt/domain/money'
import { preparedTitle } from '@befaqt/domain/preparation'
import { and, eq, isNull } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/client.ts'
import { complaints } from '#server/db/schema/complaints.ts'
import { noticeTargets } from '#server/db/schema/excursions.ts'
import { buttonOf, filledEmail, note, rowsOf, text } from '#server/mail/email-content.ts'
import { type EmailReceipts, queueEmails } from '#server/mail/send-email.ts'
import { orderLink } from '../order-access.ts'
import type { OrderDeps } from '../order-deps.ts'
import type { WholeOrder } from '../order-views.ts'
import type { ComplaintRecord } from './complaint-rules.ts'
import { boxesOf } from './read-complaints.ts'

/*
 * Emails about complaints. What a buyer wrote and showed is in none of them: anybody can order in anybody's name, and would
 * have the shop send what they typed. What the shop answers is.
 */

/** `before`: the complaint as it was; null: there was none. */
type Mail = {
  tx: Tx
  deps: OrderDeps
  whole: WholeOrder
  complaint: ComplaintRecord
  before: ComplaintRecord | null
  answer: string
}

type News = 'received' | 'notice' | 'answered'

/** What an email says that may be overtaken. */
const saidBy = (about: News, { rounds, promisedCents }: ComplaintRecord): string =>
  about === 'answered' ? `${promisedCents}` : `${rounds}`

/** Each email has one of its own, so that none replaces another. */
const receiptOf = (about: News, complaint: ComplaintRecord): string =>
  ['complaint', about, complaint.id, saidBy(about, complaint), randomUUID()].join(' ')

const RECEIPT = /^complaint (received|notice|answered) (\S+) (\S+) \S+$/

/**
 * What complaints say of their emails while these are sent. One that waited for another try is not sent where what it says
 * is over: that it came, once it is answered or taken back; a promise, once another took its place. That somebody has to
 * look at boxes holds until somebody did, whatever became of the complaint.
 */
export const complaintReceipts = (db: Db): EmailReceipts => ({
  async isWanted(receipt) {
    const [, about, id, said] = RECEIPT.exec(receipt) ?? []
    if (about === undefined || id === undefined) return true
    const [complaint] = await db.select().from(complaints).where(eq(complaints.id, id))
    if (complaint === undefined) return false
    if (about === 'answered') return saidBy(about, complaint) === said
    const isCurrent = complaint.status === 'OPEN' && `${complaint.rounds}` === said
    return isCurrent || (about === 'notice' && complaint.aboutBoxes && complaint.checkedAt === null)
  },
  noteSent: async () => undefined,
})

const KEEP = note('Anyone with this link can see the order. Please keep it to yourself.')

const saidWrong = ({ wrong }: ComplaintRecord): string => wrong.map((one) => wrongs[one]).join('. ')

const titlesOf = ({ lines }: ComplaintRecord, whole: WholeOrder): string => {
  const titles = whole.lines.flatMap(({ position, title, preparation }) =>
    lines.includes(position) ? preparedTitle(title, preparation?.kind) : [],
  )
  return titles.length === 0 ? 'the whole order' : titles.join(', ')
}

/** Tells the buyer that it came. */
export async function mailReceived({ tx, deps, whole, complaint }: Mail): Promise<void> {
  const { order, contact } = whole
  if (contact === null) return
  const isHealth = complaint.wrong.some((one) => boxWrongs.includes(one))
  const content = filledEmail(deps, 'complaint-received', {
    order: order.number,
    details: [
      ...(isHealth
        ? [
            text(
              'Please don’t eat any more of it. Keep it in the fridge, in its packaging, until we have answered. If anybody feels ill, see a doctor.',
            ),
          ]
        : []),
      rowsOf([
        ['Order', order.number],
        ['About', titlesOf(complaint, whole)],
        ['What is wrong', saidWrong(complaint)],
        ['What you wish', wishes[complaint.wish]],
      ]),
    ],
    links: [buttonOf(deps, 'complaint-received', orderLink(deps, order.id)), KEEP],
  })
  await queueEmails(
    tx,
    deps.secrets,
    [{ kind: 'complaint-received', to: contact.email, content, receipt: receiptOf('received', complaint) }],
    deps.now(),
  )
}

/** What an answer says of money: what is promised, or that a promise no longer stands. */
function promiseText({ promisedCents, refundedAt }: ComplaintRecord, before: ComplaintRecord | null): string {
  if (refundedAt !== null) return ''
  if (promisedCents)
    return `We give you back ${formatDollars(cents(promisedCents))}. Somebody in our shop does that by hand; the page of your order says when it is done.`
  const earlier = before?.promisedCents
  return earlier ? `The ${formatDollars(cents(earlier))} that we promised before are not given back.` : ''
}

/** Tells the buyer what the shop answers. */
export async function mailAnswered({ tx, deps, whole, complaint, before, answer }: Mail): Promise<void> {
  const { order, contact } = whole
  if (contact === null) return
  const promise = promiseText(complaint, before)
  const content = filledEmail(deps, 'complaint-answered', {
    order: order.number,
    answer: [text(answer), ...(promise === '' ? [] : [text(promise)])],
    links: [
      buttonOf(deps, 'complaint-answered', orderLink(deps, order.id)),
      text('If that is not enough, say so on that page.'),
      KEEP,
    ],
  })
  await queueEmails(
    tx,
    deps.secrets,
    [{ kind: 'complaint-answered', to: contact.email, content, receipt: receiptOf('answered', complaint) }],
    deps.now(),
  )
}

/** Tells those in the shop who are told of excursions by email. */
export async function mailShop({ tx, deps, whole, complaint }: Mail): Promise<void> {
  const targets = await tx
    .select({ to: noticeTargets.address })
    .from(noticeTargets)
    .where(and(isNull(noticeTargets.revokedAt), eq(noticeTargets.kind, 'email')))
  const { order } = whole
  const boxes = complaint.aboutBoxes ? boxesOf(complaint, whole) : []
  const name = complaint.aboutBoxes ? 'complaint-notice-boxes' : 'complaint-notice'
  const content = filledEmail(deps, name, {
    order: order.number,
    details: [
      rowsOf([
        ['Order', order.number],
        ['About', titlesOf(complaint, whole)],
        ['What is wrong', saidWrong(complaint)],
        ['Wished', wishes[complaint.wish]],
        ...(boxes.length > 0 ? [['Boxes', boxes.join(', ')] as const] : []),
      ]),
      ...(complaint.aboutBoxes
        ? [text('Others eat from the same box. Nothing is taken off sale by this: look at it, and decide.')]
        : []),
    ],
    links: [buttonOf(deps, name, `${deps.config.PUBLIC_URL}/manage/order/${order.id}`)],
  })
  const emails = targets.map(({ to }) => ({
    kind: 'complaint-notice' as const,
    to,
    content,
    receipt: receiptOf('notice', complaint),
  }))
  await queueEmails(tx, deps.secrets, emails, deps.now())
}
