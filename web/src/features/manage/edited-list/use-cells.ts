import { ShopError } from '@befaqt/domain/errors'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { userMessage } from '#web/api/hydration.ts'
import { useDirtyGuard } from '#web/forms/dirty-guard.tsx'
import { storedNames } from '#web/forms/draft-storage.ts'
import { dropDraft, storeDraft, storedDraft } from '#web/forms/stored-drafts.ts'
import { isLoggedOut } from '../form-parts.tsx'
import { type ManagedRow, type Resource, saveDraft, theirsOf } from './row-drafts.ts'
import type { ManagedList } from './use-managed-list.ts'

/** A field of a list's rows that is changed where it stands. */
export type CellField<Row> = {
  /** The name of the field, and of its column's controls. */
  name: string
  label: string
  /** What is typed into it, or chosen of it. */
  input: { inputMode: 'decimal' | 'numeric' | 'text' } | { options: readonly (readonly [string, string])[] }
  /** What its input begins with. */
  textOf: (row: Row) => string
  /** The value that was typed, or what is wrong with it. */
  read: (text: string) => { value: unknown } | { error: string }
  /** What is asked once before this value is saved, null: nothing; and what the button says that does it all the same. */
  question?: { of: (row: Row, value: unknown) => string | null; yes: string }
}

/** A cell that is being changed. Its row is as it was when that began. */
export type Cell<Row> = {
  row: Row
  field: string
  /** What it began with, and what is typed in it now. */
  start: string
  text: string
  /** For the reason in `message`, asked: it waits for an answer; wrong: it was not sent; failed: it was not saved. */
  state: 'open' | 'asked' | 'wrong' | 'saving' | 'failed'
  message: string | null
  /** Nobody is logged in any more. */
  loggedOut: boolean
  /** What somebody else made of the row meanwhile, where it is another value of this field. */
  theirs: Row | null
  /** Opened by a pointer, which chooses with one more tap. */
  byPointer: boolean
}

/** A change that can be taken back: the row as it came out of it, and the value that the field had before. */
type Done<Row> = { row: Row; field: string; before: unknown; said: string }

/** Changes that can be taken back, one after the other. */
const MAX_UNDO = 50

const keyOf = (id: string, field: string): string => `${id} ${field}`
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** What the shop refused, where possible of this very field. */
const reasonOf = (error: unknown, field: string): string =>
  (error instanceof ShopError && error.fields.find(({ path }) => path === field)?.message) ||
  userMessage(error)

/** The cells that are being changed; each is known to the guard as long as it holds what is not saved, and kept over a reload. */
function useCellStore<Row extends ManagedRow>() {
  const { pathname } = useLocation()
  const { set } = useDirtyGuard()
  const [cells, setCells] = useState<ReadonlyMap<string, Cell<Row>>>(new Map())
  /** As `cells`, also before the page is drawn again: the field that is left and the next one that opens see each other. */
  const now = useRef(cells)
  const [nameOf] = useState(() => (key: string) => `${pathname} cell ${key}`)
  const [put] = useState(() => (key: string, cell: Cell<Row> | null) => {
    const next = new Map(now.current)
    if (cell) next.set(key, cell)
    else next.delete(key)
    now.current = next
    setCells(next)
    if (cell && (cell.state !== 'open' || cell.text !== cell.start)) {
      storeDraft(nameOf(key), cell)
      set(`cell ${key}`, () => put(key, null))
    } else {
      dropDraft(nameOf(key))
      set(`cell ${key}`, null)
    }
  })
  useEffect(() => {
    for (const key of storedNames(nameOf(''))) {
      const cell = storedDraft<Cell<Row>>(nameOf(key))
      const message = 'This page was loaded anew before it was saved.'
      if (cell) put(key, { ...cell, state: 'failed', message, theirs: null, loggedOut: false })
    }
    return () => {
      for (const key of now.current.keys()) set(`cell ${key}`, null)
    }
  }, [nameOf, put, set])
  return { cells, at: (key: string) => now.current.get(key), put }
}

