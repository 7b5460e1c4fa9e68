import { signOut } from '@befaqt/domain/api/endpoints/account'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { useHydrated } from '#web/components/hydration.tsx'
import { Icon } from '#web/components/icon.tsx'
import { useSignInPath } from '#web/features/account/use-next.ts'
import { useViewer } from '#web/root-data.ts'
import {
  aboutLinks,
  accountLinks,
  CategoryMenuLinks,
  checkLink,
  MenuLink,
  MenuLinks,
  menuItem,
  useManageLinks,
} from './menu-links.tsx'

const heading = 'px-4 pt-4 pb-1 font-semibold muted'

function AccountPart() {
  const viewer = useViewer()
  const signIn = useSignInPath()
  return viewer ? <AccountLinks /> : <MenuLink to={signIn}>Log in</MenuLink>
}

/** What a menu offers whoever is signed in. */
export const AccountLinks = () => (
  <ul>
    <MenuLinks links={accountLinks} />
    <li>
      <Logout />
    </li>
  </ul>
)

/** Everything of the navigation bar that a narrow screen has no room for. */
export function PhoneMenu() {
  const viewer = useViewer()
  const toDesk = useManageLinks()
  return (
    <Dropdown
      label={<Icon name="menu" />}
      name="Menu"
      arrow={false}
      className="static! lg:hidden"
      panelClass="inset-x-0 top-full max-h-[calc(100dvh-4.5rem)] overflow-y-auto pb-4"
    >
      <ul className="pt-2">
        <li>
          <MenuLink to="/">Home</MenuLink>
        </li>
        <li>
          <MenuLink to={checkLink}>Check a box</MenuLink>
        </li>
        <CategoryMenuLinks />
        <li>
          <MenuLink to="/product">All products</MenuLink>
        </li>
      </ul>
      <h2 className={heading}>About</h2>
      <ul>
        <MenuLinks links={aboutLinks} />
      </ul>
      {toDesk.length > 0 && (
        <>
          <h2 className={heading}>Manage</h2>
          <ul>
            <MenuLinks links={toDesk} />
          </ul>
        </>
      )}
      <h2 className={heading}>{viewer ? viewer.fname : 'Account'}</h2>
      <AccountPart />
    </Dropdown>
  )
}

const toLeave = () =>
  import('#web/features/account/leave.ts').catch(() => {
    throw new Error('You are still logged in: a part of this page could not be loaded. Please try again.')
  })

/** Ends the session on the server, and leaves nothing of it. Source: spec §2. */
function Logout() {
  const [failure, setFailure] = useState('')
  const leave = async () => {
    try {
      const { leaveNothing } = await toLeave() // before: who is logged out has nothing left here
      await callApi(signOut)
      leaveNothing()
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <>
      <button type="button" disabled={!useHydrated()} onClick={() => void leave()} className={menuItem}>
        Logout
      </button>
      {failure && (
        <p role="alert" className="px-4 py-2 text-bad">
          Error: {failure}
        </p>
      )}
    </>
  )
}

type Props = {
  label: ReactNode
  children: ReactNode
  /** Accessible name where `label` is a picture. */
  name?: string
  arrow?: boolean
  className?: string
  panelClass?: string
}

/**
 * Closes the menu when the visitor follows a link in it, presses Escape, or moves the pointer or the focus elsewhere,
 * and in the frame that shows the next page: a moment later it would close what was opened there. One that was opened
 * before the script ran stays open.
 */
function useClosing() {
  const ref = useRef<HTMLDetailsElement>(null)
  const { key } = useLocation()
  const shown = useRef(key)
  useLayoutEffect(() => {
    if (shown.current === key) return
    shown.current = key
    if (ref.current) ref.current.open = false
  }, [key])
  useEffect(() => {
    const closeOutside = (event: Event) => {
      const inside = event.target instanceof Node && ref.current?.contains(event.target)
      if (ref.current?.open && !inside) ref.current.open = false
    }
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !ref.current?.open) return
      ref.current.open = false
      ref.current.querySelector('summary')?.focus()
    }
    const closeFollowed = ({ target, ctrlKey, metaKey, shiftKey }: MouseEvent) => {
      const link = target instanceof Element ? target.closest('a') : null
      const menu = ref.current
      if (!menu || !link || !menu.contains(link) || ctrlKey || metaKey || shiftKey) return
      menu.open = false
      menu.querySelector('summary')?.focus()
    }
    const leave = new AbortController()
    const { signal } = leave
    for (const moved of ['pointerdown', 'focusin']) document.addEventListener(moved, closeOutside, { signal })
    document.addEventListener('keydown', closeByKey, { signal })
    document.addEventListener('click', closeFollowed, { signal })
    return () => leave.abort()
  }, [])
  return ref
}

/** A menu that opens without any script; with script it also closes by itself. */
export function Dropdown({ label, children, name, arrow = true, className = '', panelClass = '' }: Props) {
  return (
    <details ref={useClosing()} className={`group/menu relative ${className}`}>
      <summary
        aria-label={name}
        className="flex min-h-11 items-center gap-1 rounded-md px-3 font-semibold hover:bg-on-night/10"
      >
        {label}
        {arrow && <Icon name="down" className="size-4 transition-transform group-open/menu:rotate-180" />}
      </summary>
      <div className={`absolute z-40 border border-line bg-surface text-ink shadow-menu ${panelClass}`}>
        {children}
      </div>
    </details>
  )
}
