const KEY = 'befaqt-desk-finds'
const MAX = 6

/** Something that was looked for at the desk and opened: where it is, and how it is called. */
export type Find = { href: string; words: string }

const isFind = (one: unknown): one is Find =>
  typeof one === 'object' &&
  one !== null &&
  'href' in one &&
  'words' in one &&
  typeof one.href === 'string' &&
  /^\/(?!\/)/.test(one.href) &&
  typeof one.words === 'string'

/** What was found at the desk on this device, the newest first. Without storage, or with another's text in it, nothing. */
export function recentFinds(): Find[] {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isFind).slice(0, MAX) : []
  } catch {
    return []
  }
}

const keep = (finds: readonly Find[]): void => {
  try {
    if (finds.length === 0) window.localStorage.removeItem(KEY)
    else window.localStorage.setItem(KEY, JSON.stringify(finds))
  } catch {
    // A full or forbidden storage: what was found is looked for again.
  }
}

/** Remembers what was opened; the same again comes first instead of twice. */
export function rememberFind({ href, words }: Find): void {
  keep([{ href, words }, ...recentFinds().filter((one) => one.href !== href)].slice(0, MAX))
}

export const forgetFinds = (): void => keep([])
