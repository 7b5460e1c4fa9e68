import { lazy, type ReactNode, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { ScrollRestoration, useLocation, useMatches, useNavigate, useNavigation } from 'react-router'
import { useHydrated } from '#web/components/hydration.tsx'
import { useOnline } from '#web/components/use-online.ts'
import { CartSync } from '#web/features/cart/cart-sync.tsx'
import { useSite } from '#web/root-data.ts'
import { preloadScreen } from '#web/route-screens.ts'
import { zoneName } from '#web/time/zone-name.ts'
import { Header } from './header.tsx'
import { aboutLinks, checkLink } from './menu-links.tsx'
import { followedPath } from './paths.ts'
import { ViewerKeeper } from './viewer-keeper.tsx'

/** Is the page one of staff or of a station, which has all of its frame itself? One that staff may not see, or that is not there, is not. */
export const useIsDesk = (): boolean =>
  useMatches().some(({ id, loaderData }) => (/^manage/.test(id) ? loaderData : id === 'station'))

/** What is around every page. @param isDesk the page has bars, main part and foot of its own */
export function Shell({ children, isDesk = false }: { children: ReactNode; isDesk?: boolean }) {
  return (
    <>
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-surface px-4 py-3 font-semibold text-teal focus:translate-y-0"
      >
        Skip to content
      </a>
      <ProgressBar />
      {!isDesk && <Header />}
      <OfflineNotice />
      {isDesk ? (
        children
      ) : (
        <>
          <main id="content" tabIndex={-1} className="flex-1">
            {children}
          </main>
          <Footer />
        </>
      )}
      <CartSync />
      <Favourites />
      <FollowLinks />
      <RouteFocus />
      <ViewerKeeper />
      <ScrollRestoration />
    </>
  )
}

/** Fetched once the page answers: nothing that was rendered waits for it. Without it a press of a heart is kept all the same. */
const FavouritesSync = lazy(() =>
  import('#web/features/favourites/favourites-sync.tsx').catch(() => ({ default: () => null })),
)

const Favourites = () =>
  useHydrated() && (
    <Suspense>
      <FavouritesSync />
    </Suspense>
  )

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

const entry = 'tap hover:text-on-night hover:underline underline-offset-4'

const shopLinks = [
  [checkLink, 'Check a box'],
  ['/category', 'Categories'],
  ['/product', 'All products'],
]

/** The end of every page: what this is, who sells, where to go on. */
function Footer() {
  const site = useSite()
  const links = [...shopLinks, ...aboutLinks, ...(site?.pages ?? []).map(({ path, title }) => [path, title])]
  return (
    <footer className="on-night no-print mt-12 bg-night sm:mt-20 text-mist">
      <div className="wrap flex flex-wrap justify-between gap-x-16 gap-y-4 py-6 sm:py-10">
        <div className="max-w-sm">
          <p className="font-serif text-2xl text-on-night">{site?.name ?? 'BeFAQT'}</p>
          {site && <p className="mt-1">{site.fullName}</p>}
          {site?.seller && <p className="mt-2 sm:mt-4">{site.seller}</p>}
          {site && <p className="mt-2 sm:mt-4">All times are {zoneName(site.market.timeZone)}.</p>}
          {site?.sample && (
            <p className="mt-2 sm:mt-4">Sample shop: prices, stock, traders, boats and boxes are invented.</p>
          )}
        </div>
        <ul className="flex flex-wrap gap-x-5 sm:gap-x-8">
          {links.map(([to, label]) => (
            <li key={to}>
              <a className={entry} href={to}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </footer>
  )
}

/** What is done to a link shortly before it is followed: the press on a phone, resting on it or reaching it elsewhere. */
const APPROACHES = ['pointerdown', 'pointerover', 'focusin']

/** A press as a plain click, which is what it will be unless a key is held. */
const asClick = (event: Event) => ({
  button: 0,
  metaKey: false,
  ctrlKey: false,
  shiftKey: false,
  altKey: false,
  defaultPrevented: event.defaultPrevented,
})

/** Fetches the screen of a page of the shop that the visitor is about to follow a link to. */
function approach(event: Event): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  const path = link?.href ? followedPath(asClick(event), link, window.location.href) : null
  if (path !== null) void preloadScreen(new URL(path, window.location.href).pathname)
}

/**
 * Follows plain links without loading the page anew: those in pages made from Markdown, those of cards, and those around
 * every page, where a `Link` each would take a third of the time that the server needs for a page of products.
 */
function FollowLinks() {
  const navigate = useNavigate()
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      const path = link?.href ? followedPath(event, link, window.location.href) : null
      if (path === null) return
      event.preventDefault()
      const { pathname, search, hash } = window.location
      void navigate(path, { replace: path === pathname + search + hash })
    }
    const leave = new AbortController()
    const { signal } = leave
    document.addEventListener('click', follow, { signal })
    for (const type of APPROACHES) document.addEventListener(type, approach, { signal, passive: true })
    return () => leave.abort()
  }, [navigate])
  return null
}
