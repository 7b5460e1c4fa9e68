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
