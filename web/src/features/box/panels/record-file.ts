import { fileUrl } from '#web/api/file-url.ts'
/** Where an image or file named in a record may be found. Source: records are anyone's words, never to be trusted. */
export type RecordFile =
  | { kind: 'ours'; href: string }
  | { kind: 'elsewhere'; href: string }
  | { kind: 'none' }

const FILES = fileUrl('')
const none: RecordFile = { kind: 'none' }

/**
 * Judges a URL out of a record: a path of a file here, bare or under its URL, is ours to show; an absolute
 * http(s) URL is a link to elsewhere; anything else (scripts, data, other paths) is nothing.
 */
export function recordFile(url: string | null | undefined): RecordFile {
  if (!url) return none
  if (/^https?:\/\//i.test(url))
    return URL.canParse(url) ? { kind: 'elsewhere', href: new URL(url).href } : none
  const path = url.startsWith(FILES) ? url : FILES + url
  if (/^[/\\]/.test(url) && path !== url) return none
  const { host, pathname } = new URL(path, 'https://here.invalid')
  const isOurs = host === 'here.invalid' && pathname.startsWith(FILES) && !/%2e%2e|%2f|%5c|[:\\]/i.test(path)
  return isOurs ? { kind: 'ours', href: pathname } : none
}
