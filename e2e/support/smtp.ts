import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerAddress } from 'smtp-server'
import { freePort } from '../../tools/test/free-port.ts'
import { within } from './within.ts'

/** A received message, with the addresses of its envelope. */
export type Mail = Email & { recipients: string[] }

/** A real SMTP server that stores received messages. Its `url` is for SMTP_URL. Use with `await using`. */
export type Mailbox = AsyncDisposable & {
  url: string
  mails: Mail[]
  /**
   * The first message to this address whose subject matches, among past and future ones; with `after`, the first after
   * that one.
   */
  waitForMail(to: string, subject?: RegExp, after?: Mail): Promise<Mail>
  /** From now on delays the response to every recipient by so many milliseconds. */
  dawdle(ms: number): void
  /** Resolves at the next RCPT command, before the response. */
  nextAddress(): Promise<void>
  /** From now on rejects every recipient for good with this message; null: accepts again. */
  refuse(words: string | null): void
}

const MAIL_S = 180

/** Starts one on a free port of 127.0.0.1, without TLS and authentication. */
export async function startMailbox(): Promise<Mailbox> {
  const mails: Mail[] = []
  const waiting = new Set<() => void>()
  let refusal: Error | null = null
  let lateMs = 0
  let named = Promise.withResolvers<void>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: (_address, _session, done) => {
      named.resolve()
      setTimeout(() => done(refusal), lateMs).unref() // must not keep the process alive
    },
    onData: (stream, session, done) => {
      const keep = async (): Promise<void> => {
        mails.push(await read(await buffer(stream), session.envelope.rcptTo))
        for (const look of waiting) look()
      }
      keep().then(() => done(), done)
    },
  })
  server.on('error', () => undefined) // a client that disconnects early is checked by the test
  const { promise: listening, resolve } = Promise.withResolvers<void>()
  const port = await freePort()
  server.listen(port, '127.0.0.1', resolve)
  await listening
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    waitForMail: (to, subject = /./, after) => {
      const { promise, resolve: found } = Promise.withResolvers<Mail>()
      const look = (): void => {
        const mail = mails
          .slice(after ? mails.indexOf(after) + 1 : 0)
          .find(({ recipients, subject: title }) => recipients.includes(to) && subject.test(title ?? ''))
        if (mail) found(mail)
      }
      waiting.add(look)
      look()
      return within(MAIL_S, `a mail to ${to} arrives`, promise).finally(() => waiting.delete(look))
    },
    dawdle: (ms) => {
      lateMs = ms
    },
    nextAddress: () => {
      named = Promise.withResolvers<void>()
      return named.promise
    },
    refuse: (words) => {
      refusal = words === null ? null : Object.assign(new Error(words), { responseCode: 550 })
    },
    [Symbol.asyncDispose]: () => {
      const { promise: closed, resolve: close } = Promise.withResolvers<void>()
      server.close(close)
      return closed
    },
  }
}

async function read(message: Buffer, to: readonly SMTPServerAddress[]): Promise<Mail> {
  return { ...(await PostalMime.parse(message)), recipients: to.map(({ address }) => address) }
}
