import { domainToASCII } from 'node:url'

/**
 * What makes two written addresses the same account: lower case, NFC, the domain in its ASCII form (RFC 5891).
 * Plus parts and dots are kept: whose mailbox they belong to is the mail host's business.
 */
export function emailKey(email: string): string {
  const normal = email.normalize('NFC').toLowerCase()
  const at = normal.lastIndexOf('@')
  const domain = normal.slice(at + 1)
  return `${normal.slice(0, at)}@${domainToASCII(domain) || domain}`
}
