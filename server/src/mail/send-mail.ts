import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Db, Tx } from '#server/db/client.ts'
import { enqueue } from '#server/jobs/queue.ts'
import type { JobHandler } from '#server/jobs/run.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { letterHtml, letterText, type Sender } from './layout.ts'
import type { Letter } from './letter.ts'
import type { Mailer } from './port.ts'

/** Queue of mails. Its jobs show operators whom a mail is for and what about, not the links inside. */
export const MAIL_QUEUE = 'mail.send'

const MailJob = z.object({
  id: z.string(),
  kind: z.string(),
  to: z.string(),
  date: z.iso.datetime(),
  sealed: z.string(),
})

const Text = z.object({ kind: z.enum(['text', 'note']), text: z.string() })
const Button = z.object({ kind: z.literal('button'), label: z.string(), url: z.string() })
const Rows = z.object({ kind: z.literal('rows'), rows: z.array(z.tuple([z.string(), z.string()])) })
const SealedLetter = z.object({
  subject: z.string(),
  heading: z.string(),
  blocks: z.array(z.discriminatedUnion('kind', [Text, Button, Rows])),
})

/** A letter on its way. `kind` names it for operators: 'activation', 'order-placed'. */
export type Post = { kind: string; to: string; letter: Letter }

const contextOf = (id: string): string => `mail ${id}`

/**
 * Has a letter sent when the caller's transaction commits, and only then. It waits encrypted, since the links in
 * it are worth as much as passwords.
 */
export async function queueMail(tx: Tx | Db, secrets: Secrets, post: Post, now: Date): Promise<void> {
  const id = randomUUID()
  const sealed = secrets.seal(JSON.stringify(post.letter), contextOf(id))
  await enqueue(tx, MAIL_QUEUE, { id, kind: post.kind, to: post.to, date: now.toISOString(), sealed })
}

/** Does a job of the mail queue. A second run sends the same message again under the same Message-ID. */
export function sendMailJob(mailer: Mailer, secrets: Secrets, sender: Sender): JobHandler {
  return async (payload) => {
    const job = MailJob.parse(payload)
    const letter = SealedLetter.parse(JSON.parse(secrets.open(job.sealed, contextOf(job.id))))
    await mailer.send({
      id: job.id,
      kind: job.kind,
      to: job.to,
      date: new Date(job.date),
      subject: letter.subject,
      text: letterText(letter, sender),
      html: letterHtml(letter, sender),
    })
  }
}
