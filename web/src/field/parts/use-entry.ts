import type { FieldUser } from '@befaqt/domain/api/field-api'
import { FieldEntry } from '@befaqt/domain/field-entry'
import { useEffect, useRef, useState } from 'react'
import { type FieldErrors, schemaErrors } from '#web/forms/field-errors.ts'
import type { QueuedEntry, Typed } from '../database.ts'
import { keepEntry, readEntry, StorageFull } from '../queue/queue.ts'

/** What a form knows of the entry it makes or mends. */
export type OpenEntry = {
  errors: FieldErrors
  /** Why it was not kept; null while nothing went wrong. */
  failure: string | null
  busy: boolean
  /** The entry that is mended; null for a new one, undefined until it was read. */
  mended: QueuedEntry | null | undefined
  /** Keeps the entry, made at this time, else now. @returns whether it is on the disk */
  save: (typed: Typed, photo: Blob | null, madeAt?: string) => Promise<boolean>
}

const FULL =
  'This phone has no room left: the entry is NOT saved. Free some space, or save it without a photo.'

/** Checks an entry as the shop will, keeps it on the phone, and says at once when that failed. */
export function useEntry(user: FieldUser, mendedId: string | null): OpenEntry {
  const [errors, setErrors] = useState<FieldErrors>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  /** Set at once: a second press would keep the entry twice. */
  const running = useRef(false)
  const [mended, setMended] = useState<QueuedEntry | null | undefined>(mendedId === null ? null : undefined)
  useEffect(() => {
    if (mendedId !== null)
      void readEntry(mendedId).then(
        (found) => setMended(found?.owner === user.userId && found.state === 'refused' ? found : null),
        () => setMended(null),
      )
  }, [mendedId, user.userId])
  const save: OpenEntry['save'] = async (typed, photo, at) => {
    if (running.current) return false
    const madeAt = mended?.entry.madeAt ?? at ?? new Date().toISOString()
    const id = mended?.id ?? crypto.randomUUID()
    const entry = { ...typed, id, madeBy: user.userId, madeAt }
    const parsed = FieldEntry.safeParse({ ...entry, sentAt: madeAt })
    if (!parsed.success) {
      setErrors(schemaErrors(FieldEntry, { ...entry, sentAt: madeAt }))
      setFailure('Something is missing or wrong: see the marked fields.')
      return false
    }
    const { sentAt: _, ...draft } = parsed.data
    setErrors({})
    setFailure(null)
    running.current = true
    setBusy(true)
    try {
      await keepEntry({
        id,
        owner: user.userId,
        entry: draft,
        photo,
        state: 'waiting',
        attempts: 0,
        nextAt: 0,
        problem: null,
        fields: [],
        outcome: null,
      })
      return true
    } catch (error) {
      setFailure(
        error instanceof StorageFull
          ? FULL
          : 'The entry is NOT saved: this phone could not keep it. Try again.',
      )
      return false
    } finally {
      running.current = false
      setBusy(false)
    }
  }
  return { errors, failure, busy, mended, save }
}

/** Fields of a refused entry with the shop's reasons. */
export const refusedFields = (mended: QueuedEntry | null | undefined): FieldErrors =>
  Object.fromEntries((mended?.fields ?? []).map(({ path, message }) => [path, message]))
