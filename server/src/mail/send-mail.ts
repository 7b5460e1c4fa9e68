import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Db, Tx } from '#server/db/client.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { FinalFailure, type JobHandler } from '#server/jobs/run.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { failureWords } from './failure-words.ts'
import { letterHtml, letterText, type Sender } from './layout.ts'
import type { Letter } from './letter.ts'
import type { LetterKind } from './letter-kinds.ts'
import { type Mailer, MailRefused } from './port.ts'

/** Queue of mails. Its jobs show operators whom a mail is for and what about, not the links inside. */
export const MAIL_QUEUE = 'mail.send'

/** A waiting mail but for what is in it: all that managers may see. */
export const MailOnItsWay = z.object({
  id: z.string(),
  kind: z.string(),
  to: z.string(),
  date: z.iso.datetime(),
  goodUntil: z.iso.datetime().optional(),
})
const MailJob = MailOnItsWay.extend({ sealed: z.string() })

const Text = z.object({ kind: z.enum(['text', 'note']), text: z.string() })
const Button = z.object({ kind: z.literal('button'), label: z.string(), url: z.string() })
const Rows = z.object({ kind: z.literal('rows'), rows: z.array(z.tuple([z.string(), z.string()])) })
const SealedLetter = z.object({
  subject: z.string(),
  heading: z.string(),
  blocks: z.array(z.discriminatedUnion('kind', [Text, Button, Rows])),
})

/** A letter on its way. `goodUntil`: when the link in it ends; from then on it is not sent any more. */
export type Post = { kind: LetterKind; to: string; letter: Letter; goodUntil?: Date }

/** What a letter that is on its way may still take when its worker is to end: a mail server that is well needs less. */
const FINISH_WITHIN_MS = 5_000

const contextOf = (id: string): string => `mail ${id}`

/**
 * Has a letter sent when the caller's transaction commits, and only then. It waits encrypted, since the links in
 * it are worth as much as passwords.
 */
export async function queueMail(tx: Tx | Db, secrets: Secrets, post: Post, now: Date): Promise<void> {
  const id = randomUUID()
  const sealed = secrets.seal(JSON.stringify(post.letter), contextOf(id))
  const goodUntil = post.goodUntil && { goodUntil: post.goodUntil.toISOString() }
  const mail = { id, kind: post.kind, to: post.to, date: now.toISOString(), ...goodUntil, sealed }
  await enqueue(tx, MAIL_QUEUE, mail)
}

/**
 * Does a job of the mail queue. A second run sends the same message again under the same Message-ID. What it throws
 * is in words for managers; the cause is for the log. Told to end, it gives a slow mail server up after
 * `finishWithinMs`, so that the letter is another worker's at once.
 */
export function sendMailJob(
  mailer: Mailer,
  secrets: Secrets,
  sender: Sender,
  now: () => Date,
  finishWithinMs = FINISH_WITHIN_MS,
): JobHandler {
  return async (payload, signal) => {
    const { job, letter } = opened(payload, secrets)
    if (job.goodUntil !== undefined && new Date(job.goodUntil) <= now())
      throw new FinalFailure('The link in it ended before it could be sent.', undefined)
    const message = {
      id: job.id,
      kind: job.kind,
      to: job.to,
      date: new Date(job.date),
      subject: letter.subject,
      text: letterText(letter, sender),
      html: letterHtml(letter, sender),
    }
    signal.throwIfAborted() // a worker that stood still may have lost the letter to another
    const giveUp = abortedAfter(signal, finishWithinMs)
    await mailer.send(message, giveUp).catch((error: unknown) => {
      giveUp.throwIfAborted()
      if (error instanceof MailRefused) throw new FinalFailure(failureWords(error.cause), error)
      throw new Error(failureWords(error), { cause: error })
    })
  }
}

/** A signal that is aborted `ms` after this one, with its reason. */
function abortedAfter(signal: AbortSignal, ms: number): AbortSignal {
  const later = new AbortController()
  const abort = (): void => void setTimeout(() => later.abort(signal.reason), ms).unref()
  signal.addEventListener('abort', abort, { once: true })
  return later.signal
}

/** @throws FinalFailure when the job is no mail, or was sealed with another key */
function opened(payload: unknown, secrets: Secrets) {
  try {
    const job = MailJob.parse(payload)
    return { job, letter: SealedLetter.parse(JSON.parse(secrets.open(job.sealed, contextOf(job.id)))) }
  } catch (error) {
    throw new FinalFailure('It can’t be opened. Is DATA_DIR/secret.key the one it was written with?', error)
  }
}
