import { Link, useSearchParams } from 'react-router'
import { withParams } from './manage-address.ts'

type Props = { columns: readonly (readonly [sort: string, words: string])[]; grid: string }

/** Headings over the cells of a wide list; one that is sorted by turns the order when pressed again. */
export function ColumnHeads({ columns, grid }: Props) {
  const [params] = useSearchParams()
  const [sort, down] = [params.get('sort'), params.get('dir') === 'desc']
  return (
    <div className={`hidden border-edge border-b px-3 lg:grid lg:items-center lg:gap-x-4 ${grid}`}>
      {columns.map(([by, words], i) => {
        const isSorted = by !== '' && sort === by
        if (by === '')
          return (
            <span key={words || i} className="py-2 font-semibold text-slate text-sm">
              {words}
            </span>
          )
        return (
          <Link
            key={words}
            to={withParams(params, { sort: by, dir: isSorted && !down ? 'desc' : '' })}
            preventScrollReset
            className="flex min-h-11 items-center gap-1 font-semibold text-slate text-sm hover:text-teal"
          >
            {words}
            {isSorted && <span aria-hidden="true">{down ? '↓' : '↑'}</span>}
            <span className="sr-only">
              {isSorted ? `, sorted ${down ? 'downwards' : 'upwards'}; turn the order` : ', sort by this'}
            </span>
          </Link>
        )
      })}
    </div>
  )
}
