import { LineDrawing } from '#web/components/icon.tsx'

/** Where a value comes from; `shop`: it is in no record. Source: protocol §7. */
export type Origin = 'measured' | 'declared' | 'computed' | 'shop'

const origins: Record<Origin, { word: string; meaning: string; drawing: string }> = {
  measured: {
    word: 'measured',
    meaning: 'by a device',
    drawing: 'M14 14.2V5.5a2 2 0 0 0-4 0v8.7a4 4 0 1 0 4 0zM12 9v8',
  },
  declared: {
    word: 'declared',
    meaning: 'by a person, in their own words',
    drawing: 'm5 19 1-4L16 5l3 3L9 18zM13.5 7.5l3 3',
  },
  computed: {
    word: 'computed',
    meaning: 'from the records, by a formula that the page names',
    drawing: 'M17 8V5.5H7l6 6.5-6 6.5h10V16',
  },
  shop: {
    word: 'the shop’s word',
    meaning: 'looked up by the shop: it is in no record, so nothing proves it',
    drawing: 'M4.5 10 6 5h12l1.5 5zM6 10v9h12v-9M10 19v-5h4v5',
  },
}

const LEGEND = 'origins'

function Drawing({ origin }: { origin: Origin }) {
  return (
    <LineDrawing className="size-4">
      <path d={origins[origin].drawing} />
    </LineDrawing>
  )
}

/** Says beside a value how it came to be known; pressed, it opens the legend. On paper it is the word. */
export function OriginMark({ origin }: { origin: Origin }) {
  const { word, meaning } = origins[origin]
  return (
    <>
      <button
        type="button"
        popoverTarget={LEGEND}
        title={`${word}: ${meaning}`}
        className="inline-grid size-6 shrink-0 place-items-center self-center rounded-full align-middle text-slate hover:bg-ice hover:text-ink"
      >
        <span className="sr-only">{word}</span>
        <Drawing origin={origin} />
      </button>
      <span
        aria-hidden={origin === 'shop' || undefined}
        className={`font-normal font-sans text-slate text-xs italic print:inline ${origin === 'shop' ? '' : 'hidden'}`}
      >
        {word}
      </span>
    </>
  )
}

/** What the marks mean: once on a page that has them. */
export function OriginLegend() {
  return (
    <div
      id={LEGEND}
      popover="auto"
      className="m-auto max-w-[min(26rem,calc(100vw-2rem))] rounded-lg border border-edge bg-surface p-6 text-ink"
    >
      <h2 className="mb-3 text-xl">Where a value comes from</h2>
      <dl className="grid gap-3">
        {(Object.keys(origins) as Origin[]).map((origin) => (
          <div key={origin} className="grid grid-cols-[1.5rem_1fr] items-start gap-2">
            <dt className="contents">
              <Drawing origin={origin} />
              <b className="font-semibold">{origins[origin].word}</b>
            </dt>
            <dd className="col-start-2 text-slate">{origins[origin].meaning}</dd>
          </div>
        ))}
      </dl>
      <button
        type="button"
        popoverTarget={LEGEND}
        popoverTargetAction="hide"
        className="link mt-3 min-h-11 font-semibold"
      >
        Close
      </button>
    </div>
  )
}
