import type { ListQuery } from '@befaqt/domain/api/manage-api'
import { type BoxStage, boxStages } from '@befaqt/domain/box-stages'
import { MAX_PAGE, MAX_SEARCH } from '@befaqt/domain/limits'
import { statuses } from '@befaqt/domain/statuses'

export type StageFilter = BoxStage | 'alerts'
export const stages: readonly StageFilter[] = [...boxStages, 'alerts']

const oneOf = <Value extends string>(values: readonly Value[], text: string | null): Value | undefined =>
  values.find((value) => value === text)

/** What a list's URL asks for. Odd values are left out. */
export function readManageQuery(params: URLSearchParams): ListQuery {
  const page = Math.min(MAX_PAGE, Math.floor(Number(params.get('page'))) || 1)
  const q = (params.get('q') ?? '').trim().slice(0, MAX_SEARCH)
  const status = oneOf(statuses, params.get('status'))
  const category = params.get('category')?.slice(0, 64)
  const sort = params.get('sort')?.slice(0, 30)
  return {
    page: Math.max(1, page),
    ...(q && { q }),
    ...(status && { status }),
    ...(category && { category }),
    ...(sort && { sort }),
    ...(params.get('dir') === 'desc' && { dir: 'desc' as const }),
  }
}

/** The stage that the list of boxes is narrowed to. */
export const readStage = (params: URLSearchParams): StageFilter | undefined =>
  oneOf(stages, params.get('stage'))

/** Is a list filtered? */
export const isNarrowed = (params: URLSearchParams): boolean =>
  ['q', 'status', 'category', 'stage', 'slot', 'day', 'kind', 'when'].some((name) => params.get(name))

/** The same URL with some of its questions changed; empty ones are left out, and the first page is no question. */
export function withParams(params: URLSearchParams, changes: Record<string, string>): string {
  const changed = new URLSearchParams(params)
  if (!('page' in changes)) changed.delete('page')
  for (const [name, value] of Object.entries(changes)) changed.set(name, value)
  const asked = [...changed].filter(([name, value]) => value !== '' && !(name === 'page' && value === '1'))
  return `?${new URLSearchParams(asked)}`
}
