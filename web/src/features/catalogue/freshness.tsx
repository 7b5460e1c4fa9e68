import type { ProductBox } from '@befaqt/domain/catalogue'
import { freshnessWord } from '@befaqt/domain/freshness-word'
import { Stars } from '#web/components/stars.tsx'
import { dayText } from '#web/time/day.ts'
import { starsOfIndex } from './stars-of.ts'

/**
 * Stars, best-by date and cold chain of the box that a product comes from, as of today. Source: freshness.md §2, §3.
 * @param today market date
 */
export function Freshness({ box, today }: { box: ProductBox; today: string }) {
  const { freshnessIndex, bestBy, stage, coldChain } = box
  const isOver = freshnessWord(box, today) === 'past its best'
  const stars = isOver ? null : starsOfIndex(freshnessIndex)
  const notes = [
    !isOver && bestBy && `best by ${dayText(bestBy)}`,
    stage === 'at sea' && 'still at sea',
    coldChain && coldChainNotes[coldChain],
  ]
  return (
    <p className="flex flex-wrap items-center gap-x-2">
      {stars ? <Stars count={stars} /> : <b>{isOver ? 'Past its best' : 'Not assessed yet'}</b>}
      <span className={coldChain === 'warmed' ? 'text-warn' : 'text-slate'}>
        {notes.filter(Boolean).join(', ')}
      </span>
    </p>
  )
}

const coldChainNotes = { cold: 'stayed cold', warmed: 'warmed on the way', silent: 'readings missing' }
