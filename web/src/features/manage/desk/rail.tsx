import { MAX_WAITING } from '@befaqt/domain/limits'
import { useRef, useSyncExternalStore } from 'react'
import { Link, useMatches } from 'react-router'
import { useHydrated } from '#web/components/hydration.tsx'
import { Icon } from '#web/components/icon.tsx'
import { useViewer } from '#web/root-data.ts'
import type { OnDesk } from '../read.ts'
import { DeskIconDrawing } from './desk-icon.tsx'
import { openPalette } from './palette.tsx'
import { type DeskScreen, deskGroups, isFor, useShownScreen } from './screens.ts'

/** Id of the rail, for the button that opens it as a sheet. */
export const RAIL = 'rail'

/** Brings the screen that is shown into view, in a rail that is higher than the window. */
function showCurrent(rail: HTMLElement): void {
  const current = rail.querySelector<HTMLElement>('[aria-current=page]')
  if (current && current.offsetTop + current.offsetHeight > rail.clientHeight)
    rail.scrollTop = current.offsetTop - rail.clientHeight / 2
}

/** Also where the link that was followed leads to another part of the same page. */
function closeSheet(within: HTMLElement): void {
  const sheet = within.closest<HTMLElement>(':popover-open')
  sheet?.hidePopover()
}

/**
 * The way to all screens, with what waits beside them. On a phone it is the platform's popover, which opens without
 * script, and which Escape and a press beside it close; so does the focus when it goes on.
 */
export function Rail() {
  const hydrated = useHydrated()
  const ref = useRef<HTMLElement>(null)
  const toggled = (isOpen: boolean): void => {
    if (isOpen) ref.current?.querySelector<HTMLElement>('[aria-current=page]')?.focus()
  }
  return (
    <nav
      ref={(rail) => {
        ref.current = rail
        if (rail) showCurrent(rail)
      }}
      id={RAIL}
      popover="auto"
      aria-label="Managing"
      onToggle={({ newState }) => toggled(newState === 'open')}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (relatedTarget && !currentTarget.contains(relatedTarget)) closeSheet(currentTarget)
      }}
      className="rail"
    >
      <button type="button" popoverTarget={RAIL} popoverTargetAction="hide" className="lg:hidden!">
        <Icon name="close" className="size-5" />
        Close
      </button>
      <button
        type="button"
        disabled={!hydrated}
        title="Search (Ctrl K)"
        onClick={openPalette}
        className="max-lg:hidden!"
      >
        <Icon name="search" className="size-5" />
        <span className="rail-word">Search</span>
        <span
          className="rail-word ms-auto rounded-sm border border-edge px-1 font-mono text-slate text-xs"
          aria-hidden="true"
        >
          Ctrl K
        </span>
      </button>
      {deskGroups.map(({ name, screens }) => (
        <Group key={name} name={name} screens={screens} />
      ))}
      <FoldButton />
    </nav>
  )
}

function Group({ name, screens: all }: { name: string; screens: readonly DeskScreen[] }) {
  const shown = useShownScreen()
  const viewer = useViewer()
  const screens = all.filter((screen) => isFor(viewer, screen))
  const id = `${RAIL}-${name}`
  const isAlone = all.length === 1
  if (screens.length === 0) return null
  return (
    <>
      {!isAlone && (
        <p id={id} className="rail-group eyebrow text-slate">
          {name}
        </p>
      )}
      <ul aria-labelledby={isAlone ? undefined : id}>
        {screens.map((screen) => (
          <li key={screen.path}>
            <Link
              to={screen.path}
              title={screen.about}
              aria-current={screen === shown ? 'page' : undefined}
              onClick={({ currentTarget }) => closeSheet(currentTarget)}
            >
              <DeskIconDrawing name={screen.icon} />
              <span className="rail-word">{screen.label}</span>
              {screen.waits && <Count of={screen.waits} />}
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}

/** What waits, as every page of the desk has read it; nothing where that could not be had. */
function useWaiting(): OnDesk['waiting'] {
  const data = useMatches().at(-1)?.loaderData
  return (data as OnDesk | undefined)?.waiting ?? null
}

function Count({ of }: { of: NonNullable<DeskScreen['waits']> }) {
  const count = useWaiting()?.[of] ?? 0
  if (count === 0) return null
  return (
    <span className="rail-count">
      {count < MAX_WAITING ? count : `${MAX_WAITING - 1}+`}
      <span className="sr-only"> waiting</span>
    </span>
  )
}

const KEY = 'befaqt-desk-folded'
const listeners = new Set<() => void>()

/** Whether it is folded while the page is open, where storage is full or forbidden. */
let unstored = false

function isFolded(): boolean {
  try {
    return window.localStorage.getItem(KEY) !== null
  } catch {
    return unstored
  }
}

function fold(folded: boolean): void {
  unstored = folded
  try {
    if (folded) window.localStorage.setItem(KEY, '1')
    else window.localStorage.removeItem(KEY)
  } catch {
    // Kept while the page is open.
  }
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** Is the rail folded to icons on this device? */
export const useFolded = (): boolean => useSyncExternalStore(listen, isFolded, () => false)

function FoldButton() {
  const folded = useFolded()
  return (
    <button
      type="button"
      disabled={!useHydrated()}
      aria-pressed={folded}
      title="Icons only"
      onClick={() => fold(!folded)}
      className="mt-3 text-slate max-xl:hidden!"
    >
      <DeskIconDrawing name="fold" />
      <span className="rail-word">Icons only</span>
    </button>
  )
}
