import type { FieldUser } from '@befaqt/domain/api/field-api'
import { useEffect, useState } from 'react'
import { watchChanges } from '../queue/queue.ts'
import { type PhoneKey, readKey } from './phone-key.ts'
import { type Signing, signingOf } from './signing.ts'

/** This phone's state for its user, and its key; null until they were read. */
export function useSigning(user: FieldUser): { signing: Signing; key: PhoneKey | undefined } | null {
  const [key, setKey] = useState<PhoneKey | undefined | null>(null)
  useEffect(() => {
    let ended = false
    const read = () =>
      void readKey(user.userId)
        .catch(() => undefined)
        .then((found) => ended || setKey(found))
    read()
    const unwatch = watchChanges(read)
    return () => {
      ended = true
      unwatch()
    }
  }, [user.userId])
  return key === null ? null : { key, signing: signingOf(key, user) }
}
