import { urlOf } from '@befaqt/domain/api/endpoint'
import { printLabels } from '@befaqt/domain/api/endpoints/box-labels'
import type { ManagedBox } from '@befaqt/domain/api/manage-api'
import { Link } from 'react-router'

/** Labels and documents of all boxes of this page of the list. */
export function PrintLabels({ boxes }: { boxes: readonly Pick<ManagedBox, 'boxID'>[] }) {
  const box = boxes.map(({ boxID }) => boxID).join(',')
  const link = 'link inline-flex min-h-11 items-center font-semibold'
  return (
    <p className="mt-4 flex flex-wrap items-center gap-x-5">
      <span>Labels and documents of these {boxes.length === 1 ? 'box' : `${boxes.length} boxes`}:</span>
      <a
        href={urlOf(printLabels, { query: { box, format: 'pdf' } })}
        target="_blank"
        rel="noreferrer"
        className={link}
      >
        A4 sheets (PDF)
      </a>
      <a href={urlOf(printLabels, { query: { box, format: 'zpl' } })} className={link} download>
        Thermal printer (ZPL)
      </a>
      <Link to={`/manage/trade?${new URLSearchParams({ box })}`} className={link}>
        EPCIS and FSMA 204
      </Link>
    </p>
  )
}
