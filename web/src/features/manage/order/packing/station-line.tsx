import type { PackingBox } from '@befaqt/domain/api/order-api'
import { gramsText } from '@befaqt/domain/labelling'
import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { boxNumber } from '#web/features/box/find/box-number.ts'
import { lineTitle, PrepareAs, quantityText } from '../order-parts.tsx'
import { LineBoxes, whyNot } from './line-boxes.tsx'
import {
  boxesOf,
  hasErrors,
  lineErrors,
  type OrderLine,
  reweighed,
  type TypedLine,
  typedGrams,
  weightAndBox,
  withScannedBox,
} from './packing.ts'
import type { useScale } from './use-scale.ts'

type Props = {
  line: OrderLine
  typed: TypedLine
  boxes: readonly PackingBox[]
  isBoxed: boolean
  tried: boolean
  scale: ReturnType<typeof useScale>['scale']
  /** What the button says that ends this line. */
  next: string
  onChange: (typed: TypedLine) => void
  onDone: () => void
}

/**
 * The line that is packed now, to be read from an arm's length. Enter in its field takes what the scale says where
 * nothing is typed, sorts out a label that was scanned into it, and goes on once nothing is wrong.
 */
export function StationLine({ line, typed, boxes, isBoxed, tried, scale, next, onChange, onDone }: Props) {
  const own = boxesOf(line, boxes)
  const left = (boxID: string) => own.find((box) => box.boxID === boxID)?.left ?? null
  const errorsOf = (now: TypedLine) => lineErrors(line, now, left, isBoxed)
  const [entered, setEntered] = useState(false)
  /** What is typed or scanned in the field of what is not weighed. */
  const [label, setLabel] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  const errors = errorsOf(typed)
  const isWeighed = line.orderedGrams !== null
  const reading = scale?.reading ?? null
  const ready = reading?.isStable === true && reading.grams > 0
  const weigh = (now: TypedLine, grams: string, by: string) => reweighed(line, now, { grams, scale: by }, own)
  const change = (now: TypedLine) => {
    setProblem(null)
    onChange(now)
  }
  /** Goes on, or says what is wrong. */
  const end = (now: TypedLine) => {
    setEntered(true)
    if (!hasErrors(errorsOf(now))) onDone()
  }
  const scanned = async (now: TypedLine, boxID: string) => {
    const isOwn = own.some((box) => box.boxID === boxID)
    const reason = isOwn ? null : await whyNot(line, boxID)
    if (reason !== null) return setProblem(reason)
    const from = withScannedBox(line, now, boxID, left(boxID))
    onChange(from)
    if (!hasErrors(errorsOf(from))) onDone()
  }
  const enter = () => {
    setProblem(null)
    if (isWeighed && typed.grams.trim() === '' && ready && scale) {
      const now = weigh(typed, String(reading.grams), scale.name)
      onChange(now)
      return end(now)
    }
    const found = isWeighed ? weightAndBox(typed.grams, own) : { grams: '', boxID: boxNumber(label) }
    if (found.boxID === null) return end(typed)
    const now = { ...typed, grams: found.grams }
    setLabel('')
    onChange(now)
    void scanned(now, found.boxID)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    if (!event.repeat) enter()
  }
  const field = {
    ref: first,
    autoComplete: 'off',
    spellCheck: false,
    className: 'h-20 text-4xl tabular-nums',
    onFocus: (event: FocusEvent<HTMLInputElement>) => event.currentTarget.select(),
    onKeyDown,
  }
  return (
    <section aria-label={`Line ${line.position}`} className="grid content-start gap-5">
      <div>
        <h3 className="text-2xl sm:text-3xl">{line.title}</h3>
        <p className="text-slate text-xl tabular-nums">
          {quantityText(line)}
          {line.orderedGrams !== null && `, about ${gramsText(line.orderedGrams)}`}
        </p>
        <PrepareAs {...line} />
      </div>
      <div className="grid gap-3 sm:grid-cols-[minmax(0,20rem)_auto_auto] sm:items-start sm:justify-start">
        {isWeighed ? (
          <InputField
            {...field}
            label="Net weight in grams"
            hint={differenceText(line, typed)}
            inputMode="decimal"
            value={typed.grams}
            aria-label={`Net weight in grams of ${lineTitle(line)}`}
            error={problem ?? (tried || entered ? errors.grams : undefined)}
            onChange={(event) => change(weigh(typed, event.currentTarget.value, ''))}
          />
        ) : (
          <InputField
            {...field}
            label="Label of its box"
            hint="Scan it where it is from another box than below. Enter goes on."
            inputMode="none"
            value={label}
            aria-label={`Label of the box of ${lineTitle(line)}`}
            error={problem ?? undefined}
            onChange={(event) => setLabel(event.currentTarget.value)}
          />
        )}
        <Button className="h-20 text-xl sm:mt-8" onClick={() => end(typed)}>
          {next}
        </Button>
        {isWeighed && reading !== null && reading.grams > 0 && (
          <Button
            variant="outline"
            className="h-20 text-2xl tabular-nums sm:mt-8"
            disabled={!reading.isStable}
            onClick={() => {
              if (scale) change(weigh(typed, String(reading.grams), scale.name))
              first.current?.focus()
            }}
          >
            Take {gramsText(reading.grams)}
          </Button>
        )}
      </div>
      <LineBoxes
        line={line}
        typed={typed}
        own={own}
        isBoxed={isBoxed}
        tried={tried || entered}
        onChange={change}
      />
    </section>
  )
}

/** How far a weight is from what was ordered, which a packer sees at once. */
function differenceText({ orderedGrams }: OrderLine, { grams }: TypedLine): string {
  const weighed = typedGrams(grams)
  if (orderedGrams === null || weighed === null) return 'Scan the label of another box into this field, too.'
  const off = weighed - orderedGrams
  if (off === 0) return 'As ordered.'
  return `${gramsText(Math.abs(off))} ${off > 0 ? 'more' : 'less'} than ordered.`
}
