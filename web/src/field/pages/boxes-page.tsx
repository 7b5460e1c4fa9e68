import { urlOf } from '@befaqt/domain/api/endpoint'
import { listFieldBoxes, printFieldLabels } from '@befaqt/domain/api/endpoints/suppliers'
import type { FieldBox, FieldUser, FreeLabels } from '@befaqt/domain/api/field-api'
import { numbersFrom } from '@befaqt/domain/box-numbers'
import { unknownSince } from '@befaqt/domain/freshness-word'
import { MARKET_TIME_ZONE, marketDate } from '@befaqt/domain/market-time'
import { dayText, momentText } from '@befaqt/domain/moment-text'
import { type Cents, formatDollars } from '@befaqt/domain/money'
import { boxPath } from '@befaqt/domain/page-paths'
import { callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { useRead } from '#web/api/use-read.ts'
import { Alert } from '#web/components/alert.tsx'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { Stars } from '#web/components/stars.tsx'
import { PrintNumbers } from '#web/features/box/print-numbers.tsx'
import { go, paths } from '../route.ts'
import { ClaimsList } from './claims-list.tsx'

const readBoxes = () => callApi(listFieldBoxes)

/** What became of the supplier's boxes. It is asked for each time and kept nowhere. */
export function BoxesPage({ user }: { user: FieldUser }) {
  const { value: boxes, failure, again } = useRead(readBoxes)
  return (
    <>
      {failure !== null && (
        <Alert tone="warn">
          {userMessage(failure)} Your boxes are shown when there is coverage.{' '}
          <Button variant="link" onClick={again}>
            Try again
          </Button>
        </Alert>
      )}
      <ClaimsList onDecided={again} />
      {boxes === null && failure === null && <Spinner label="Asking the shop" />}
      {boxes?.length === 0 && (
        <p className="py-6 text-lg">No boxes yet. A catch that was recorded is shown here.</p>
      )}
      <ul className="grid gap-4">
        {boxes?.map((box) => (
          <Box key={box.boxID} box={box} />
        ))}
      </ul>
      <OwnLabels labels={user.labels} />
    </>
  )
}

const flagged = { catch: 'The catch', handover: 'A hand-over', reading: 'A reading' } as const

const day = (at: string): string => marketDate(Date.parse(at), MARKET_TIME_ZONE)

const soldText = ({ sold, weighed }: FieldBox['products'][number]): string =>
  sold === 0 ? 'none sold yet' : weighed ? `${(sold / 1000).toFixed(1)} kg sold` : `${sold} sold`

function Box({ box }: { box: FieldBox }) {
  const { boxID, species, caughtAt, products, flags } = box
  const { word, stars, bestBy, unknown } = box.freshness
  return (
    <li className="grid gap-2 rounded-lg border border-line bg-surface p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 className="text-2xl">{species || 'Species not recorded'}</h2>
        <a href={boxPath(boxID)} className="link tap font-mono">
          {boxID}
        </a>
      </div>
      <p className="flex flex-wrap items-center gap-2">
        {stars !== null && <Stars count={stars} className="h-5" />}
        {unknown
          ? `Freshness ${unknownSince(unknown, day(new Date().toISOString()))}`
          : !box.recalled && (word ?? 'not assessed yet')}
        {box.recalled && <Badge tone="bad">recalled</Badge>}
        {box.coldChain === 'warmed' && <Badge tone="warn">warmed on the road</Badge>}
        {box.sealed && <Badge>sealed</Badge>}
      </p>
      <p className="text-slate">
        {caughtAt && `Caught ${dayText(day(caughtAt))}. `}
        Held by {box.holder}.{bestBy && ` Best by ${dayText(bestBy)}.`}
        {!box.own && ' Handed to you.'}
      </p>
      {products.map((product) => (
        <p key={product.title} className="flex flex-wrap justify-between gap-x-4">
          <span>{product.title}</span>
          <span className="tabular-nums">
            {product.price === null
              ? 'not on sale'
              : `${formatDollars(product.price as Cents)}/${product.unit}`}
            , {soldText(product)}
          </span>
        </p>
      ))}
      {products.length === 0 && <p className="text-slate">Not on sale yet.</p>}
      {flags.map((flag) => (
        <p key={flag.id} className="text-sm text-warn">
          {flagged[flag.kind]}{' '}
          {flag.clockWrong ? 'was made with a wrong clock on the phone' : 'was sent late'}: by the phone{' '}
          {momentText(flag.deviceTime, MARKET_TIME_ZONE)}, received{' '}
          {momentText(flag.receivedAt, MARKET_TIME_ZONE)}.
        </p>
      ))}
      <div className="flex flex-wrap gap-3">
        {(['handover', 'reading'] as const).map((kind) => (
          <Button
            key={kind}
            variant="outline"
            className="min-h-12"
            onClick={() => go(`${paths[kind]}?box=${encodeURIComponent(boxID)}`)}
          >
            {kind === 'handover' ? 'Hand over' : 'Read a tag'}
          </Button>
        ))}
      </div>
    </li>
  )
}

/** The labels that are allotted to this supplier, to be printed while there is no box of their numbers. */
function OwnLabels({ labels }: Pick<FieldUser, 'labels'>) {
  if (labels.length === 0) return null
  return (
    <section aria-labelledby="own-labels" className="grid gap-2">
      <h2 id="own-labels" className="text-2xl">
        My labels
      </h2>
      <ul className="divide-y divide-line border-line border-y">
        {labels.map((range) => (
          <Range key={range.first} range={range} />
        ))}
      </ul>
    </section>
  )
}

function Range({ range }: { range: FreeLabels }) {
  const { first, last, free, next } = range
  const [start] = next
  return (
    <li className="py-2">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-mono wrap-anywhere">{first === last ? first : `${first} to ${last}`}</span>
        <span className="text-slate">{free === 0 ? 'all used' : `${free} free`}</span>
      </p>
      {start !== undefined && (
        <details>
          <summary className="link tap">Print {first === last ? 'it' : 'them'}</summary>
          <PrintNumbers
            label={`Print labels from ${first}`}
            first={start}
            count={inARow(next)}
            urlOf={(query) => urlOf(printFieldLabels, { query })}
            failed={(failure, dismiss) => (
              <Alert tone="bad" onDismiss={dismiss}>
                {userMessage(failure)}
              </Alert>
            )}
          />
        </details>
      )}
    </li>
  )
}

/** How many of these free numbers follow one another, from the first. */
function inARow(next: readonly string[]): number {
  const [first = ''] = next
  const gap = numbersFrom({ first, count: next.length }).findIndex((number, i) => number !== next[i])
  return gap < 0 ? next.length : gap
}
