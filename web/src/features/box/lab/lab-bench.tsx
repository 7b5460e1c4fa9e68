import { boxPath } from '@befaqt/domain/page-paths'
import { Link } from 'react-router'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { Icon } from '#web/components/icon.tsx'
import { useOnline } from '#web/components/use-online.ts'
import { keptNodes } from '../check/kept-by-browser.ts'
import { AttackList } from './attack-list.tsx'
import type { LabOrder } from './lab-types.ts'
import { OutcomePanel } from './outcome-panel.tsx'
import { type LabState, useLab } from './use-lab.ts'

type Props = { boxID: string } & Pick<LabOrder, 'contract' | 'market'>

/** A copy of a real box, attacks on it, and what the check of the box page makes of them. */
export default function LabBench({ boxID, contract, market }: Props) {
  const { timeZone, latitude, longitude } = market
  const place = { timeZone, latitude, longitude }
  const { state, make, again } = useLab({ boxID, nodes: keptNodes(), contract, market: place })
  const isOnline = useOnline()
  if (state.phase === 'opening') return <p role="status">Fetching box {boxID} and its proof…</p>
  if (state.phase === 'failed')
    return (
      <Alert tone="warn">
        <p className="text-ink">
          {isOnline ? state.message : 'You are offline, and the box was not fetched yet.'}
        </p>
        <Button variant="outline" className="mt-3" onClick={again}>
          Try again
        </Button>
      </Alert>
    )
  const { box, moves, outcome, isChecking } = state
  return (
    <>
      <p className="mb-6">
        On the bench: {box.species ? `${box.species}, ` : ''}
        <Link to={boxPath(box.boxID)} className="link font-semibold">
          box {box.boxID}
        </Link>
        , a copy of its {box.records} records.
        {!isOnline &&
          ' You are offline, and that does not matter: nothing of this needs the network any more.'}
      </p>
      <div className="grid grid-cols-1 gap-10 lg:grid-cols-2 print:grid-cols-1">
        <AttackList box={box} moves={moves} make={make} />
        <OutcomePanel
          outcome={outcome}
          isChecking={isChecking}
          onUndo={(attack) => make(moves.filter((move) => move.attack !== attack))}
          onUndoAll={() => make([])}
        />
      </div>
      {moves.length > 0 && <Strip state={state} onUndoAll={() => make([])} />}
    </>
  )
}

type StripProps = { state: Extract<LabState, { phase: 'open' }>; onUndoAll: () => void }

/** The verdict in sight of the button that was pressed, however far down that is. */
function Strip({ state: { outcome, moves }, onUndoAll }: StripProps) {
  const { tone, title } = outcome.line
  const isBad = tone === 'bad'
  return (
    <div
      className={`no-print sticky bottom-0 z-10 mt-8 flex lg:hidden flex-wrap items-center gap-x-4 rounded-t-lg border border-b-0 px-4 py-1 ${isBad ? 'border-bad bg-bad-ice' : 'border-own bg-own-ice'}`}
    >
      <p className="flex min-w-0 flex-1 items-center gap-2 font-semibold">
        <Icon name={isBad ? 'close' : 'check'} className="size-5" />
        <span className="min-w-0 truncate">{title}</span>
        <span className="sr-only">, after {moves.length === 1 ? '1 attack' : `${moves.length} attacks`}</span>
      </p>
      <a href="#verdict" className="link tap">
        See why
      </a>
      <button type="button" className="link tap" onClick={onUndoAll}>
        {moves.length === 1 ? 'Undo' : 'Undo all'}
      </button>
    </div>
  )
}
