import type { ProductBox } from '@befaqt/domain/catalogue'
import { Stars } from '#web/components/stars.tsx'
import { daysLeftText, starsOfIndex } from './stars-of.ts'

/** Stars and time left of the box that a product comes from, in one line. */
export function Freshness({ box }: { box: ProductBox }) {
  const stars = starsOfIndex(box.freshnessIndex)
  const left = daysLeftText(box)
  return (
    <p className="flex flex-wrap items-center gap-x-2">
      {stars === null ? (
        <span>{box.freshnessIndex === null ? 'Not assessed yet' : 'Past its best'}</span>
      ) : (
        <Stars count={stars} />
      )}
      {left && <span className="text-slate">{left}</span>}
    </p>
  )
}
