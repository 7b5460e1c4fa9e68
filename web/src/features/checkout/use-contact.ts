import type { OrderContact } from '@befaqt/domain/order'
import { useEffect, useState } from 'react'
import type { z } from 'zod'
import type { Typed } from './checkout-draft.ts'

export type Contact = z.infer<typeof OrderContact>

/** Who the order is for, once all of it is typed as an order needs it; null: not yet. */
export function useContact({ fname = '', lname = '', email = '', phone = '' }: Typed): Contact | null {
  const [contact, setContact] = useState<Contact | null>(null)
  useEffect(() => {
    let current = true
    const read = async () => {
      const { OrderContact } = await import('@befaqt/domain/order')
      const { data } = OrderContact.safeParse({ fname, lname, email, phone })
      if (current) setContact(data ?? null)
    }
    read().catch(() => undefined) // without the schema no time is held; placing the order says what is wrong
    return () => {
      current = false
    }
  }, [fname, lname, email, phone])
  return contact
}
