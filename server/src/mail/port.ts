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
