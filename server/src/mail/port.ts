/** One message, ready to go. */
export type Message = {
  /** Stays the same when a job runs twice, so that mail programs show it once. */
  id: string
  to: string
  subject: string
  text: string
  html: string
  /** When it was asked for. */
  date: Date
  /** What it is about, for operators: 'activation'. */
  kind: string
}

/** The mail server will not take this message, however often it is asked. */
export class MailRefused extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause })
    this.name = 'MailRefused'
  }
}

/** Takes messages to where they can be read. */
export type Mailer = {
  /**
   * @param signal gives up at once: what the mail server has not taken by then, it does not get
   * @throws MailRefused when it will never be taken; any other error when it was not taken and may be tried again
   */
  send(message: Message, signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}
