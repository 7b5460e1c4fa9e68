import nodemailer from 'nodemailer'
import { mimeFields } from './mime.ts'
import type { Mailer } from './port.ts'

const CONNECT_MS = 15_000
const SILENCE_MS = 30_000

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
    send: async (message) => {
      await transport.sendMail(mimeFields(message, from))
    },
    close: async () => transport.close(),
  }
}
