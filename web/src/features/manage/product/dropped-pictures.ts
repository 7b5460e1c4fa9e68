import { errorOfFile } from '../edited-list/edited-images.ts'

/** Pictures of one drop: more are a matter for the file of products. */
export const MAX_DROPPED = 50
/** Characters of a product's title. */
const MAX_TITLE = 120

/** A picture of a drop, and what has become of its draft. */
export type Dropped = {
  /** The id that the draft has, or will have: sent twice, it is made once. */
  id: string
  file: File
  title: string
  state: 'waiting' | 'sending' | 'made' | 'failed' | 'undone' | 'kept'
  /** Why it failed, or was kept when the drop was undone. */
  reason: string
  loggedOut: boolean
  /** Of the draft as it was made, where that is known. */
  version?: number
}

/**
 * What a product of this picture is called until somebody says so: the name of its file without ending, as words. A name
 * of signs alone says nothing, so it is numbered.
 * @param at place among the pictures of the drop, counted from 1
 */
export function titleOfFile(name: string, at: number): string {
  const words = name
    .normalize('NFC')
    .replace(/\.[a-z\d]{1,5}$/i, '')
    .replace(/[\p{C}\p{Z}_+]+|-+(?=\D)|(?<=\D)-+/gu, ' ')
    .trim()
  if (!/[\p{L}\p{N}]/u.test(words)) return `Draft ${at}`
  const whole = words.charAt(0).toUpperCase() + words.slice(1)
  if (whole.length <= MAX_TITLE) return whole
  const cut = whole
    .slice(0, MAX_TITLE)
    .toWellFormed()
    .replace(/\uFFFD$/, '')
  return cut.slice(0, Math.max(cut.lastIndexOf(' '), MAX_TITLE / 2)).trim()
}

const sameFile = (a: File, b: File): boolean =>
  a.name === b.name && a.size === b.size && a.lastModified === b.lastModified

/** `crypto.randomUUID` is missing where a shop is opened over plain http in a local network. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = [...bytes].map((byte, at) => {
    if (at === 6) return ((byte & 0x0f) | 0x40).toString(16)
    return (at === 8 ? (byte & 0x3f) | 0x80 : byte).toString(16).padStart(2, '0')
  })
  return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The drafts that these files become, and what was refused, by name. @param before those of the drop that goes on */
export function draftsOf(
  files: readonly File[],
  before: readonly Dropped[],
): { drafts: Dropped[]; refused: string[] } {
  const drafts: Dropped[] = []
  const refused: string[] = []
  let over = 0
  for (const file of files) {
    const error = errorOfFile(file)
    const isTwice = [...before, ...drafts].some((one) => one.state !== 'undone' && sameFile(one.file, file))
    if (error !== null) refused.push(error)
    else if (isTwice) refused.push(`${file.name} is there already: it becomes one draft`)
    else if (drafts.length === MAX_DROPPED) over += 1
    else {
      const title = titleOfFile(file.name, before.length + drafts.length + 1)
      const none = { reason: '', loggedOut: false }
      drafts.push({ id: newId(), file, title, state: 'waiting', ...none })
    }
  }
  if (over > 0)
    refused.push(`${over} more than ${MAX_DROPPED} at once: drop ${over === 1 ? 'it' : 'them'} next`)
  return { drafts, refused }
}
