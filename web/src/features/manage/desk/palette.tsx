import type { FoundAtDesk } from '@befaqt/domain/api/desk-api'
import { findAtDesk } from '@befaqt/domain/api/endpoints/manage'
import { MAX_SEARCH } from '@befaqt/domain/limits'
import {
  type KeyboardEvent,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { useRead } from '#web/api/use-read.ts'
import { Icon } from '#web/components/icon.tsx'
import { useOnline } from '#web/components/use-online.ts'
import { recentFinds, rememberFind } from '#web/forms/recent-finds.ts'
import { useViewer } from '#web/root-data.ts'
import { DeskIconDrawing } from './desk-icon.tsx'
import { type Option, paletteGroups } from './palette-options.ts'

/** Typing goes on for so long before the shop is asked. */
const PAUSE_MS = 120

/** One letter says too little, but a digit may be the end of an order's number. */
const isEnough = (text: string): boolean => text.length > 1 || /\d|\P{ASCII}/u.test(text)

/** The text once it rests. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}

type Answer = { to: string; found: FoundAtDesk | null }

/** What the shop has of the text: the newest answer, which stays while another is awaited. */
function useFound(text: string) {
  const asked = useRested(text)
  const read = useCallback(
    async (): Promise<Answer> => ({
      to: asked,
      found: isEnough(asked) ? await callApi(findAtDesk, { query: { q: asked } }) : null,
    }),
    [asked],
  )
  const { value, failure, again } = useRead(read)
  const isAwaited = isEnough(text) && value?.to !== text && (failure === null || asked !== text)
  return { found: isEnough(text) ? (value?.found ?? null) : null, isAwaited, failure, again }
}

/*
 * Whether it is open, and what is typed in it: kept beside the screens, since one that comes while somebody types already
 * takes the place of the one before with all that is in it.
 */
let isOpen = false
let kept = ''
const listeners = new Set<() => void>()

function show(open: boolean): void {
  if (open === isOpen) return
  isOpen = open
  kept = ''
  for (const listener of listeners) listener()
}

/** Opens the palette. */
export const openPalette = (): void => show(true)
const closePalette = (): void => show(false)

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const useIsOpen = (): boolean =>
  useSyncExternalStore(
    listen,
    () => isOpen,
    () => false,
  )

/**
 * Finds orders, products, boxes, people and screens by any word or number. The focus stays in the field; arrows choose,
 * Enter opens, Escape closes. Source: WAI-ARIA, combobox with a list.
 */
export function Palette() {
  const isShown = useIsOpen()
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isShown && !ref.current?.open) ref.current?.showModal()
    if (!isShown && ref.current?.open) ref.current.close()
  }, [isShown])
  return (
    <dialog
      ref={ref}
      aria-label="Search the desk"
      onClose={closePalette}
      onPointerDown={({ target, currentTarget }) => target === currentTarget && closePalette()}
      className="mx-auto mt-[max(0.75rem,8dvh)] mb-auto w-[min(42rem,calc(100vw-1.5rem))] overflow-hidden rounded-lg border border-line bg-surface p-0 text-ink shadow-menu backdrop:bg-night-deep/70"
    >
      {isShown && <Search />}
    </dialog>
  )
}

