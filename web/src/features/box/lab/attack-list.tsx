import { useState } from 'react'
import { Icon } from '#web/components/icon.tsx'
import { formatTime, useMarketZone } from '#web/time/time.tsx'
import type { Choice, LabAttack, LabBox, Move, Target } from './lab-types.ts'
import { attackGroups, attackWords, obstacleWords } from './lab-words.ts'

type Props = { box: LabBox; moves: readonly Move[]; make: (moves: readonly Move[]) => void }

/** Every attack as a button that does it to the copy, and takes it back when it is pressed again. */
export function AttackList({ box, moves, make }: Props) {
  return (
    <div className="no-print grid grid-cols-1 content-start gap-8">
      {attackGroups.map(({ title, attacks }) => (
        <section key={title} aria-label={title}>
          <h2 className="mb-3 text-2xl">{title}</h2>
          <ul className="grid grid-cols-1 gap-3">
            {attacks.map((attack) => (
              <li key={attack}>
                <AttackCard attack={attack} choice={box.choices[attack]} moves={moves} make={make} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

type CardProps = Omit<Props, 'box'> & { attack: LabAttack; choice: Choice }

/** One attack: its button, what somebody would gain by it, and which record it is about. */
function AttackCard({ attack, choice, moves, make }: CardProps) {
  const { title, does } = attackWords[attack]
  const [chosen, setChosen] = useState('first' in choice ? choice.first : 0)
  const isDone = moves.some((move) => move.attack === attack)
  const others = moves.filter((move) => move.attack !== attack)
  const obstacle = 'obstacle' in choice ? obstacleWords[choice.obstacle] : null
  const choose = (seq: number) => {
    setChosen(seq)
    if (isDone) make(moves.map((move) => (move.attack === attack ? { attack, seq } : move)))
  }
  return (
    <div className={`rounded-lg border p-4 ${isDone ? 'border-bad bg-bad-ice' : 'border-line bg-surface'}`}>
      <button
        type="button"
        aria-pressed={isDone}
        disabled={obstacle !== null}
        onClick={() => make(isDone ? others : [...moves, { attack, seq: chosen }])}
        className="tap w-full gap-3 text-left font-semibold text-lg leading-snug enabled:hover:text-teal disabled:text-slate"
      >
        <span
          className={`grid size-6 shrink-0 place-items-center rounded-full border ${isDone ? 'border-transparent bg-bad text-surface' : 'border-edge'}`}
        >
          {isDone && <Icon name="check" className="size-4" />}
        </span>
        {title}
      </button>
      <p className="mt-1 text-slate">{obstacle === null ? does : `${does} ${obstacle}`}</p>
      {'targets' in choice && choice.targets.length > 1 && (
        <TargetField title={title} targets={choice.targets} chosen={chosen} onChoose={choose} />
      )}
    </div>
  )
}

type FieldProps = {
  title: string
  targets: readonly Target[]
  chosen: number
  onChoose: (seq: number) => void
}

function TargetField({ title, targets, chosen, onChoose }: FieldProps) {
  const zone = useMarketZone()
  return (
    <label className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="muted">
        Record<span className="sr-only"> for: {title}</span>
      </span>
      <select
        value={chosen}
        onChange={({ currentTarget }) => onChoose(Number(currentTarget.value))}
        className="min-h-11 min-w-0 flex-1 rounded-md border border-edge bg-surface px-3 py-2 tabular-nums"
      >
        {targets.map((target) => (
          <option key={target.seq} value={target.seq}>
            {targetText(target, formatTime(target.at, zone))}
          </option>
        ))}
      </select>
    </label>
  )
}

function targetText({ seq, kind, temperature, grams }: Target, time: string): string {
  const what = temperature !== null ? `${temperature} °C` : grams !== null ? `${kind} of ${grams} g` : kind
  return `${seq}: ${what}, ${time}`
}
