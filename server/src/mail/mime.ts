import nodemailer from 'nodemailer'
import type { EmailMessage } from './port.ts'

/** A message in nodemailer's format, which encodes headers: no value can inject one. */
export const mimeFields = (message: EmailMessage, from: string) => ({
  from,
  to: { name: '', address: message.to },
  subject: message.subject,
  text: message.text,
  html: message.html,
  date: message.date,
  messageId: `<${message.id}@${domainOf(from)}>`,
  headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
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
