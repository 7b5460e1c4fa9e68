import { domainToASCII } from 'node:url'

/**
 * The normalized address that identifies an account: lower case, NFC, the domain in its ASCII form (RFC 5891). Plus
 * tags and dots stay: only the mail host knows which mailbox they belong to.
 */
export function emailKey(email: string): string {
  const normal = email.normalize('NFC').toLowerCase()
  const at = normal.lastIndexOf('@')
  const domain = normal.slice(at + 1)
  return `${normal.slice(0, at)}@${domainToASCII(domain) || domain}`
}
