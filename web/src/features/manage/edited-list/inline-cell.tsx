import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { useCall } from '#web/api/use-call.ts'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { LogInAgain } from '../form-parts.tsx'
import type { ManagedRow } from './row-drafts.ts'
import type { Cell, CellField, Cells } from './use-cells.ts'

type Props<Row extends ManagedRow> = {
  cells: Cells<Row>
  row: Row
  /** Name of the field. */
  field: string
  /** What the row is called. */
  name: string
  /** A line among others of its cell, where there are columns. */
  isLine?: boolean
  /** What it shows while nobody changes it. */
  children: ReactNode
}

const shownClass =
  'min-h-11 rounded-md border border-edge border-dashed px-2 text-left lg:[text-align:inherit] hover:border-teal hover:border-solid lg:-mx-2 lg:border-transparent'

/** A field of a row: a button that shows it, and the field itself once it is pressed, or a digit typed on it. */
export function InlineCell<Row extends ManagedRow>({
  cells,
  row,
  field,
  name,
  isLine,
  children,
}: Props<Row>) {
  const cell = cells.cellOf(row, field)
  const what = cells.fields.find((one) => one.name === field)
  const hydrated = useHydrated()
  if (!what) return null
  if (cell && cell.state !== 'saving') return <Editor cells={cells} cell={cell} what={what} name={name} />
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.altKey) return
    if (event.ctrlKey || event.metaKey) {
      const isUndo = event.key.toLowerCase() === 'z' && !event.shiftKey && cells.undo !== null
      if (!isUndo) return
      event.preventDefault()
      return void cells.undo?.()
    }
    if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      toNeighbour(event.currentTarget, event.key === 'ArrowRight' ? 1 : -1)
      event.preventDefault()
    }
    if (!('inputMode' in what.input) || what.input.inputMode === 'text' || !/^\d$/.test(event.key)) return
    event.preventDefault()
    cells.open(row, field, { typed: event.key, byPointer: false })
  }
  return (
    <button
      type="button"
      ref={(button) => {
        if (button && cells.takesFocus(row, field)) button.focus()
      }}
      data-action={field}
      data-cell=""
      disabled={!hydrated}
      aria-busy={cell !== null}
      className={`${shownClass} ${isLine ? 'lg:min-h-7' : 'min-w-16'} ${cell ? 'opacity-70' : ''}`}
      onKeyDown={onKeyDown}
      onClick={({ detail }) => cells.open(row, field, { byPointer: detail > 0 })}
    >
      <span className="sr-only">
        Change {what.label.toLowerCase()} of {name}:{' '}
      </span>
      {children}
    </button>
  )
}

/** Left and right lead to the row's other cells. */
function toNeighbour(button: HTMLElement, by: number): void {
  const all = [...(button.closest('tr')?.querySelectorAll<HTMLElement>('[data-cell]') ?? [])]
  all[all.indexOf(button) + by]?.focus()
}

type EditorProps<Row extends ManagedRow> = {
  cells: Cells<Row>
  cell: Cell<Row>
  what: CellField<Row>
  name: string
}

const inputClass =
  'min-h-11 rounded-md border border-teal bg-surface px-2 py-1 text-ink tabular-nums aria-invalid:border-2 aria-invalid:border-bad'

/**
 * The field of a cell. Enter saves and leads to the one below, Tab to the next of the row, arrows up and down to the
 * rows beside; Escape leaves it as it was. Left any other way, it is saved too.
 */
