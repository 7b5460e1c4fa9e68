import nodemailer from 'nodemailer'
import { mimeFields } from './mime.ts'
import { type Mailer, MailRejected } from './port.ts'

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
