import { readManageQuery } from '../list/list-query.ts'

/** Of which boxes documents are to be made: ids with commas between, or days of the catch. */
export type TradeQuery = { box: string } | { from: string; to: string }

/** What the URL asks for; null: nothing yet. Ids may have been typed with spaces or on lines of their own. */
export function tradeQuery(params: URLSearchParams): { choice: TradeQuery | null; page: number } {
  const box = (params.get('box') ?? '').split(/[\s,;]+/).filter((id) => id !== '')
  const [from, to] = [params.get('from') ?? '', params.get('to') ?? '']
  const { page = 1 } = readManageQuery(params)
  if (box.length > 0) return { choice: { box: box.join(',') }, page }
  return { choice: from === '' && to === '' ? null : { from, to }, page }
}
