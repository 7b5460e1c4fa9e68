import type { ReactNode } from 'react'
import { ScrollRestoration } from 'react-router'
import { CartKeeper } from '#web/features/cart/cart-keeper.tsx'
import { FollowLinks } from './follow-links.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { OfflineNotice } from './offline-notice.tsx'
import { ProgressBar } from './progress-bar.tsx'
import { RouteFocus } from './route-focus.tsx'
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
      <CartKeeper />
      <FollowLinks />
      <RouteFocus />
      <ViewerKeeper />
      <ScrollRestoration />
    </>
  )
}
