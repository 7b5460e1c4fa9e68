import { urlOf } from '@befaqt/domain/api/endpoint'
import { exportList } from '@befaqt/domain/api/endpoints/manage'
import {
  COLUMNS,
  type ColumnOf,
  columnsAsked,
  columnsOfList,
  columnsText,
  type ShownList,
} from '@befaqt/domain/desk-views'
import { type ReactNode, useState } from 'react'
import { flushSync } from 'react-dom'
import { useSearchParams } from 'react-router'
import { Alert } from '#web/components/alert.tsx'
import { Button, buttonClass } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { CheckboxField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { Icon } from '#web/components/icon.tsx'
import { StatusMessage } from '../form-parts.tsx'
import { exportQuery } from '../read.ts'
import type { Column } from './list-table.tsx'

/** The columns of a list of the desk, of which its address says which are shown and in what order. */
export type ListColumns<Row> = { list: ShownList; all: Readonly<Record<string, Column<Row>>> }

/** @param all every column that the list can show */
export const columnsOf = <List extends ShownList, Row>(
  list: List,
  all: Readonly<Record<ColumnOf<List>, Column<Row>>>,
): ListColumns<Row> => ({ list, all })

/** The columns that the address of this list asks for, by their names in it. */
export function useColumnNames(list: ShownList): readonly string[] {
  const [params] = useSearchParams()
  return columnsAsked(list, params.get(COLUMNS)).shown
}

/** What a table is drawn of: its columns, and what stands above it where they are chosen. */
export function useColumns<Row>(columns: readonly Column<Row>[] | ListColumns<Row>): {
  shown: readonly Column<Row>[]
  chooser: ReactNode
} {
  const [params] = useSearchParams()
  if (!('list' in columns)) return { shown: columns, chooser: null }
  const { list, all } = columns
  const { shown } = columnsAsked(list, params.get(COLUMNS))
  const headings = Object.fromEntries(Object.entries(all).map(([name, { heading }]) => [name, heading]))
  return {
    shown: shown.flatMap((name) => all[name] ?? []),
    chooser: <Chooser list={list} headings={headings} />,
  }
}

type ChooserProps = { list: ShownList; headings: Readonly<Record<string, string>> }

/** The way to other columns above a list, what was done last with it taken back, and what is named that is not there. */
function Chooser({ list, headings }: ChooserProps) {
  const [params, setParams] = useSearchParams()
  const [open, setOpen] = useState(false)
  /** The last choice: what the address says of columns since, and said before; null: it can't be taken back. */
  const [last, setLast] = useState<{ text: string; before: string | null; said: string } | null>(null)
  const hydrated = useHydrated()
  const asked = params.get(COLUMNS)
  const { shown, gone } = columnsAsked(list, asked)
  /** Of an address that went on otherwise there is nothing to say, or to take back. */
  const done = last?.text === (asked ?? '') ? last : null
  const show = (text: string, before: string | null, said: string) => {
    setLast({ text, before, said })
    const next = new URLSearchParams(params)
    if (text === '') next.delete(COLUMNS)
    else next.set(COLUMNS, text)
    setParams(next, { preventScrollReset: true })
  }
  const choose = (names: readonly string[]) => {
    const text = columnsText(list, names)
    setOpen(false)
    if (text === (asked ?? '')) return
    const said = text === '' ? 'The usual columns are shown.' : 'The columns are shown as you chose.'
    show(text, asked ?? '', said)
  }
  return (
    <>
      {gone.length > 0 && <GoneColumns names={gone} />}
      <div className="flex flex-wrap items-center justify-end gap-x-4">
        <StatusMessage message={done?.said ?? ''} />
        {done && done.before !== null && (
          <Button
            variant="link"
            onClick={() => show(done.before ?? '', null, 'The columns are as they were.')}
          >
            Undo columns
          </Button>
        )}
        <a
          href={urlOf(exportList, { query: exportQuery(list, params) })}
          download
          title="As it is shown, up to 10,000 rows"
          className={buttonClass('link')}
        >
          List as CSV
        </a>
        <Button variant="link" disabled={!hydrated} onClick={() => setOpen(true)}>
          Columns
        </Button>
      </div>
      <Dialog open={open} title="Columns" onClose={() => setOpen(false)}>
        <Choice
          start={[...shown, ...columnsOfList(list).filter((name) => !shown.includes(name))]}
          shown={shown}
          headings={headings}
          always={columnsOfList(list)[0]}
          onChoose={choose}
          onClose={() => setOpen(false)}
        />
      </Dialog>
    </>
  )
}

const GoneColumns = ({ names }: { names: readonly string[] }) => (
  <Alert tone="warn" className="mb-3">
    <p>
      {names.length === 1 ? 'The column ' : 'The columns '}
      {names.map((name) => `“${name}”`).join(' and ')}
      {names.length === 1 ? ' is' : ' are'} not there any more. The list is shown without{' '}
      {names.length === 1 ? 'it' : 'them'}.
    </p>
  </Alert>
)

type ChoiceProps = {
  /** Every column, those that are shown first. */
  start: readonly string[]
  shown: readonly string[]
  headings: ChooserProps['headings']
  /** What names the rows. */
  always: string | undefined
  onChoose: (names: readonly string[]) => void
  onClose: () => void
}

/** Ticks the columns that are shown, and moves each up or down. */
function Choice({ start, shown, headings, always, onChoose, onClose }: ChoiceProps) {
  const [order, setOrder] = useState(start)
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set(shown))
  const [said, setSaid] = useState('')
  const move = (name: string, by: number, button: HTMLElement) => {
    const at = order.indexOf(name) + by
    if (at < 0 || at >= order.length) return
    const next = order.filter((other) => other !== name)
    next.splice(at, 0, name)
    flushSync(() => {
      setOrder(next)
      setSaid(`${headings[name]}: ${at + 1} of ${next.length}.`)
    })
    // What is moved in the page loses the focus.
    button.focus()
  }
  const tick = (name: string, is: boolean) =>
    setTicked(new Set(is ? [...ticked, name] : [...ticked].filter((other) => other !== name)))
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onChoose(order.filter((name) => ticked.has(name)))
      }}
    >
      <ul className="divide-y divide-line border-line border-y">
        {order.map((name, at) => (
          <li key={name} className="flex items-center gap-1">
            <CheckboxField
              label={headings[name]}
              className="min-w-0 flex-1"
              checked={ticked.has(name)}
              disabled={name === always}
              onChange={(event) => tick(name, event.currentTarget.checked)}
            />
            {([-1, 1] as const).map((by) => (
              <button
                key={by}
                type="button"
                aria-label={`Move ${headings[name]} ${by < 0 ? 'up' : 'down'}`}
                aria-disabled={by < 0 ? at === 0 : at === order.length - 1}
                onClick={(event) => move(name, by, event.currentTarget)}
                className="grid size-11 shrink-0 place-items-center rounded-md hover:bg-ice aria-disabled:text-slate aria-disabled:opacity-40"
              >
                <Icon name="down" className={by < 0 ? 'size-5 rotate-180' : 'size-5'} />
              </button>
            ))}
          </li>
        ))}
      </ul>
      <p role="status" className="sr-only">
        {said}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary">
          Show these columns
        </Button>
        <Button variant="outline" onClick={() => onChoose([])}>
          Usual columns
        </Button>
        <Button variant="link" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
