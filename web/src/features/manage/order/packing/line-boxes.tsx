import { measureOf } from '@befaqt/domain/amount'
import { readBoxBalance } from '@befaqt/domain/api/endpoints/managed-orders'
import { MAX_REASON } from '@befaqt/domain/limits'
import { type FormEvent, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { Button } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { boxNumber } from '#web/features/box/find/box-number.ts'
import { canScan, Scanner } from '#web/features/box/find/box-number-field.tsx'
import { amountText, lineTitle } from '../order-parts.tsx'
import {
  type BoxOfLine,
  lineErrors,
  missing,
  type OrderLine,
  packedAmount,
  type TypedLine,
  withBox,
} from './packing.ts'

type Props = {
  line: OrderLine
  typed: TypedLine
  /** Boxes that it may come from. */
  own: readonly BoxOfLine[]
  /** Its product comes from boxes. */
  isBoxed: boolean
  /** What was wrong is shown once somebody tried to save. */
  tried: boolean
  onChange: (typed: TypedLine) => void
}

/** The boxes that a line comes from and how much from each, or why it is from none. */
export function LineBoxes({ line, typed, own, isBoxed, tried, onChange }: Props) {
  const left = (boxID: string) => own.find((box) => box.boxID === boxID)?.left ?? null
  const errors = lineErrors(line, typed, left, isBoxed)
  const rest = missing(line, typed)
  return (
    <div className="grid gap-3">
      {typed.boxes.map(({ boxID, amount }, i) => (
        <div key={boxID} className="flex flex-wrap items-end gap-3">
          <div className="w-full max-w-60">
            <InputField
              label={`From box ${boxID}`}
              inputMode="numeric"
              autoComplete="off"
              className="tabular-nums"
              value={amount}
              hint={hintOf(line, boxID, own)}
              error={tried || amount !== '' ? errors.boxes[i] : undefined}
              onChange={(event) => {
                const changed = { boxID, amount: event.currentTarget.value }
                onChange({ ...typed, boxes: typed.boxes.map((box, at) => (at === i ? changed : box)) })
              }}
            />
          </div>
          <Button
            variant="outline"
            className="px-3"
            aria-label={`Take out box ${boxID} from ${lineTitle(line)}`}
            onClick={() => onChange({ ...typed, boxes: typed.boxes.filter((_, at) => at !== i) })}
          >
            Take out
          </Button>
        </div>
      ))}
      {errors.sum && <p className="font-semibold text-bad text-sm">{errors.sum}</p>}
      {typed.boxes.length === 0 && isBoxed && (
        <NoBox typed={typed} error={tried ? errors.noBox : undefined} onChange={onChange} />
      )}
      {typed.noBox === null &&
        (typed.boxes.length === 0 || rest.value > 0) &&
        packedAmount(line, typed) !== null && (
          <BoxChooser
            line={line}
            boxes={own.filter(
              (box) => box.left.value > 0 && !typed.boxes.some(({ boxID }) => boxID === box.boxID),
            )}
            onChoose={(boxID) => onChange(withBox(line, typed, boxID, left(boxID)))}
          />
        )}
    </div>
  )
}

/** What a box has left, and until when it is at its best. */
function hintOf(line: OrderLine, boxID: string, own: readonly BoxOfLine[]): string | undefined {
  const box = own.find((one) => one.boxID === boxID)
  if (box === undefined) return undefined
  const left = `${amountText(box.left, line.unit)} in it for this`
  return box.bestBy === null ? left : `${left}, best by ${box.bestBy.slice(0, 10)}`
}

type NoBoxProps = { typed: TypedLine; error: string | undefined; onChange: (typed: TypedLine) => void }

/** That a product that comes from boxes is packed from none this time, which needs a reason. */
function NoBox({ typed, error, onChange }: NoBoxProps) {
  const hydrated = useHydrated()
  if (typed.noBox === null)
    return (
      <div>
        <Button
          variant="outline"
          className="border-warn px-3 text-warn"
          disabled={!hydrated}
          onClick={() => onChange({ ...typed, noBox: '' })}
        >
          No box…
        </Button>
        {error && <p className="mt-1 font-semibold text-bad text-sm">{error}</p>}
      </div>
    )
  return (
    <div className="grid justify-items-start gap-3 rounded-md bg-warn-ice p-4">
      <div className="w-full max-w-xl">
        <InputField
          label="Why is it from no box?"
          value={typed.noBox}
          maxLength={MAX_REASON}
          hint="Kept in the history of the order. The buyer does not see it."
          error={error}
          onChange={(event) => onChange({ ...typed, noBox: event.currentTarget.value })}
        />
      </div>
      <Button variant="outline" className="px-3" onClick={() => onChange({ ...typed, noBox: null })}>
        Name a box instead
      </Button>
    </div>
  )
}

type ChooserProps = { line: OrderLine; boxes: readonly BoxOfLine[]; onChoose: (boxID: string) => void }

/** Boxes with some left, the earliest catch first; any other by its label, scanned or typed. */
function BoxChooser({ line, boxes, onChoose }: ChooserProps) {
  const hydrated = useHydrated()
  const [scanning, setScanning] = useState(false)
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const choose = async (boxID: string) => {
    setScanning(false)
    setProblem(null)
    const reason = boxes.some((box) => box.boxID === boxID) ? null : await whyNot(line, boxID)
    if (reason !== null) return setProblem(reason)
    setTyped('')
    onChoose(boxID)
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    const boxID = boxNumber(typed)
    if (boxID === null) setProblem('Type the number under the code on the box.')
    else void choose(boxID)
  }
  return (
    <div className="grid gap-3">
      {boxes.length > 0 && (
        <ul aria-label={`Boxes with ${lineTitle(line)}`} className="flex flex-wrap gap-2">
          {boxes.map(({ boxID, left }) => (
            <li key={boxID}>
              <Button
                variant="outline"
                className="px-3"
                disabled={!hydrated}
                onClick={() => void choose(boxID)}
              >
                Box {boxID}
                <span className="font-normal text-slate tabular-nums">
                  {amountText(left, line.unit)} left
                </span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={onSubmit} className="flex flex-wrap items-end gap-3">
        <div className="w-full max-w-60">
          <InputField
            label="Box number"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            value={typed}
            readOnly={!hydrated}
            aria-label={`Box number for ${lineTitle(line)}`}
            error={problem ?? undefined}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </div>
        <Button type="submit" variant="outline" className="px-3" disabled={!hydrated}>
          Add box
        </Button>
        {hydrated && canScan() && !scanning && (
          <Button variant="outline" className="px-3" onClick={() => setScanning(true)}>
            Scan label
          </Button>
        )}
      </form>
      {scanning && (
        <div className="max-w-sm">
          <Scanner onFound={(boxID) => void choose(boxID)} onStop={() => setScanning(false)} />
        </div>
      )}
    </div>
  )
}

/** Why a line can't come from this box; null: it can. */
export async function whyNot({ product_id, title, unit }: OrderLine, boxID: string): Promise<string | null> {
  try {
    const balances = await callApi(readBoxBalance, { params: { boxID } })
    const own = balances.find((one) => one.product_id === product_id && one.counted === measureOf(unit))
    if (!own) return `Box ${boxID} is not linked to ${title}. Link it on the page of the box first.`
    return own.left > 0 ? null : `Nothing of ${title} is left in box ${boxID}.`
  } catch (error) {
    return userMessage(error)
  }
}
