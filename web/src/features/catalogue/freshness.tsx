import type { ProductBox } from '@befaqt/domain/catalogue'
import { type AsOf, freshnessAt, unknownSince } from '@befaqt/domain/freshness-word'
import { dayText } from '@befaqt/domain/moment-text'
import { Stars } from '#web/components/stars.tsx'

/**
 * Stars with their word, best-by date and cold chain of the box that a product comes from, as of now. Source:
 * freshness.md §2, §3.
 */
export function Freshness({ box, now }: { box: ProductBox; now: AsOf }) {
  const { stage, coldChain } = box
  const { word, stars, bestBy, unknown } = freshnessAt(box, now)
  const isOver = word === 'past its best'
  const notes = [
    bestBy && `best by ${dayText(bestBy)}`,
    stage === 'at sea' && 'still at sea',
    coldChain && coldChainNotes[coldChain],
  ]
  return (
    <p className="flex flex-wrap items-center gap-x-2">
      {stars !== null && !isOver && <Stars count={stars} />}
      <b className={`font-semibold ${isOver || unknown ? 'text-bad' : ''}`}>
        {capital(unknown ? unknownSince(unknown, now.today) : (word ?? 'not assessed yet'))}
      </b>
      <span className={coldChain === 'warmed' ? 'text-warn' : 'text-slate'}>
        {notes.filter(Boolean).join(', ')}
      </span>
    </p>
  )
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const coldChainNotes = { cold: 'stayed cold', warmed: 'warmed on the way', silent: 'readings missing' }
