import type { PackingBox } from '@befaqt/domain/api/order-api'
import { gramsText } from '@befaqt/domain/labelling'
import { Button } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { lineTitle, PrepareAs, quantityText } from '../order-parts.tsx'
import { LineBoxes } from './line-boxes.tsx'
import { boxesOf, hasErrors, lineErrors, type OrderLine, reweighed, type TypedLine } from './packing.ts'
import type { useScale } from './use-scale.ts'

type Props = {
  line: OrderLine
  typed: TypedLine
  boxes: readonly PackingBox[]
  /** Its product comes from boxes. */
  isBoxed: boolean
  /** What was wrong is shown once somebody tried to save. */
  tried: boolean
  scale: ReturnType<typeof useScale>['scale']
  /** Who weighed it when, as it is saved. */
  weighed: string | null
  onChange: (typed: TypedLine) => void
}

/** One line on the packing screen: its weight, and the boxes that it comes from. */
export function PackingLine({ line, typed, boxes, isBoxed, tried, scale, weighed, onChange }: Props) {
  const own = boxesOf(line, boxes)
  const left = (boxID: string) => own.find((box) => box.boxID === boxID)?.left ?? null
  const errors = lineErrors(line, typed, left, isBoxed)
  const hydrated = useHydrated()
  const weigh = (grams: string, by: string) => onChange(reweighed(line, typed, { grams, scale: by }, own))
  const isDone = !hasErrors(errors)
  return (
    <fieldset className="grid gap-4 rounded-lg border border-line bg-surface p-4 sm:p-5">
      <legend className="sr-only">
        Line {line.position}, {lineTitle(line)}
      </legend>
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 className="text-xl">
          {line.title}
          {isDone && <span className="ml-2 text-base text-good">✓ weighed</span>}
        </h2>
        <p className="text-slate tabular-nums">
          {quantityText(line)}
          {line.orderedGrams !== null && `, about ${gramsText(line.orderedGrams)}`}
        </p>
      </div>
      <PrepareAs {...line} />
      {line.orderedGrams !== null && (
        <div className="flex flex-wrap items-end gap-3">
          <div className="w-full max-w-60">
            <InputField
              label="Net weight in grams"
              inputMode="decimal"
              autoComplete="off"
              className="text-lg tabular-nums"
              value={typed.grams}
              readOnly={!hydrated}
              aria-label={`Net weight in grams of ${lineTitle(line)}`}
              error={tried || typed.grams.trim() !== '' ? errors.grams : undefined}
              onChange={(event) => weigh(event.currentTarget.value, '')}
            />
          </div>
          {scale?.reading && scale.reading.grams > 0 && (
            <Button
              disabled={!scale.reading.isStable}
              onClick={() => scale.reading && weigh(String(scale.reading.grams), scale.name)}
            >
              Take {gramsText(scale.reading.grams)}
            </Button>
          )}
        </div>
      )}
      {weighed && <p className="muted">{weighed}</p>}
      <LineBoxes line={line} typed={typed} own={own} isBoxed={isBoxed} tried={tried} onChange={onChange} />
    </fieldset>
  )
}
