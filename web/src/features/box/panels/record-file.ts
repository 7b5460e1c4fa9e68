import { fileUrl } from '#web/api/file-url.ts'
/** Where an image or file named in a record may be found. Source: records are anyone's words, never to be trusted. */
export type RecordFile =
  | { kind: 'ours'; href: string }
  | { kind: 'elsewhere'; href: string }
  | { kind: 'none' }

const FILES = fileUrl('')
const none: RecordFile = { kind: 'none' }

/**
 * Judges an address out of a record: a path of a file here, bare or under its URL, is ours to show; an absolute
 * http(s) address is a link to elsewhere; anything else (scripts, data, other paths) is nothing.
 */
export function recordFile(address: string | null | undefined): RecordFile {
  if (!address) return none
  if (/^https?:\/\//i.test(address))
    return URL.canParse(address) ? { kind: 'elsewhere', href: new URL(address).href } : none
  const path = address.startsWith(FILES) ? address : FILES + address
  if (/^[/\\]/.test(address) && path !== address) return none
  const { host, pathname } = new URL(path, 'https://here.invalid')
  const isOurs = host === 'here.invalid' && pathname.startsWith(FILES) && !/%2e%2e|%2f|%5c|[:\\]/i.test(path)
  return isOurs ? { kind: 'ours', href: pathname } : none
}
