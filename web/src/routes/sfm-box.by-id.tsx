import type { BoxListRow, Paged } from '@befaqt/domain/api/box-api'
import { boxPath } from '@befaqt/domain/page-paths'
import { Link, useLoaderData } from 'react-router'
import { Pagination } from '#web/components/pagination.tsx'
import { BoxSearch } from '#web/features/box/find/box-search.tsx'
import { PageHead } from '#web/head/page-head.tsx'
import type { BoxesData } from '#web/loaders/shop-loaders.ts'
import { Time } from '#web/time/time.tsx'

const describe = () => ({
  title: 'Fish boxes',
  description: 'Find a fish box by its number and see its history from catch to assessment.',
})

export default function SfmBoxes() {
  const { found, q } = useLoaderData<BoxesData>()
  return (
    <>
      <PageHead describe={describe} />
      <BoxList found={found} q={q} />
    </>
  )
}

function Row({ row }: { row: BoxListRow }) {
  const { boxID, species, caughtAt, records, sealed } = row
  return (
    <li className="border-line border-b">
      <Link
        to={boxPath(boxID)}
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
          {records} records{sealed && ' · sealed'}
        </span>
      </Link>
    </li>
  )
}

/** Boxes that fit a search, newest first. */
function BoxList({ found, q }: { found: Paged<BoxListRow>; q: string }) {
  return (
    <div className="wrap py-12">
      <h1 className="mb-6 text-4xl">Fish boxes</h1>
      <BoxSearch typed={q} />
      {found.rows.length === 0 ? (
        <p className="mt-8 text-lg">{q ? `No boxes match ‘${q}’.` : 'There are no boxes yet.'}</p>
      ) : (
        <ul className="mt-8 border-line border-t">
          {found.rows.map((row) => (
            <Row key={row.boxID} row={row} />
          ))}
        </ul>
      )}
      {found.total > found.size && (
        <div className="mt-6">
          <Pagination {...found} thing="box" things="boxes" />
        </div>
      )}
    </div>
  )
}
