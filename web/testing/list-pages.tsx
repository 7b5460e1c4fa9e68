import type { Paged } from '@befaqt/domain/api/box-api'
import type { FailedEmail } from '@befaqt/domain/api/manage-api'
import { useCallback, useRef, useState } from 'react'
import { useLoaderData } from 'react-router'
import { fetchJson } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { useRead } from '#web/api/use-read.ts'
import { useNear } from '#web/components/use-near.ts'
import type { EditedImage } from '#web/features/manage/edited-list/edited-images.ts'
import { type EditFormProps, ManagedTable } from '#web/features/manage/edited-list/managed-table.tsx'
import type { Resource } from '#web/features/manage/edited-list/row-drafts.ts'
import { type Typed, useTyped } from '#web/features/manage/edited-list/typed.tsx'
import { useManagedList } from '#web/features/manage/edited-list/use-managed-list.ts'
import { type PartAsked, usePages } from '#web/features/manage/list/use-pages.ts'
import { mailName, useFailedEmails } from '#web/features/manage/mail/use-failed-emails.ts'

const image = (name: string, file: File | null): EditedImage => ({
  key: name,
  src: '',
  name,
  alt: '',
  path: file ? null : name,
  file,
})

/** `useTyped`, with what it tells shown and put in again into a form that begins anew. */
export function TypedPage() {
  const [attempt, setAttempt] = useState(1)
  const [typed, setTyped] = useState<Typed | null>(null)
  return (
    <>
      <TypedForm key={attempt} typed={attempt === 1 ? null : typed} onTyped={setTyped} />
      <button type="button" onClick={() => setAttempt(attempt + 1)}>
        Begin anew
      </button>
      <output>{JSON.stringify(typed)}</output>
    </>
  )
}

function TypedForm({ typed, onTyped }: { typed: Typed | null; onTyped: (typed: Typed) => void }) {
  const form = useRef<HTMLFormElement>(null)
  const shown = useRef('')
  const [images, setImages] = useState<readonly EditedImage[]>(typed?.images ?? [image('a.webp', null)])
  const tellOnce = (now: Typed) => {
    if (shown.current === JSON.stringify(now)) return
    shown.current = JSON.stringify(now)
    onTyped(now)
  }
  const tell = useTyped(form, { typed, onTyped: tellOnce }, images, typed?.lost ?? 0)
  return (
    <form ref={form} onChange={tell}>
      <label>
        Title <input name="title" defaultValue="Snapper" />
      </label>
      <label>
        <input name="frozen" type="checkbox" /> Frozen
      </label>
      <button
        type="button"
        onClick={() => setImages([...images, image('b.webp', new File(['b'], 'b.webp'))])}
      >
        Choose a file
      </button>
      <p>{images.map(({ name }) => name).join(' ')}</p>
    </form>
  )
}

/** `usePages`, of one list or another. */
export function PagesPage() {
  const [list, setList] = useState('first')
  const read = useCallback(
    ({ page = 1 }: PartAsked) => fetchJson<Paged<string>>(`/data/${list}?page=${page}`),
    [list],
  )
  const { rows, total, hasMore, busy, failure, more } = usePages(read, (row) => row)
  return (
    <>
      <p>{rows.join(' ')}</p>
      <p role="status">{busy ? 'reading' : `${rows.length} of ${total}`}</p>
      {failure && <p role="alert">{failure}</p>}
      {hasMore && (
        <button type="button" onClick={more}>
          More
        </button>
      )}
      <button type="button" onClick={() => setList('second')}>
        Second list
      </button>
    </>
  )
}

/** `useRead`, of one thing or another. */
export function ReadPage() {
  const [thing, setThing] = useState('first')
  const read = useCallback(() => fetchJson<string>(`/data/${thing}`), [thing])
  const { value, failure, again } = useRead(read)
  return (
    <>
      <p role="status">{value ?? 'reading'}</p>
      {failure !== null && <p role="alert">{userMessage(failure)}</p>}
      <button type="button" onClick={again}>
        Again
      </button>
      <button type="button" onClick={() => setThing('second')}>
        Second thing
      </button>
    </>
  )
}

