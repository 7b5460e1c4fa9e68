/** Addresses on our origin that are no pages: calls, files and probes. */
const NO_PAGE = /^\/(api|assets|healthz|readyz|metrics)(\/|$)|\.\w+$/

type Click = Pick<MouseEvent, 'button' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'defaultPrevented'>
type Target = Pick<HTMLAnchorElement, 'href' | 'target' | 'hasAttribute'>

const isPlain = (click: Click): boolean =>
  click.button === 0 &&
  !(click.metaKey || click.ctrlKey || click.shiftKey || click.altKey || click.defaultPrevented)

/**
 * Where a click on a link leads inside the shop, or null when the browser should follow it by itself: another
 * site, a new tab, a download, a place on the same page.
 * @param here URL of the page that is shown
 */
export function followedPath(click: Click, link: Target, here: string): string | null {
  if (!isPlain(click) || link.target || link.hasAttribute('download')) return null
  const [to, from] = [new URL(link.href, here), new URL(here)]
  if (to.origin !== from.origin || NO_PAGE.test(to.pathname)) return null
  if (to.hash && to.pathname === from.pathname && to.search === from.search) return null
  return to.pathname + to.search + to.hash
}

/** Is this page, or unless `end` one below it, the one at `pathname`? In any case, as the router matches. */
export function isCurrentPage(to: string, pathname: string, end: boolean): boolean {
  const path = to.split('?', 1)[0]?.toLowerCase() ?? ''
  const shown = pathname.toLowerCase()
  if (shown === path || shown === `${path}/`) return true
  return !end && path !== '/' && shown.startsWith(`${path}/`)
}
