import nodemailer from 'nodemailer'
import { mimeFields } from './mime.ts'
import { type Mailer, MailRefused } from './port.ts'

const CONNECT_MS = 15_000
const SILENCE_MS = 30_000

/**
 * A refusal for good of the recipient or of the letter. Source: RFC 5321 §4.2.1, 5yz. One of the sender's address or
 * of the password is about our settings, which can be mended.
 */
const isForGood = (error: Error): boolean =>
  'responseCode' in error &&
  'command' in error &&
  Number(error.responseCode) >= 500 &&
  (error.command === 'RCPT TO' || error.command === 'DATA')

/** Sends through the server at `url` (`smtp://user:password@host:port`, or `smtps://`), as `from`. */
export function smtpMailer(url: string, from: string): Mailer {
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
  })
  return {
    send: async (message, signal) => {
      await transport.sendMail({ ...mimeFields(message, from), signal }).catch((error: Error) => {
        throw isForGood(error) ? new MailRefused(error) : error
      })
    },
    close: async () => transport.close(),
  }
}
