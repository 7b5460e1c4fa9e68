import { putBackOnSale, setBoxSale, takeOffSale } from '@befaqt/domain/api/endpoints/excursions'
import type { BoxSaleChange } from '@befaqt/domain/api/recall-api'
import type { BoxInDoubt } from '@befaqt/domain/api/today-api'
import { mayAtDesk } from '@befaqt/domain/rights'
import { useState } from 'react'
import { Link } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { Button } from '#web/components/button.tsx'
import { useViewer } from '#web/root-data.ts'
import { Moment } from '#web/time/time.tsx'
import { FailureBanner } from '../form-parts.tsx'
import { useAction } from '../manage-layout.tsx'
import { excursionPath, managedBoxPath } from '../paths.ts'
import { Panel, rowsClass } from './panel.tsx'

/** What was pressed here: of which box, and what came of it. */
type Told = { boxID: string; words: string }

/** Boxes with an excursion or a complaint: taken off sale by one press, which another takes back. */
export function BoxesInDoubt({ list }: { list: readonly BoxInDoubt[] }) {
  const { run, failure, dismiss, busy, ready } = useAction()
  const viewer = useViewer()
  /** Boxes that were taken off sale here, with when the shop says that it was: each can be taken back. */
  const [own, setOwn] = useState<ReadonlyMap<string, string>>(new Map())
  const [told, setTold] = useState<Told | null>(null)
  if (list.length === 0) return null
  const act = (boxID: string, work: () => Promise<string>): void => {
    dismiss()
    setTold({ boxID, words: '' })
    void run(async () => {
      const words = await work()
      setTold({ boxID, words })
      return words
    })
  }
  const takeOff = (box: BoxInDoubt): void =>
    act(box.boxID, async () => {
      const sale = await stopped(box, mayAtDesk(viewer, 'box:write'))
      const { offSale, changed } = sale
      if (!changed) return `${offSale?.by ?? 'Somebody'} had taken box ${box.boxID} off sale already.`
      if (offSale?.at) setOwn((all) => new Map(all).set(box.boxID, offSale.at ?? ''))
      return `Box ${box.boxID} is off sale: nothing of it is sold, packed or handed out.`
    })
  const undo = (box: BoxInDoubt, since: string): void =>
    act(box.boxID, async () => {
      const { boxID, excursion } = box
      // Where somebody else decided something since, it can't be taken back here, whatever the answer.
      setOwn((all) => new Map([...all].filter(([id]) => id !== boxID)))
      if (excursion && mayAtDesk(viewer, 'box:write'))
        await callApi(putBackOnSale, { params: { id: excursion.id }, query: { since } })
      else await callApi(setBoxSale, { params: { boxID }, body: { offSale: false, since } })
      return `Box ${boxID} is on sale again.`
    })
  return (
    <Panel id="in-doubt" title="Boxes in doubt">
      <p role="status" className="sr-only">
        {told?.words}
      </p>
      <ul className={rowsClass}>
        {list.map((box) => {
          const { boxID, excursion } = box
          const may = mayAtDesk(viewer, 'order:write') || (excursion && mayAtDesk(viewer, 'box:write'))
          const since = own.get(boxID)
          const isHere = told?.boxID === boxID
          return (
            <li key={boxID} className="grid items-start gap-x-6 gap-y-2 py-2 md:grid-cols-[1fr_16rem]">
              <div className="min-w-0">
                <Doubt of={box} />
              </div>
              {may && (
                <TakeOff
                  box={box}
                  isReady={ready && !busy}
                  onTakeOff={() => takeOff(box)}
                  onUndo={since === undefined ? null : () => undo(box, since)}
                />
              )}
              {isHere && (
                <div className="col-span-full empty:hidden">
                  {told.words !== '' && <p className="font-semibold text-good">{told.words}</p>}
                  {failure !== null && <FailureBanner error={failure} onDismiss={dismiss} />}
                </div>
              )}
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}

/** Takes it off sale by the right that whoever presses has: with a note at its excursion, or with a reason of its own. */
async function stopped({ boxID, excursion }: BoxInDoubt, seesBoxes: boolean): Promise<BoxSaleChange> {
  if (excursion && seesBoxes) return (await callApi(takeOffSale, { params: { id: excursion.id } })).sale
  const reason = 'Complaint about its fish'
  return callApi(setBoxSale, { params: { boxID }, body: { offSale: true, reason } })
}

/** What is wrong with a box, and what taking it off sale stops, or stopped. */
function Doubt({ of: { boxID, species, excursion, complaints, sale, ...box } }: { of: BoxInDoubt }) {
  return (
    <>
      <Link
        to={excursion ? excursionPath(excursion.id) : managedBoxPath(boxID)}
        className="inline-flex min-h-8 items-center font-semibold wrap-anywhere hover:text-teal"
      >
        Box {boxID}
        {species && `, ${species}`}
      </Link>
      {excursion && (
        <p className="text-sm text-warn">
          {excursion.text} Since <Moment at={excursion.since} />
          {excursion.endedAt ? ', over by itself' : ', and going on'}.
        </p>
      )}
      {complaints > 0 && (
        <p className="text-bad text-sm">
          <Link to="/manage/order?status=complaint-check" className="underline underline-offset-4">
            {complaints === 1 ? '1 complaint' : `${complaints} complaints`}
          </Link>{' '}
          that its fish is not fresh or made somebody ill
        </p>
      )}
      <p className="muted">
        <Sale sale={sale} {...box} />
      </p>
    </>
  )
}

const listed = (titles: readonly string[]): string => titles.join('; ')

function Sale({ sale, stops, goesOn, orders }: Pick<BoxInDoubt, 'sale' | 'stops' | 'goesOn' | 'orders'>) {
  if (sale.recalled) return 'Recalled: nothing of it is sold.'
  if (sale.offSale !== null)
    return (
      <>
        Off sale
        {sale.offSale.at && (
          <>
            {' '}
            since <Moment at={sale.offSale.at} />
          </>
        )}
        {sale.offSale.by && ` by ${sale.offSale.by}`}: nothing of it is sold.
      </>
    )
  const held = orders === 1 ? '1 packed order of it stays' : `${orders} packed orders of it stay`
  return [
    `Taking it off sale stops ${stops.length === 0 ? 'no listed product' : listed(stops)}`,
    orders === 0 ? '.' : `; ${held} in the shop.`,
    goesOn.length === 0 ? '' : ` Other boxes go on with ${listed(goesOn)}.`,
  ].join('')
}

type TakeOffProps = { box: BoxInDoubt; isReady: boolean; onTakeOff: () => void; onUndo: (() => void) | null }

/** The button stays where it is once it was pressed: a second press does nothing, and the way back is beside it. */
function TakeOff({ box: { boxID, sale }, isReady, onTakeOff, onUndo }: TakeOffProps) {
  if (sale.recalled) return null
  const isOff = sale.offSale !== null
  return (
    <div className="flex min-h-11 items-center gap-2 md:flex-row-reverse">
      <Button
        variant="outline"
        className="min-w-40"
        aria-label={`${isOff ? 'Off sale' : 'Take off sale'}: box ${boxID}`}
        aria-disabled={!isReady || isOff}
        onClick={() => isReady && !isOff && onTakeOff()}
      >
        {isOff ? 'Off sale' : 'Take off sale'}
      </Button>
      {onUndo && (
        <Button
          variant="link"
          className="px-2"
          aria-label={`Undo: put box ${boxID} back on sale`}
          aria-disabled={!isReady}
          onClick={() => isReady && onUndo()}
        >
          Undo
        </Button>
      )}
    </div>
  )
}