function Search() {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState(kept)
  const [at, setAt] = useState(0)
  const [recent] = useState(recentFinds)
  const isOnline = useOnline()
  const text = typed.trim()
  const { found, isAwaited, failure, again } = useFound(text)
  const groups = paletteGroups(text, found, recent, useViewer())
  const options = groups.flatMap((group) => group.options)
  const chosen = Math.min(at, options.length - 1)
  useEffect(() => {
    list.current?.querySelector(`#${CSS.escape(`${id}-${chosen}`)}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, chosen])

  const pressed = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return // a word of Chinese or Japanese is chosen by the same keys
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && options.length > 0) {
      event.preventDefault()
      setAt((chosen + step + options.length) % options.length)
    } else if (event.key === 'Enter' && chosen >= 0) {
      event.preventDefault()
      list.current?.querySelector<HTMLElement>(`#${CSS.escape(`${id}-${chosen}`)}`)?.click()
    }
  }
  const open = ({ href, words }: Option): void => {
    rememberFind({ href, words })
    closePalette()
  }
  return (
    <>
      <div className="flex items-center border-line border-b">
        <Icon name="search" className="ms-4 size-5 text-slate" />
        <input
          type="text"
          role="combobox"
          aria-label="Order, product, box, person or screen"
          aria-expanded={options.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={chosen >= 0 ? `${id}-${chosen}` : undefined}
          placeholder="Order, product, box, person or screen"
          autoComplete="off"
          spellCheck={false}
          maxLength={MAX_SEARCH}
          value={typed}
          onChange={({ target }) => {
            kept = target.value
            setTyped(kept)
            setAt(0)
          }}
          onKeyDown={pressed}
          className="h-14 min-w-0 flex-1 bg-transparent px-3 text-lg outline-none placeholder:text-slate"
        />
        <button
          type="button"
          aria-label="Close"
          onClick={closePalette}
          className="me-1.5 grid size-11 place-items-center rounded-md hover:bg-ice"
        >
          <Icon name="close" className="size-5" />
        </button>
      </div>
      <div className="max-h-[min(70dvh,36rem)] overflow-y-auto p-2">
        <State
          text={text}
          isOnline={isOnline}
          isAwaited={isAwaited}
          count={options.length}
          failure={failure}
          again={again}
        />
        <div ref={list} id={`${id}-list`} role="listbox" aria-label="Found">
          {groups.map(({ name, options: some }) => (
            <fieldset key={name} aria-label={name} className="min-w-0">
              <p aria-hidden="true" className="eyebrow px-3 pt-2 pb-1 text-slate">
                {name}
              </p>
              {some.map((option) => (
                <OptionRow
                  key={option.href}
                  id={`${id}-${options.indexOf(option)}`}
                  option={option}
                  isChosen={options.indexOf(option) === chosen}
                  onOpen={() => open(option)}
                />
              ))}
            </fieldset>
          ))}
        </div>
      </div>
    </>
  )
}

type RowProps = { id: string; option: Option; isChosen: boolean; onOpen: () => void }

const OptionRow = ({ id, option, isChosen, onOpen }: RowProps) => (
  <a
    id={id}
    href={option.href}
    role="option"
    aria-selected={isChosen}
    tabIndex={-1}
    onPointerDown={(event) => event.preventDefault()} // the focus stays in the field
    onClick={onOpen}
    className="flex min-h-11 items-center gap-3 rounded-md px-3 py-1.5 hover:bg-ice aria-selected:bg-teal-ice"
  >
    <DeskIconDrawing name={option.icon} />
    <span className="min-w-0 shrink-0 max-w-[60%] font-semibold wrap-anywhere">{option.words}</span>
    <span className="min-w-0 flex-1 truncate text-end muted">{option.note}</span>
  </a>
)

type StateProps = {
  text: string
  isOnline: boolean
  isAwaited: boolean
  count: number
  failure: unknown
  again: () => void
}

/** How the search goes: offline, failed, under way, nothing found, or how much. */
function State({ text, isOnline, isAwaited, count, failure, again }: StateProps) {
  if (!isOnline)
    return <p className="px-3 py-2 text-warn">You are offline: screens alone are found until you are back.</p>
  if (failure !== null && !isAwaited && text !== '')
    return (
      <p role="alert" className="flex flex-wrap items-center gap-x-3 px-3 text-bad">
        <span className="py-2">Error: {userMessage(failure)}</span>
        <button type="button" onClick={again} className="link tap">
          Try again
        </button>
      </p>
    )
  const isNothing = text !== '' && count === 0 && !isAwaited
  return (
    <p role="status" className={isAwaited || isNothing ? 'px-3 py-2 text-slate' : 'sr-only'}>
      {isAwaited ? 'Searching…' : isNothing ? `Nothing found for “${text}”.` : `${count} found`}
    </p>
  )
}
