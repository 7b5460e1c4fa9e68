import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** The response of a test's mail server to an SMTP command: null accepts, an error rejects. */
type Verdict = (address: string) => Error | null
const takes: Verdict = () => null

/** A rejection with an SMTP reply code, as `smtp-server` sends it. */
export const refusal = (responseCode: number, words: string): Error =>
  Object.assign(new Error(words), { responseCode })

const atOnce = async (): Promise<void> => undefined

/**
 * A real SMTP server on a free port; it can reject the email or its recipient. Use with `await using`.
 * @param pause runs before the response to a recipient
 */
export async function smtpServer(ofMessage: Verdict = takes, ofAddress: Verdict = takes, pause = atOnce) {
  const mails: { raw: Buffer; to: string[] }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: ({ address }, _session, done) => void pause().then(() => done(ofAddress(address))),
    onData: (stream, session, done) => {
      const take = (raw: Buffer): void => {
        const refused = ofMessage(session.envelope.rcptTo[0]?.address ?? '')
        if (refused === null) mails.push({ raw, to: session.envelope.rcptTo.map((one) => one.address) })
        done(refused)
      }
      buffer(stream).then(take, done)
    },
  })
  server.on('error', () => undefined) // clients may disconnect early
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const address = server.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const close = () => new Promise<void>((closed) => server.close(closed))
  return { url: `smtp://127.0.0.1:${port}`, mails, [Symbol.asyncDispose]: close }
}
