import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { ScrollRestoration, useLocation, useNavigation } from 'react-router'
import { useOnline } from '#web/components/use-online.ts'
import { CartSync } from '#web/features/cart/cart-sync.tsx'
import { FollowLinks } from './follow-links.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { ViewerKeeper } from './viewer-keeper.tsx'

/** What is around every page. */
export function Shell({ children }: { children: ReactNode }) {
  return (
    <>
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-surface px-4 py-3 font-semibold text-teal focus:translate-y-0"
      >
        Skip to content
      </a>
      <ProgressBar />
      <Header />
      <OfflineNotice />
      <main id="content" tabIndex={-1} className="flex-1">
        {children}
      </main>
      <Footer />
      <CartSync />
      <FollowLinks />
      <RouteFocus />
      <ViewerKeeper />
      <ScrollRestoration />
    </>
  )
}

/** A thin line across the top while the next page is fetched. */
function ProgressBar() {
  const { state } = useNavigation()
  return (
    <div
      role="status"
      className="no-print pointer-events-none fixed inset-x-0 top-0 z-50 h-1 overflow-hidden"
    >
      {state !== 'idle' && (
        <>
          <span className="sr-only">Loading</span>
          <span aria-hidden="true" className="block h-full w-full origin-left animate-travel bg-lamp" />
        </>
      )}
    </div>
  )
}

/**
 * After a navigation: moves the focus to the new page and says its title, as a full page load would. In the frame that
 * shows the page: a moment later it would take the focus from what the visitor has opened there.
 */
function RouteFocus() {
  const { pathname, hash, key, state } = useLocation()
  const shown = useRef({ pathname, key })
  const [title, setTitle] = useState('')
  useLayoutEffect(() => {
    const before = shown.current
    shown.current = { pathname, key }
    if (before.pathname === pathname && (before.key === key || !state?.focus)) return
    if (!hash) document.getElementById('content')?.focus({ preventScroll: true })
    setTitle(document.title)
  }, [pathname, hash, key, state])
  return (
    <p aria-live="polite" className="sr-only">
      {title}
    </p>
  )
}

/** Says that there is no connection, and what still works. */
function OfflineNotice() {
  const online = useOnline()
  return (
    <div role="status">
      {!online && (
        <p className="wrap border-warn border-b bg-warn-ice py-3 text-center text-warn">
          You are offline. What you see may be out of date; your cart is kept on this device.
        </p>
      )}
    </div>
  )
}
