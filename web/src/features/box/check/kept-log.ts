/* The newest state of this shop's log that this browser saw. Pages and workers both reach it. */

const CACHE = 'befaqt-log'
const KEY = '/befaqt/log/checkpoint'
const SEEN = 'x-seen'
const SIZE = 'x-size'

/** The note as it was, and when it was seen first; null: none, or this browser can't keep any. */
export async function keptNote(): Promise<{ note: string; at: string; size: number } | null> {
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

/** Forgets it. */
export async function forgetNote(): Promise<void> {
  await caches.delete(CACHE).catch(() => undefined)
}