/**
 * The cells of a list that are changed where they stand: saved at once, one after the other of a row, shown as saved
 * meanwhile. What could not be saved stays in its cell with the reason; what was can be taken back.
 */
export function useCells<Row extends ManagedRow, Values extends object>(
  resource: Resource<Row, Values>,
  list: ManagedList<Row, Values>,
  fields: readonly CellField<Row>[],
  /** The names of those that are in sight, in their order. */
  inOrder: readonly string[],
) {
  const fieldOf = (name: string) => fields.find((field) => field.name === name)
  const { cells, at, put } = useCellStore<Row>()
  const known = useRef(new Map<string, Row>())
  const turns = useRef(new Map<string, Promise<unknown>>())
  /** The cell whose button takes the focus when it is drawn again. */
  const focus = useRef<string | null>(null)
  const [done, setDone] = useState<readonly Done<Row>[]>([])
  const [message, setMessage] = useState('')

  const valueIn = (row: Row, field: string): unknown => Object(resource.valuesOf(row))[field]
  const learn = (row: Row, isOwn: boolean) => {
    known.current.set(row._id, row)
    list.answer(row, isOwn)
  }
  /** The newest that is known of a row, where this field is still as `row` has it: what else changed is no contradiction. */
  const newest = (row: Row, field: string): Row => {
    const last = known.current.get(row._id)
    return last && last.version > row.version && same(valueIn(last, field), valueIn(row, field)) ? last : row
  }
  /** Saves one field, after what is being saved of the same row. @throws what the shop refused */
  const save = async (row: Row, field: string, value: unknown): Promise<Row> => {
    const send = async () => {
      const base = newest(row, field)
      const saved = await saveDraft(
        resource,
        base,
        { ...resource.valuesOf(base), [field]: value },
        () => undefined,
      )
      learn(saved.row, true)
      return saved.row
    }
    const turn = (turns.current.get(row._id) ?? Promise.resolve()).then(send, send)
    turns.current.set(row._id, turn)
    try {
      return await turn
    } catch (error) {
      const theirs = theirsOf(error, row)
      if (theirs) learn(theirs, false)
      throw error
    }
  }
  const text = (row: Row, field: string): string => resource.valueText(field, valueIn(row, field))
  const named = (row: Row, field: string): string => `${fieldOf(field)?.label} of ${resource.nameOf(row)}`

  const send = async (key: string, cell: Cell<Row>, value: unknown) => {
    const { row, field } = cell
    put(key, { ...cell, state: 'saving', message: null, theirs: null, loggedOut: false })
    list.begin()
    try {
      const saved = await save(row, field, value)
      put(key, null)
      const said = `${named(row, field)}: ${text(saved, field)}, was ${text(row, field)}.`
      setDone((all) => [...all, { row: saved, field, before: valueIn(row, field), said }].slice(-MAX_UNDO))
      setMessage(said)
    } catch (error) {
      const current = theirsOf(error, row)
      const theirs = current && !same(valueIn(current, field), valueIn(row, field)) ? current : null
      const reason = theirs
        ? `Somebody else set it to ${text(theirs, field)} meanwhile.`
        : reasonOf(error, field)
      put(key, { ...cell, state: 'failed', message: reason, theirs, loggedOut: isLoggedOut(error) })
    }
  }

  /** Saves what the cell holds, if it is another value. Answers whether the cell can be left: nothing is wrong or asked. */
  const commit = (key: string, isAgreed: boolean): boolean => {
    const cell = at(key)
    const field = cell && fieldOf(cell.field)
    if (!cell || !field || cell.state === 'saving') return true
    const stays = (state: 'wrong' | 'asked', message: string): false => {
      put(key, { ...cell, state, message, theirs: null, loggedOut: false })
      return false
    }
    const read = field.read(cell.text)
    if ('error' in read) return stays('wrong', read.error)
    const question = isAgreed ? null : (field.question?.of(cell.row, read.value) ?? null)
    if (same(read.value, valueIn(cell.row, cell.field))) put(key, null)
    else if (question !== null) return stays('asked', question)
    else void send(key, cell, read.value)
    return true
  }

  const open = (row: Row, name: string, { typed, byPointer }: { typed?: string; byPointer: boolean }) => {
    const key = keyOf(row._id, name)
    const field = fieldOf(name)
    if (!field || at(key)) return
    const start = field.textOf(row)
    const none = { message: null, loggedOut: false, theirs: null }
    put(key, { row, field: name, start, text: typed ?? start, state: 'open', byPointer, ...none })
  }

  /** Rows as they will be when what is being saved of their cells is. */
  const rows = list.rows.map((row) => {
    const coming = [...cells.values()].flatMap(({ row: { _id }, field, text, state }) => {
      const read = state === 'saving' && _id === row._id ? fieldOf(field)?.read(text) : undefined
      return read && 'value' in read ? [[field, read.value]] : []
    })
    return coming.length === 0
      ? row
      : resource.preview(row, { ...resource.valuesOf(row), ...Object.fromEntries(coming) })
  })

  /** Opens the cell that is so many rows and fields away. Answers whether there is one. */
  const move = ({ row, field }: Cell<Row>, down: number, right: number): boolean => {
    const inSight = rows.filter(({ _id }) => _id === row._id || _id !== list.drafts.open)
    const next = inSight[inSight.findIndex(({ _id }) => _id === row._id) + down]
    const name = inOrder[inOrder.indexOf(field) + right]
    if (!next || name === undefined) return false
    if (at(keyOf(next._id, name))) focus.current = keyOf(next._id, name)
    else open(next, name, { byPointer: false })
    return true
  }

  const last = done.at(-1)
  const undo = async () => {
    if (!last) return
    const { row, field, before } = last
    setDone((all) => all.filter((one) => one !== last))
    try {
      setMessage(`${named(row, field)}: ${text(await save(row, field, before), field)} again.`)
    } catch (error) {
      const theirs = theirsOf(error, row)
      if (theirs) return setMessage(`${named(row, field)} is ${text(theirs, field)} meanwhile, and stays so.`)
      setDone((all) => [...all, last])
      list.fail(error)
    }
  }

  return {
    rows,
    fields,
    cellOf: (row: Row, field: string) => cells.get(keyOf(row._id, field)) ?? null,
    open,
    type: (cell: Cell<Row>, text: string) =>
      put(keyOf(cell.row._id, cell.field), { ...cell, text, state: 'open' }),
    commit: ({ row, field }: Cell<Row>, isAgreed = false): boolean => commit(keyOf(row._id, field), isAgreed),
    /** Saves it all the same over what somebody else set. */
    overrule: (cell: Cell<Row>) => {
      const key = keyOf(cell.row._id, cell.field)
      put(key, { ...cell, row: cell.theirs ?? cell.row })
      commit(key, false)
    },
    /** Leaves the field as it is now. */
    cancel: ({ row, field }: Cell<Row>) => put(keyOf(row._id, field), null),
    move,
    focusAfter: ({ row, field }: Cell<Row>) => {
      focus.current = keyOf(row._id, field)
    },
    /** Whether this cell takes the focus now; asked once. */
    takesFocus: (row: Row, field: string): boolean => {
      if (focus.current !== keyOf(row._id, field)) return false
      focus.current = null
      return true
    },
    /** What was saved or taken back last, as text. */
    message,
    /** Takes the last change back; null: there is none. */
    undo: last ? undo : null,
    /** What `undo` takes back, as text. */
    undoes: last?.said ?? '',
  }
}

export type Cells<Row extends ManagedRow> = ReturnType<typeof useCells<Row, object>>
