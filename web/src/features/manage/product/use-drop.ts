import { createProduct, deleteProduct, updateProduct } from '@befaqt/domain/api/endpoints/managed-catalogue'
import type { CategoryChoice } from '@befaqt/domain/api/manage-api'
import { ShopError } from '@befaqt/domain/errors'
import { useRef, useState } from 'react'
import { useRevalidator, useSearchParams } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { upload } from '#web/api/upload.ts'
import { useCall } from '#web/api/use-call.ts'
import { useDirty } from '#web/forms/dirty-guard.tsx'
import { isLoggedOut } from '../form-parts.tsx'
import { type Dropped, draftsOf } from './dropped-pictures.ts'

/** Pictures that are sent at the same time. */
const AT_ONCE = 2

/** Is it still to be sent, or on its way? */
export const isOpen = ({ state }: Dropped): boolean => state === 'waiting' || state === 'sending'

/** The draft of a picture, as the shop is told it. It is not on sale until somebody sets it ACTIVE. */
function bodyOf({ id, title, file }: Dropped, category: string): FormData {
  const body = new FormData()
  const fields = { _id: id, title, category_id: category, status: 'INACTIVE' }
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  body.append('productImages', file)
  return body
}

/** Pictures that become drafts, each by a call of its own: one that fails holds up none, and can be sent again. */
export function useDrop(categories: readonly CategoryChoice[]) {
  const [params] = useSearchParams()
  const [chosen, choose] = useState('')
  const [shown, setShown] = useState(false)
  const [all, setAll] = useState<readonly Dropped[]>([])
  const [refused, setRefused] = useState<readonly string[]>([])
  const now = useRef(all)
  const running = useRef(0)
  const { revalidate } = useRevalidator()
  const undoing = useCall()
  const asked = params.get('category')
  const category =
    [chosen, asked].find((id) => categories.some(({ _id }) => _id === id)) ?? categories[0]?._id
  const set = (next: readonly Dropped[]) => {
    now.current = next
    setAll(next)
    setDirty(next.some(isOpen))
  }
  const { setDirty } = useDirty('pictures', () => set(now.current.filter(({ state }) => state === 'made')))
  const put = (id: string, change: Partial<Dropped>) =>
    set(now.current.map((one) => (one.id === id ? { ...one, ...change } : one)))

  const sendOne = async (draft: Dropped, into: string) => {
    put(draft.id, { state: 'sending', reason: '', loggedOut: false })
    try {
      const { version } = await upload(createProduct, { body: bodyOf(draft, into) }, () => undefined)
      put(draft.id, { state: 'made', version })
    } catch (error) {
      const fault = error instanceof ShopError ? error.fields[0]?.message : undefined
      put(draft.id, { state: 'failed', reason: fault ?? userMessage(error), loggedOut: isLoggedOut(error) })
    }
  }
  /** Sends what waits, a few at a time; the list is read again after the last. */
  const send = async (into: string) => {
    if (running.current >= AT_ONCE) return
    running.current += 1
    for (;;) {
      const next = now.current.find(({ state }) => state === 'waiting')
      if (!next) break
      await sendOne(next, into)
    }
    running.current -= 1
    if (running.current === 0) await revalidate()
  }
  const sendAll = () => {
    for (let i = 0; i < AT_ONCE; i++) if (category !== undefined) void send(category)
  }

  /** Takes one draft back, unless it was changed since: then it stays. */
  const takeBack = async ({ id, state, version = 1 }: Dropped) => {
    const params = { id }
    try {
      const disabled = new FormData()
      disabled.append('status', 'DISABLED')
      const changed = await callApi(updateProduct, { params, body: disabled, version })
      await callApi(deleteProduct, { params, version: changed.version })
      put(id, { state: 'undone' })
    } catch (error) {
      const isGone = error instanceof ShopError && error.code === 'product.not_found'
      const isChanged = error instanceof ShopError && error.code === 'version.stale'
      if (isGone && state === 'failed') set(now.current.filter((one) => one.id !== id))
      else if (isGone) put(id, { state: 'undone' })
      else if (isChanged) put(id, { state: 'kept', reason: 'was changed since, and stays' })
      else throw error
    }
  }
  return {
    categories,
    category,
    choose,
    shown,
    setShown,
    all,
    refused,
    take: (files: Iterable<File>) => {
      setShown(true)
      if (category === undefined) return setRefused(['Add a category first: each product is in one.'])
      const before = now.current.filter(({ state }) => state !== 'undone' && state !== 'kept')
      const { drafts, refused } = draftsOf([...files], before)
      setRefused(refused)
      if (drafts.length === 0) return
      // One that is over can't be undone any more once the next begins.
      const goesOn = before.some((one) => isOpen(one) || one.state === 'failed')
      set([...(goesOn ? before : []), ...drafts])
      sendAll()
    },
    again: (ids: readonly string[]) => {
      set(now.current.map((one) => (ids.includes(one.id) ? { ...one, state: 'waiting' } : one)))
      sendAll()
    },
    /** Takes all of them back; also those whose answer was lost, which may have been made. */
    undo: async () => {
      const { run } = undoing
      await run(async () => {
        for (const draft of now.current)
          if (draft.state === 'made' || draft.state === 'failed') await takeBack(draft)
      })
      await revalidate()
    },
    undoing,
  }
}

/** What `useDrop` gives. */
export type Drop = ReturnType<typeof useDrop>
