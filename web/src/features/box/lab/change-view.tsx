import { Button } from '#web/components/button.tsx'
import type { LabChange, MoveResult } from './lab-types.ts'
import { attackWords } from './lab-words.ts'

type Props = { result: MoveResult; onUndo?: () => void }

/** One attack: what it changed, before and after side by side, and why that is found or is not. */
export function ChangeView({ result, onUndo }: Props) {
  const { move, isVoid, changes, more } = result
  const { title, why } = attackWords[move.attack]
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-xl">{title}</h3>
        {onUndo && (
          <Button variant="outline" aria-label={`Undo: ${title}`} className="no-print" onClick={onUndo}>
            Undo
          </Button>
        )}
      </div>
      {isVoid ? (
        <p className="mt-2 text-slate">
          After what was done before, there is nothing left to do this to: it changed nothing.
        </p>
      ) : (
        <>
          <p className="mt-1">{why}</p>
          <ul className="mt-3 grid gap-4">
            {changes.map((change) => (
              <li key={keyOf(change)}>
                <OneChange change={change} />
              </li>
            ))}
          </ul>
          {more > 0 && (
            <p className="mt-2 muted">
              And {more} more {more === 1 ? 'place' : 'places'} that follow from it.
            </p>
          )}
        </>
      )}
    </>
  )
}

const keyOf = (change: LabChange): string =>
  'name' in change ? `${change.of} ${change.name}` : `${change.of} ${change.at}`

function OneChange({ change }: { change: LabChange }) {
  const fields = 'fields' in change ? change.fields : []
  return (
    <>
      <p className="font-semibold">{placeText(change)}</p>
      <dl className="mt-1 grid gap-1">
        {fields.map(({ name, before, after }) => (
          <Pair key={name} name={name} before={before} after={after} />
        ))}
        {change.of === 'page' ? (
          <Pair name={change.name} before={change.should} after={change.is} />
        ) : (
          <Hashes change={change} />
        )}
      </dl>
    </>
  )
}

const places: Record<LabChange['of'], string> = {
  record: 'Record',
  proof: 'In the proof, the root of anchor',
  node: 'What the node says of the root of anchor',
  log: 'The root of the log',
  seal: 'The head of the state that closed the box',
  page: 'What the page shows',
  file: 'The file',
}

function placeText(change: LabChange): string {
  if ('name' in change)
    return change.of === 'file' ? `The file ${change.name.split('/').at(-1)}` : places[change.of]
  const { of, at, kind, should, is } = change
  const gone = is === null ? ', taken away' : should === null ? ', put in' : ''
  return [places[of], at].filter((part) => part !== null).join(' ') + (kind ? `, ${kind}` : '') + gone
}

/** A value before and after. */
function Pair({ name, before, after }: { name: string; before: string | null; after: string | null }) {
  return (
    <div className="grid gap-x-4 sm:grid-cols-[8rem_1fr_1fr]">
      <dt className="text-slate">{name}</dt>
      <dd className="wrap-anywhere">
        <span className="sr-only">before: </span>
        {before ?? '–'}
      </dd>
      <dd className="wrap-anywhere font-semibold text-bad">
        <span className="sm:sr-only">now: </span>
        {after ?? '–'}
      </dd>
    </div>
  )
}

/** The hash that should be there, and the one that is. */
function Hashes({ change }: { change: Exclude<LabChange, { of: 'page' }> }) {
  return (
    <>
      {change.should !== null && (
        <div className="grid gap-x-4 sm:grid-cols-[8rem_1fr]">
          <dt className="text-slate">hash it should have</dt>
          <dd className="break-all font-mono text-sm">{change.should}</dd>
        </div>
      )}
      {change.is !== null && (
        <div className="grid gap-x-4 sm:grid-cols-[8rem_1fr]">
          <dt className="text-slate">hash it has</dt>
          <dd className="break-all font-mono text-bad text-sm">{change.is}</dd>
        </div>
      )}
    </>
  )
}
