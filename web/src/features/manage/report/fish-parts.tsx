import type { FishReport, FishSums } from '@befaqt/domain/api/desk-api'
import { Td } from '#web/components/table.tsx'

/** A line of a report of fish. */
export type Row = FishReport['rows'][number]

/** Kilograms, or how many pieces. */
export const amountText = (value: number, { measure }: Pick<Row, 'measure'>): string =>
  measure === 'grams'
    ? `${(value / 1_000).toLocaleString('en-AU', { minimumFractionDigits: 1, maximumFractionDigits: 1 })} kg`
    : `${value.toLocaleString('en-AU')} pcs`

/** A share as a percentage, to a tenth; of nothing there is none. */
export const percent = (part: number, whole: number): string =>
  whole <= 0 ? '–' : `${Math.round((part / whole) * 1_000) / 10} %`

/** `relative`: what only screen readers are told stays within what scrolls. */
const number = 'relative text-right tabular-nums whitespace-nowrap'

/** A figure, and below it what it was before. */
export const Both = ({ now, before }: { now: string; before: string | null }) => (
  <Td className={number}>
    {now}
    {before !== null && (
      <span className="block font-normal text-sm muted">
        <span className="sr-only">before: </span>
        {before}
      </span>
    )}
  </Td>
)

/** What is weighed, and what is counted, each where there is any. */
export const byMeasure = <One extends Pick<Row, 'measure'>>(
  rows: readonly One[],
): [Row['measure'], One[]][] =>
  (['grams', 'pieces'] as const).flatMap((measure) => {
    const some = rows.filter((row) => row.measure === measure)
    return some.length === 0 ? [] : [[measure, some]]
  })

/** What is weighed and what is counted, in all, where there is any. */
export const sumsOfAll = (totals: readonly Row[]): Row[] =>
  totals
    .filter(({ now, before }) => now.boxes + (before?.boxes ?? 0) > 0)
    .map((row) => ({ ...row, name: row.measure === 'grams' ? 'All by weight' : 'All by number' }))

/** How fresh fish was said to be when it was sold, the freshest first, each with its colours in charts. */
export const freshnessWords = [
  ['excellent', 'Excellent', 'fill-teal', 'bg-teal'],
  ['good', 'Good', 'fill-teal/50', 'bg-teal/50'],
  ['useSoon', 'Use soon', 'fill-warn', 'bg-warn'],
  ['over', 'Past its best', 'fill-bad', 'bg-bad'],
  ['unsaid', 'Not said', 'fill-edge', 'bg-edge'],
] as const satisfies readonly (readonly [keyof FishSums, ...string[]])[]

/** '80 % excellent, 20 % good'. */
export function freshnessText(sums: FishSums): string {
  if (sums.sold <= 0) return 'nothing sold'
  return freshnessWords
    .filter(([name]) => sums[name] > 0)
    .map(([name, word]) => `${percent(sums[name], sums.sold)} ${word.toLowerCase()}`)
    .join(', ')
}