type Row = { _id: string; version: number; status: string; title: string; stock: number }
type Values = { title: string; stock: number }

/** The list as the test answers it. */
export const loadRows = () => fetchJson<Paged<Row>>('/data/rows')

const write = <Answer,>(method: string, { _id, version }: Row, body: unknown = null) =>
  fetchJson<Answer>(`/data/rows/${_id}`, { method, body: JSON.stringify({ version, body }) })

const resource: Resource<Row, Values> = {
  entity: 'product',
  nameOf: ({ title }) => title,
  valueText: (_, value) => String(value),
  valuesOf: ({ title, stock }) => ({ title, stock }),
  preview: (row, values) => ({ ...row, ...values }),
  save: (row, changes) => write<Row>('PATCH', row, changes),
  remove: (row) => write<void>('DELETE', row),
}

function RowForm({ start, onSave, onCancel, onDirty, typed, onTyped }: EditFormProps<Row, Values>) {
  const form = useRef<HTMLFormElement>(null)
  const tell = useTyped(form, { typed, onTyped })
  return (
    <form
      ref={form}
      onChange={() => {
        onDirty(true)
        tell()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        const data = new FormData(event.currentTarget)
        const values = { title: String(data.get('title')), stock: Number(data.get('stock')) }
        onSave(values).catch(() => undefined)
      }}
    >
      <label>
        Title <input name="title" defaultValue={start.title} />
      </label>
      <label>
        Stock <input name="stock" defaultValue={start.stock} />
      </label>
      <button type="submit">Save</button>
      <button type="button" onClick={onCancel}>
        Cancel
      </button>
    </form>
  )
}

/** `useManagedList` and `useDrafts`, in the table that all their users show. */
export function ListPage() {
  const loaded: Paged<Row> = useLoaderData()
  const list = useManagedList(resource, loaded)
  const emptied = list.page.rows.map((row) => ({ ...row, stock: 0 }))
  const empty = () => fetchJson<Row[]>('/data/empty', { method: 'POST' })
  return (
    <>
      <ManagedTable
        caption="Fish"
        resource={resource}
        list={list}
        columns={[
          { heading: 'Title', cell: ({ title }) => title },
          { heading: 'Stock', cell: ({ stock }) => `${stock} in stock` },
        ]}
        form={(props) => <RowForm {...props} />}
        empty="No fish."
      />
      <p>{list.page.total} in all</p>
      <button type="button" onClick={() => void list.changeMany(emptied, empty).catch(list.fail)}>
        Empty all
      </button>
    </>
  )
}

/** Emails that failed, as the test answers them. */
export const loadEmails = () => fetchJson<Paged<FailedEmail>>('/data/mail')

/** `useFailedEmails` with a line for each email. */
export function MailPage() {
  const loaded: Paged<FailedEmail> = useLoaderData()
  const { page, busy, status, failure, sendAgain, sendAll, giveUp } = useFailedEmails(loaded)
  return (
    <>
      <ul>
        {page.rows.map((mail) => (
          <li key={mail._id}>
            {mailName(mail)}: {mail.state}
            {busy.has(mail._id) && ', under way'}
            <button type="button" onClick={() => sendAgain(mail)}>
              Send again
            </button>
            <button type="button" onClick={() => giveUp(mail)}>
              Give up
            </button>
          </li>
        ))}
      </ul>
      <button type="button" onClick={sendAll}>
        Send all
      </button>
      <p>{page.total} in all</p>
      <p role="status">{status}</p>
      {failure !== null && <p role="alert">{userMessage(failure)}</p>}
    </>
  )
}

/** `useNear` with a part below the window. */
export function NearPage() {
  const part = useRef<HTMLDivElement>(null)
  const near = useNear(part)
  return (
    <>
      <p role="status">{near ? 'near' : 'far'}</p>
      <div style={{ height: 3000 }} />
      <div ref={part} style={{ height: 100 }} />
    </>
  )
}
