import { placeNames } from '@befaqt/domain/list-place'
import { redirect } from 'react-router'

/**
 * Where a list refuses the place that its address asks for, since it is one of another order or filter, or of an older
 * version: the list at its first page. Null for any other failure.
 */
export function firstPage({ url }: Request, error: unknown): Response | null {
  const { pathname, searchParams } = new URL(url)
  const fields = (error as { fields?: readonly { path: string }[] | undefined }).fields ?? []
  const isPlace = fields.some(({ path }) =>
    placeNames.some((name) => name === path && searchParams.has(name)),
  )
  if (!isPlace) return null
  for (const name of placeNames) searchParams.delete(name)
  return redirect(searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`)
}
