import { useEffect, useState } from 'react'
import { changed, database, type QueuedEntry, watchBlocked, watchChanges } from '../database.ts'

/** Sent entries that stay in sight, the newest. */
const SENT_KEPT = 30

/** An entry was not kept, because there is no room for it. */
export class StorageFull extends Error {
  override readonly name = 'StorageFull'
}

const isFull = (error: unknown): boolean => error instanceof Error && error.name === 'QuotaExceededError'

/**
 * Keeps an entry, new or mended. When it returns the entry is on the disk, not only in memory.
 * @throws StorageFull
 */
export async function keepEntry(entry: QueuedEntry): Promise<void> {
  const db = await database()
  const tx = db.transaction('entries', 'readwrite', { durability: 'strict' })
  try {
    await Promise.all([tx.store.put(entry), tx.done])
  } catch (error) {
    if (isFull(error) || isFull(tx.error))
      throw new StorageFull('There is no room on this phone.', { cause: error })
    throw error
  }
  changed()
}

/** All entries on this phone, oldest first. */
export async function readQueue(): Promise<QueuedEntry[]> {
  const all = await (await database()).getAll('entries')
  return all.sort((a, b) => a.entry.madeAt.localeCompare(b.entry.madeAt) || a.id.localeCompare(b.id))
}

export const readEntry = async (id: string): Promise<QueuedEntry | undefined> =>
  (await database()).get('entries', id)

/** Drops an entry that its owner gives up. */
export async function dropEntry(id: string): Promise<void> {
  await (await database()).delete('entries', id)
  changed()
}

/** Records that the shop accepted an entry: its photo is no longer needed, and old entries are deleted. */
export async function noteSent(entry: QueuedEntry): Promise<void> {
  await keepEntry({ ...entry, photo: null, state: 'sent', problem: null, fields: [] })
  const sent = (await readQueue()).filter(({ state }) => state === 'sent')
  for (const { id } of sent.slice(0, -SENT_KEPT)) await dropEntry(id)
}

/**
 * The queue as it is now, null until it was read: what waits is then not known, which is not nothing. `problem`: why it can't
 * be read; `blocked`: an older tab of these pages keeps the database open.
 */
type Queue = { queue: QueuedEntry[] | null; problem: 'unreadable' | 'blocked' | null }

export function useQueue(): Queue {
  const [found, setFound] = useState<Queue>({ queue: null, problem: null })
  useEffect(() => {
    let ended = false
    const read = () =>
      void readQueue().then(
        (queue) => ended || setFound({ queue, problem: null }),
        () => ended || setFound(({ queue }) => ({ queue, problem: 'unreadable' })),
      )
    read()
    const unblock = watchBlocked(() => ended || setFound(({ queue }) => ({ queue, problem: 'blocked' })))
    const unwatch = watchChanges(read)
    return () => {
      ended = true
      unwatch()
      unblock()
    }
  }, [])
  return found
}
