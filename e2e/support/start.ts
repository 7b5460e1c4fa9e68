import { after } from 'node:test'
import { type Server, startServer } from './server.ts'
import { type Mailbox, startMailbox } from './smtp.ts'

/** Starts what all tests of a file use, and stops it after the last: `const server = await startForFile(startServer())`. */
export async function startForFile<Started extends AsyncDisposable>(
  starting: Promise<Started>,
): Promise<Started> {
  const started = await starting
  after(() => started[Symbol.asyncDispose]())
  return started
}

/** A shop, and the mailbox that its emails go to. */
export async function startWithMailbox(
  env: Record<string, string> = {},
): Promise<AsyncDisposable & { server: Server; mailbox: Mailbox }> {
  await using starting = new AsyncDisposableStack()
  const mailbox = starting.use(await startMailbox())
  const server = starting.use(await startServer({ env: { SMTP_URL: mailbox.url, ...env } }))
  const started = starting.move()
  return { server, mailbox, [Symbol.asyncDispose]: () => started.disposeAsync() }
}