function Editor<Row extends ManagedRow>({ cells, cell, what, name }: EditorProps<Row>) {
  const id = useId()
  const control = useRef<HTMLInputElement & HTMLSelectElement>(null)
  /** Whether the last choice was made by keys, which go through the values that lie between. */
  const byKeys = useRef(!cell.byPointer)
  const begun = useRef(cell)
  useEffect(() => {
    const { current: field } = control
    const { state, text, start, byPointer } = begun.current
    // Who has gone on to another cell is not called back to one that failed.
    if (!field || (state !== 'open' && document.activeElement !== document.body)) return
    field.focus()
    if (field instanceof HTMLInputElement && text === start) field.select()
    if (byPointer && field instanceof HTMLSelectElement && state === 'open') showChoices(field)
  }, [])
  useEffect(() => {
    if (cells.takesFocus(cell.row, cell.field)) control.current?.focus()
  })
  const leave = (down: number) => {
    if (cells.commit(cell) && !cells.move(cell, down, 0)) cells.focusAfter(cell)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { key, shiftKey, nativeEvent } = event
    byKeys.current = true
    if (nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey) return
    const isText = 'inputMode' in what.input
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : key === 'Enter' ? (shiftKey ? -1 : 1) : 0
    if (key === 'Escape') {
      event.preventDefault()
      cells.cancel(cell)
      cells.focusAfter(cell)
    } else if (step !== 0 && (isText || key === 'Enter')) {
      event.preventDefault()
      leave(step)
    } else if (key === 'Tab' && cell.state === 'open' && cells.commit(cell))
      if (cells.move(cell, 0, shiftKey ? -1 : 1)) event.preventDefault()
  }
  const isWrong = cell.state === 'failed' || cell.state === 'wrong'
  const props = {
    ref: control,
    'aria-label': `${what.label} of ${name}`,
    'aria-invalid': isWrong || undefined,
    'aria-describedby': cell.message === null ? undefined : id,
    value: cell.text,
    onKeyDown,
    onBlur: () => cell.state === 'open' && cells.commit(cell),
  }
  return (
    <div className="grid w-fit max-w-72 gap-1 lg:-mx-2">
      {'options' in what.input ? (
        <select
          {...props}
          className={inputClass}
          onPointerDown={() => {
            byKeys.current = false
          }}
          onChange={(event) => {
            const chosen = { ...cell, text: event.currentTarget.value }
            cells.type(cell, chosen.text)
            if (byKeys.current) return
            cells.commit(chosen)
            cells.focusAfter(cell)
          }}
        >
          {what.input.options.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...props}
          inputMode={what.input.inputMode}
          enterKeyHint="next"
          autoComplete="off"
          className={`${inputClass} ${what.input.inputMode === 'text' ? 'w-full min-w-44' : 'w-28'}`}
          onChange={(event) => cells.type(cell, event.currentTarget.value)}
        />
      )}
      {cell.message !== null && <Reason id={id} cells={cells} cell={cell} yes={what.question?.yes} />}
    </div>
  )
}

/** Opens the list of a choice at once; where a browser can't, it takes one tap more. */
function showChoices(select: HTMLSelectElement): void {
  try {
    select.showPicker()
  } catch {
    // It has the focus, which is enough for keys.
  }
}

/** Why a cell is not saved, and what can be done about it. */
function Reason<Row extends ManagedRow>({
  id,
  cells,
  cell,
  yes = 'Save',
}: Pick<EditorProps<Row>, 'cells' | 'cell'> & { id: string; yes: string | undefined }) {
  const { state, message, theirs, loggedOut } = cell
  const leave = () => {
    cells.focusAfter(cell)
    cells.cancel(cell)
  }
  const again = (isAgreed: boolean) => {
    cells.focusAfter(cell)
    if (theirs) cells.overrule(cell)
    else cells.commit(cell, isAgreed)
  }
  return (
    <div role="alert" className={`text-sm ${state === 'asked' ? 'text-ink' : 'text-bad'}`}>
      <p id={id} className="font-semibold">
        {message}
      </p>
      {loggedOut && <LogInAgain />}
      <div className="flex flex-wrap gap-1">
        {state !== 'wrong' && (
          <Button variant="outline" className="px-2" onClick={() => again(state === 'asked')}>
            {state === 'asked' ? yes : theirs ? 'Set mine' : 'Save again'}
          </Button>
        )}
        <Button variant="link" className="px-2" onClick={leave}>
          {theirs ? 'Leave theirs' : 'Cancel'}
        </Button>
      </div>
    </div>
  )
}

/** What was saved last in a cell, with the way back, in sight wherever in the list that was. */
export function CellNews({ cells }: { cells: Pick<Cells<never>, 'message' | 'undo' | 'undoes'> }) {
  const { busy, run } = useCall()
  const { message, undo, undoes } = cells
  return (
    <div
      className={
        message === ''
          ? ''
          : 'sticky bottom-2 z-10 mt-2 flex flex-wrap items-center gap-x-4 rounded-md border border-edge bg-surface px-3 shadow-sm'
      }
    >
      <p role="status" className={`min-w-0 wrap-anywhere ${message === '' ? '' : 'py-2'}`}>
        {message}
      </p>
      {undo && (
        <Button
          variant="link"
          className="px-2"
          aria-busy={busy}
          title={undoes}
          onClick={() => void run(undo)}
        >
          Undo
        </Button>
      )}
    </div>
  )
}
