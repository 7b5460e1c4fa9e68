/** What is known of a failure to send: nodemailer's and Node's fields. */
type Failure = { code?: unknown; command?: unknown; response?: unknown; responseCode?: unknown }

const MOST_OF_A_REPLY = 300

/** Why a mail could not be handed over, in a sentence for managers. It never holds a link or a token. */
export function failureWords(error: unknown): string {
  if (typeof error !== 'object' || error === null) return UNKNOWN
  const failure: Failure = error
  if (typeof failure.response === 'string' && typeof failure.responseCode === 'number')
    return `${refusalWords(failure)}: ${withoutSecrets(failure.response)}`
  return causes[String(failure.code)] ?? UNKNOWN
}

const UNKNOWN = 'It could not be sent. The server’s log says why.'
const UNREACHABLE = 'The mail server can’t be reached.'

/** Codes of nodemailer (`lib/errors`) and of writing to the outbox. */
const causes: Readonly<Record<string, string>> = {
  ECONNECTION: UNREACHABLE,
  ESOCKET: UNREACHABLE,
  ETIMEDOUT: 'The mail server did not answer in time.',
  EDNS: 'The name of the mail server is not known.',
  ETLS: 'There is no secure connection to the mail server.',
  EAUTH: 'The mail server does not let the shop in. Check the name and password in SMTP_URL.',
  EENVELOPE: 'This is no address that mail can be sent to.',
  ENOSPC: 'The disk is full.',
  EACCES: 'The outbox folder may not be written to.',
  EROFS: 'The outbox folder may not be written to.',
}

function refusalWords({ code, command, responseCode }: Failure): string {
  if (code === 'EAUTH') return 'The mail server does not let the shop in'
  const forGood = Number(responseCode) >= 500
  if (command === 'RCPT TO')
    return forGood ? 'The mail server refuses this address' : 'The mail server puts this address off'
  if (command === 'MAIL FROM') return 'The mail server refuses the shop’s own address'
  return forGood ? 'The mail server refuses the letter' : 'The mail server puts the letter off'
}

/** A server may quote what it refuses: links and whatever looks like a token are left out, and it is one line. */
const withoutSecrets = (reply: string): string =>
  reply
    .replaceAll(/https?:\S+/gi, '(link)')
    .replaceAll(/[\w-]{24,}/g, '…')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MOST_OF_A_REPLY)
