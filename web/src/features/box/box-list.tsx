import type { BoxListRow, Paged } from '@befaqt/domain/api/box-api'
import { Link } from 'react-router'
import { Time } from '#web/time/time.tsx'
import { BoxSearch } from './box-search.tsx'

function Row({ row }: { row: BoxListRow }) {
  const { boxID, species, caughtAt, records, sealed } = row
  return (
    <li className="border-line border-b">
      <Link
        to={`/SFMBox/byId/${encodeURIComponent(boxID)}`}
        className="grid gap-x-6 gap-y-1 py-4 hover:text-teal sm:grid-cols-[12rem_1fr_auto]"
      >
        <b className="font-semibold">{boxID}</b>
        <span>{species || 'Species not recorded yet'}</span>
        <span className="text-slate">
          {caughtAt && (
            <>
              caught <Time at={caughtAt} /> ·{' '}
            </>
          )}
          {records} records{sealed && ' · closed'}
        </span>
      </Link>
    </li>
  )
}

function Pages({ found, q }: { found: Paged<BoxListRow>; q: string }) {
  const to = (page: number) => `?${new URLSearchParams({ ...(q && { q }), page: String(page) })}`
  const last = Math.ceil(found.total / found.size)
  if (last <= 1) return null
  return (
    <nav aria-label="Pages" className="mt-6 flex gap-6">
      {found.page > 1 && (
        <Link to={to(found.page - 1)} className="link min-h-11">
          Newer boxes
        </Link>
      )}
      <span className="text-slate">
        page {found.page} of {last}
      </span>
      {found.page < last && (
        <Link to={to(found.page + 1)} className="link min-h-11">
          Older boxes
        </Link>
      )}
    </nav>
  )
}

/** Boxes that fit a search, newest first. */
export function BoxList({ found, q }: { found: Paged<BoxListRow>; q: string }) {
  return (
    <div className="wrap py-12">
      <h1 className="mb-6 text-4xl">Fish boxes</h1>
      <BoxSearch typed={q} />
      {found.rows.length === 0 ? (
        <p className="mt-8 text-lg">{q ? `No box fits ‘${q}’.` : 'There are no boxes yet.'}</p>
      ) : (
        <ul className="mt-8 border-line border-t">
          {found.rows.map((row) => (
            <Row key={row.boxID} row={row} />
          ))}
        </ul>
      )}
      <Pages found={found} q={q} />
    </div>
  )
}
