/** Is this page, or unless `end` one below it, the one at `pathname`? In any case, as the router matches. */
export function isCurrentPage(to: string, pathname: string, end: boolean): boolean {
  const path = to.split('?', 1)[0]?.toLowerCase() ?? ''
  const shown = pathname.toLowerCase()
  if (shown === path || shown === `${path}/`) return true
  return !end && path !== '/' && shown.startsWith(`${path}/`)
}
