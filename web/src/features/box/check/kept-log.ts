/* The newest state of this shop's log that this browser saw. Pages and workers both reach it. */

const CACHE = 'befaqt-log'
const KEY = '/befaqt/log/checkpoint'
const SEEN = 'x-seen'
const SIZE = 'x-size'

/** A state of the log as it was signed, with so many entries, and when it was seen first. */
export type SeenNote = { note: string; at: string; size: number }

/** The newest that was seen; null: none, or this browser can't keep any. */
export async function keptNote(): Promise<SeenNote | null> {
  try {
    const kept = await (await caches.open(CACHE)).match(KEY)
    const [at, size] = [kept?.headers.get(SEEN), Number(kept?.headers.get(SIZE))]
    return kept && at ? { note: await kept.text(), at, size } : null
  } catch {
    return null
  }
}

/** Keeps a state of so many entries, unless one with as many or more is kept. A browser without storage keeps nothing. */
export async function keepNote(note: string, size: number): Promise<void> {
  try {
    if (((await keptNote())?.size ?? 0) >= size) return
    const headers = { [SEEN]: new Date().toISOString(), [SIZE]: String(size) }
    await (await caches.open(CACHE)).put(KEY, new Response(note, { headers }))
  } catch {
    // Storage is full or forbidden.
  }
}

/** Keeps the state of now, where none was seen; nothing where nothing is signed. Never rejects. */
export async function keepFirst(get: (path: string) => Promise<string | undefined>): Promise<void> {
  const receipt = await get('/befaqt/log/receipt.txt').catch(() => undefined)
  const [note = '', size] = /^\S+\n(\d+)\n\S{44}\n\n— .*$/msu.exec(receipt ?? '') ?? []
  if (size !== undefined) await keepNote(note, Number(size))
}

/** Forgets it. */
export async function forgetNote(): Promise<void> {
  try {
    await caches.delete(CACHE)
  } catch {
    // A browser without storage keeps nothing.
  }
}
