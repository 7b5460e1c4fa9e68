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

/** Takes messages to where they can be read. */
export type Mailer = {
  /** @throws Error when the message was not taken; it may be tried again */
  send(message: Message): Promise<void>
  close(): Promise<void>
}
