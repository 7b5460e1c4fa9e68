import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import nodemailer from 'nodemailer'
import type { Config } from '#server/config/config.ts'

/** One message, ready to send. */
export type EmailMessage = {
  /** Stays the same when a job runs twice, so that mail programs show the message once. */
  id: string
  to: string
  subject: string
  text: string
  html: string
  /** When it was queued. */
  date: Date
  /** What it is about, for operators: 'activation'. */
  kind: string
  /** Where one press ends all emails of this kind (RFC 8058), where that is possible. */
  stop?: string
}

/** The mail server rejects this message for good. */
export class MailRejected extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause })
    this.name = 'MailRejected'
  }
}

/** Sends messages. */
export type Mailer = {
  /**
   * @param signal aborts sending at once
   * @throws MailRejected when it was rejected for good; any other error when it may be retried
   */
  send(message: EmailMessage, signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** Opens the mailer that the settings name: SMTP_URL, or files in the outbox. */
export const openMailer = (config: Pick<Config, 'SMTP_URL' | 'MAIL_FROM' | 'DATA_DIR'>): Mailer =>
  config.SMTP_URL === undefined
    ? outboxMailer(config.DATA_DIR, config.MAIL_FROM)
    : smtpMailer(config.SMTP_URL, config.MAIL_FROM)

const CONNECT_TIMEOUT_MS = 15_000
const SOCKET_TIMEOUT_MS = 30_000

/**
 * A permanent rejection (RFC 5321 §4.2.1, 5yz) of the recipient or of the message. Rejections of the sender's address
 * or of the password are about our settings, which can be corrected.
 */
const isPermanent = (error: Error): boolean =>
  'responseCode' in error &&
  'command' in error &&
  Number(error.responseCode) >= 500 &&
  (error.command === 'RCPT TO' || error.command === 'DATA')

/** Sends through the server at `url` (`smtp://user:password@host:port`, or `smtps://`), as `from`. */
export function smtpMailer(url: string, from: string): Mailer {
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
  })
  return {
    send: async (message, signal) => {
      await transport.sendMail({ ...mimeFields(message, from), signal }).catch((error: Error) => {
        throw isPermanent(error) ? new MailRejected(error) : error
      })
    },
    close: async () => transport.close(),
  }
}

/** Connects to the server at `url` and logs in, as for an email, and sends nothing. @throws as `send` */
export async function trySmtp(url: string, limitMs: number): Promise<void> {
  const limits = { connectionTimeout: limitMs, greetingTimeout: limitMs, socketTimeout: limitMs }
  const transport = nodemailer.createTransport({ url, ...limits })
  await transport.verify().finally(() => transport.close())
}

/** Folder in DATA_DIR for messages while no mail server is set. */
const OUTBOX = 'outbox'

/** Writes each message as an `.eml` file, named so that the oldest sorts first, readable by the owner only. */
export function outboxMailer(dataDir: string, from: string): Mailer {
  const folder = join(dataDir, OUTBOX)
  return {
    send: async (message) => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const when = message.date.toISOString().replaceAll(':', '-')
      const path = join(folder, `${when}-${message.kind}-${message.id}.eml`)
      await writeFile(`${path}.part`, await mimeBytes(message, from), { mode: 0o600 })
      await rename(`${path}.part`, path)
    },
    close: async () => undefined,
  }
}

/** A message in nodemailer's format, which encodes headers: no value can inject one. */
const mimeFields = (message: EmailMessage, from: string) => ({
  from,
  to: { name: '', address: message.to },
  subject: message.subject,
  text: message.text,
  html: message.html,
  date: message.date,
  messageId: `<${message.id}@${domainOf(from)}>`,
  headers: {
    'Auto-Submitted': 'auto-generated',
    'X-Auto-Response-Suppress': 'All',
    ...(message.stop !== undefined && {
      'List-Unsubscribe': `<${message.stop}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
  },
  disableFileAccess: true,
  disableUrlAccess: true,
})

const domainOf = (from: string): string => /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost'

const writer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' })

/** The message as bytes of RFC 5322. */
export async function mimeBytes(message: EmailMessage, from: string): Promise<Uint8Array> {
  const { message: bytes } = await writer.sendMail(mimeFields(message, from))
  if (!(bytes instanceof Uint8Array)) throw new TypeError('the mail writer answered a stream')
  return bytes
}

/** The fields of an error of nodemailer or Node. */
type Failure = { code?: unknown; command?: unknown; response?: unknown; responseCode?: unknown }

const MAX_REPLY_LENGTH = 300

/** A sentence for managers that says why an email could not be sent. It never contains a link or a token. */
export function describeSmtpError(error: unknown): string {
  if (typeof error !== 'object' || error === null) return UNKNOWN
  const failure: Failure = error
  if (typeof failure.response === 'string' && typeof failure.responseCode === 'number')
    return `${describeRejection(failure)}: ${withoutSecrets(failure.response)}`
  return causes[String(failure.code)] ?? UNKNOWN
}

const UNKNOWN = 'It could not be sent. The server’s log says why.'
const UNREACHABLE = 'The mail server can’t be reached.'

/** By error code of nodemailer (`lib/errors`) and of the file system. */
const causes: Readonly<Record<string, string>> = {
  ECONNECTION: UNREACHABLE,
  ESOCKET: UNREACHABLE,
  ETIMEDOUT: 'The mail server did not answer in time.',
  EDNS: 'The name of the mail server is not known.',
  ETLS: 'There is no secure connection to the mail server.',
  EAUTH: 'The mail server rejects the login. Check the name and password in SMTP_URL.',
  EENVELOPE: 'This is not an address that email can be sent to.',
  ENOSPC: 'The disk is full.',
  EACCES: 'The outbox folder may not be written to.',
  EROFS: 'The outbox folder may not be written to.',
}

function describeRejection({ code, command, responseCode }: Failure): string {
  if (code === 'EAUTH') return 'The mail server rejects the login'
  const permanent = Number(responseCode) >= 500
  if (command === 'RCPT TO')
    return permanent ? 'The mail server rejects this address' : 'The mail server defers this address'
  if (command === 'MAIL FROM') return 'The mail server rejects the shop’s own address'
  return permanent ? 'The mail server rejects the email' : 'The mail server defers the email'
}

/** Servers may quote the message: links and whatever looks like a token are removed, and it is made one line. */
const withoutSecrets = (reply: string): string =>
  reply
    .replaceAll(/https?:\S+/gi, '(link)')
    .replaceAll(/[\w-]{24,}/g, '…')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_REPLY_LENGTH)
