import type { BoxListRow } from '@befaqt/domain/api/box-api'
import type { AsOf } from '@befaqt/domain/freshness-word'
import { boxPath } from '@befaqt/domain/page-paths'
import { Link, useLoaderData } from 'react-router'
import { Badge } from '#web/components/badge.tsx'
import { Pagination } from '#web/components/pagination.tsx'
import { Picture } from '#web/components/picture.tsx'
import { BoxSearch } from '#web/features/box/find/box-search.tsx'
import { Freshness } from '#web/features/catalogue/product-facts.tsx'
import { PageHead } from '#web/head/page-head.tsx'
import type { BoxesData } from '#web/loaders/shop-loaders.ts'
import { Moment } from '#web/time/time.tsx'
import { useAsOf } from '#web/time/today.ts'

const describe = ({ q, found }: BoxesData) => ({
  title: 'Fish boxes',
  description: 'Find a fish box by its number and see its history from catch to assessment.',
  ...(q === '' && found.page === 1 && { canonical: '/SFMBox/byId' }),
})

export default function SfmBoxes() {
  const data = useLoaderData<BoxesData>()
  return (
    <>
      <PageHead describe={() => describe(data)} />
      <BoxList {...data} />
    </>
  )
}

/** What may be said of its fish at a glance: that nobody should eat it comes before all else. */
function State({ row: { recalled, offSale, box }, now }: { row: BoxListRow; now: AsOf }) {
  if (recalled) return <Badge tone="bad">Recalled: do not eat its fish</Badge>
  if (offSale) return <Badge tone="warn">Taken off sale</Badge>
  return box && <Freshness box={box} now={now} />
}

function Row({ row, now }: { row: BoxListRow; now: AsOf }) {
  const { boxID, species, caughtAt, records, sealed, box, image } = row
  const place = box?.catchPlace?.split(',', 1)[0]
  return (
    <li className="border-line border-b">
      <Link
        to={boxPath(boxID)}
        className="grid grid-cols-[5.5rem_1fr] items-start gap-x-4 py-4 hover:text-teal sm:grid-cols-[7.5rem_1fr] sm:gap-x-6"
      >
        <span className="aspect-3/2 overflow-hidden rounded-lg bg-ice">
          {image && <Picture image={image} alt="" sizes="7.5rem" className="size-full object-cover" />}
        </span>
        <span className="grid gap-1">
          <span className="flex flex-wrap items-baseline gap-x-3">
            <b className="font-serif text-xl">{species || 'Species not recorded yet'}</b>
            <span className="muted">box {boxID}</span>
          </span>
          <span className="muted">
            {caughtAt && (
              <>
                Caught {place && `${place}, `}
                <Moment at={caughtAt} /> ·{' '}
              </>
            )}
            {box && !sealed && box.stage !== 'at sea' && `${box.stage} · `}
            {records === 1 ? '1 record' : `${records} records`}
            {sealed && ' · sealed'}
          </span>
          <State row={row} now={now} />
        </span>
      </Link>
    </li>
  )
}

/** Boxes that fit a search, newest first. */
function BoxList({ found, q }: BoxesData) {
  const now = useAsOf(found.rows.map(({ box }) => box))
  return (
    <div className="wrap py-12">
      <h1 className="mb-6 text-4xl">Fish boxes</h1>
      <BoxSearch typed={q} />
      {found.rows.length === 0 ? (
        <p className="mt-8 text-lg">{q ? `No boxes match ‘${q}’.` : 'There are no boxes yet.'}</p>
      ) : (
        <ul className="mt-8 border-line border-t">
          {found.rows.map((row) => (
            <Row key={row.boxID} row={row} now={now} />
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
