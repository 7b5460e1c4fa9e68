import { type ReactNode, useEffect } from 'react'
import { Link, useRevalidator } from 'react-router'
import { useHydrated } from '#web/components/hydration.tsx'
import { Icon } from '#web/components/icon.tsx'
import { useSignInPath } from '#web/features/account/use-next.ts'
import { AccountLinks, Dropdown } from '#web/features/shell/menus.tsx'
import { useViewer } from '#web/root-data.ts'
import { openPalette, Palette } from './palette.tsx'
import { RAIL, Rail, useFolded } from './rail.tsx'

/** Reads the page again when somebody comes back to its tab: others work at the same orders. */
function useFreshOnReturn(): void {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    const comeBack = (): void => {
      if (document.visibilityState === 'visible' && navigator.onLine) void revalidate()
    }
    document.addEventListener('visibilitychange', comeBack)
    return () => document.removeEventListener('visibilitychange', comeBack)
  }, [revalidate])
}

/** Fields and what else takes letters as text. */
const TYPED_IN = 'input, textarea, select, [contenteditable]'

/** Ctrl+K, ⌘K and, where nothing is typed, / open the palette; not over another dialog. */
function usePaletteKeys(): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, shiftKey, target, defaultPrevented } = event
      const isTyping = target instanceof Element && target.closest(TYPED_IN) !== null
      const isCalled =
        (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey && !shiftKey) ||
        (key === '/' && !ctrlKey && !metaKey && !altKey && !isTyping)
      if (!isCalled || defaultPrevented || document.querySelector('dialog[open]')) return
      event.preventDefault()
      openPalette()
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [])
}

/** What is around the screens of staff, in place of the shop's frame: a bar, the rail, and the screen beside it. */
export function Desk({ children }: { children: ReactNode }) {
  const isFolded = useFolded()
  usePaletteKeys()
  useFreshOnReturn()
  return (
    <div className="desk flex flex-1 flex-col" data-folded={isFolded || undefined}>
      <DeskBar />
      <div className="flex flex-1">
        <Rail />
        <main id="content" tabIndex={-1} className="min-w-0 flex-1">
          <div className="mx-auto max-w-[112rem] px-4 pt-5 pb-16 xl:px-6 2xl:px-8">{children}</div>
        </main>
      </div>
      <Palette />
    </div>
  )
}

const entry = 'flex min-h-11 items-center gap-2 rounded-md px-3 font-semibold hover:bg-on-night/10'

function DeskBar() {
  const hydrated = useHydrated()
  return (
    <header className="on-night no-print sticky top-0 z-30 bg-night text-on-night">
      <nav aria-label="Main" className="flex h-14 items-center gap-1 px-2 sm:px-3">
        <button
          type="button"
          popoverTarget={RAIL}
          aria-label="Screens"
          className="grid size-11 place-items-center rounded-md hover:bg-on-night/10 lg:hidden"
        >
          <Icon name="menu" />
        </button>
        <Link to="/manage" aria-label="BeFAQT, today" className="flex min-h-11 items-center rounded-md px-1">
          <img src="/logo-dark.svg" width={99} height={28} alt="" className="block h-7 w-auto" />
        </Link>
        <div className="ml-auto flex items-center">
          <button
            type="button"
            aria-label="Search the desk"
            disabled={!hydrated}
            onClick={openPalette}
            className={`${entry} lg:hidden`}
          >
            <Icon name="search" className="size-5" />
          </button>
          <a href="/" aria-label="View shop" className={entry}>
            <Icon name="out" className="size-5" />
            <span className="max-sm:hidden">View shop</span>
          </a>
          <AccountMenu />
        </div>
      </nav>
    </header>
  )
}

function AccountMenu() {
  const viewer = useViewer()
  const signIn = useSignInPath()
  if (!viewer)
    return (
      <a href={signIn} className={entry}>
        <Icon name="person" className="size-5" />
        Log in
      </a>
    )
  return (
    <Dropdown
      label={
        <>
          <Icon name="person" className="size-5" />
          <span className="max-w-32 truncate max-sm:sr-only">{viewer.fname}</span>
        </>
      }
      panelClass="top-full right-0 mt-1 w-48 overflow-hidden rounded-md py-1"
    >
      <AccountLinks />
    </Dropdown>
  )
}
