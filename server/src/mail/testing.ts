import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** What a test's mail server says to a step of SMTP: null takes it, an error refuses it. */
type Verdict = () => Error | null
const takes: Verdict = () => null

/** A refusal with a reply code of SMTP, as `smtp-server` sends it. */
export const refusal = (responseCode: number, words: string): Error =>
  Object.assign(new Error(words), { responseCode })

/** A real SMTP server on a free port; it may refuse the letter or its address. Use with `await using`. */
export async function smtpServer(ofLetter: Verdict = takes, ofAddress: Verdict = takes) {
  const mails: { raw: Buffer; to: string[] }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: (_address, _session, done) => done(ofAddress()),
    onData: (stream, session, done) => {
      void buffer(stream).then((raw) => {
        const refused = ofLetter()
        if (refused === null) mails.push({ raw, to: session.envelope.rcptTo.map((one) => one.address) })
        done(refused)
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const address = server.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const close = () => new Promise<void>((closed) => server.close(closed))
  return { url: `smtp://127.0.0.1:${port}`, mails, [Symbol.asyncDispose]: close }
}
