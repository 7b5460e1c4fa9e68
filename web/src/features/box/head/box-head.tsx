import type { BoxPageView, BoxRecall } from '@befaqt/domain/api/box-api'
import { hasFreshness } from '@befaqt/domain/freshness-word'
import type { ReactNode } from 'react'
import { buttonClass } from '#web/components/button.tsx'
import { Icon } from '#web/components/icon.tsx'
import { Picture } from '#web/components/picture.tsx'
import { Time, useMarketZone } from '#web/time/time.tsx'
import { useNow } from '#web/time/today.ts'
import { useVerdict } from '../check/page-check.tsx'
import { OriginMark } from '../panel.tsx'
import { boxFreshness } from '../panels/shelf-life.ts'
import { Details } from './details.tsx'
import { VerdictLine } from './verdict-line.tsx'
/** What a person in front of the fish wants to know: what, how fresh, from where, can I trust it. */
export function BoxHead({ view }: { view: BoxPageView }) {
  const { box, figures, speciesImage } = view
  const zone = useMarketZone()
  const now = useNow(view.asOf)
  const fresh = hasFreshness(view) ? boxFreshness(figures, now, zone) : null
  return (
    <Frame>
      {view.recall && <RecallNotice recall={view.recall} />}
      <div
        className={
          speciesImage
            ? 'grid max-sm:grid-cols-[minmax(0,1fr)_7rem] lg:grid-cols-[3fr_2fr] xl:grid-cols-2'
            : ''
        }
      >
        {speciesImage && (
          <div className="relative max-sm:order-last max-sm:self-center max-sm:py-3 max-sm:pr-3 lg:min-h-96">
            <Picture
              image={speciesImage}
              sizes="(max-width: 39.99rem) 7rem, (min-width: 84rem) 39rem, (min-width: 75rem) 46vw, (min-width: 62rem) 55vw, 92vw"
              eager
              className="aspect-3/2 w-full object-cover max-sm:rounded-md lg:absolute lg:inset-0 lg:aspect-auto lg:size-full"
            />
            <p className="no-print absolute bottom-2 left-2 flex items-center rounded bg-surface pr-2 text-slate text-xs max-sm:static max-sm:pr-0">
              <span className="max-sm:sr-only">Picture of the species:</span> <OriginMark origin="shop" />
            </p>
          </div>
        )}
        <div className="grid content-center gap-6 p-5 max-sm:contents print:gap-2 print:px-4 print:py-2 md:p-8">
          <Title view={view} />
          <Details view={view} fresh={fresh} />
        </div>
      </div>
      <div className="grid items-center gap-4 border-line border-t p-5 max-sm:p-3 print:px-4 print:py-2 group-data-failed:order-first group-data-failed:border-t-0 md:px-8 lg:grid-cols-[1fr_auto]">
        <VerdictLine />
        <p className="no-print">
          <a href="#check" className={buttonClass('primary')}>
            See how this was checked
          </a>
        </p>
      </div>
      <div className="no-print bg-ice px-5 py-2 md:px-8">
        <PassportLine box={box} />
      </div>
    </Frame>
  )
}

/** The line of a passport that machines read: box, species and day, for the eye only. */
function PassportLine({ box }: Pick<BoxPageView, 'box'>) {
  const parts = [box.boxID, box.catchProv?.species ?? '', box.catchProv?.time.slice(0, 10) ?? '']
  const line = `BFQT<${parts
    .map((word) =>
      word
        .toUpperCase()
        .replace(/(?<=\d)-/g, '')
        .replace(/[^A-Z0-9]+/g, '<'),
    )
    .join('<<')}`
  return (
    <p aria-hidden="true" className="overflow-hidden whitespace-nowrap font-mono muted tracking-[0.2em]">
      {line.padEnd(90, '<')}
    </p>
  )
}

function Title({ view: { box, stage, sample } }: { view: BoxPageView }) {
  return (
    <div className="max-sm:self-center max-sm:py-3 max-sm:pl-4">
      <h1 className="text-balance">
        <span className="eyebrow mb-1 block max-sm:mb-0 font-sans text-slate tracking-normal">
          Fish box {box.boxID}
        </span>
        <span className="wrap-anywhere text-3xl sm:text-4xl md:text-5xl">
          {box.catchProv?.species ?? 'Species not recorded yet'}
        </span>
      </h1>
      <p className="mt-2 text-slate max-sm:mt-0 max-sm:text-sm">
        {stage}
        {sample && ' · sample data'}
      </p>
    </div>
  )
}

/** The frame of the head. A failed check takes the whole of it. */
function Frame({ children }: { children: ReactNode }) {
  const isFailed = useVerdict().tone === 'bad'
  const border = isFailed ? 'border-2 border-bad' : 'border border-line'
  return (
    <header
      className={`group grid grid-cols-1 overflow-hidden rounded-lg bg-surface ${border}`}
      data-failed={isFailed || undefined}
    >
      {children}
    </header>
  )
}

/** That a box is recalled, before anything else that its page says. */
const RecallNotice = ({ recall: { reason, at, inHistory } }: { recall: BoxRecall }) => (
  <div
    role="alert"
    className="grid grid-cols-[auto_1fr] gap-4 border-bad border-b-2 bg-bad-ice p-5 text-bad md:px-8"
  >
    <Icon name="close" className="size-9 rounded-full border-2 border-bad p-1" />
    <div className="min-w-0">
      <p className="font-serif text-3xl leading-tight">Recalled: do not eat fish from this box</p>
      <p className="mt-2 text-ink wrap-anywhere">
        <b className="font-semibold">Why:</b> {reason}
      </p>
      <p className="mt-1 text-ink">
        Recalled <Time at={at} />.{' '}
        {inHistory
          ? 'It is in the history below.'
          : 'The history of this box was sealed before, so this is the shop’s word alone.'}
      </p>
    </div>
  </div>
)
