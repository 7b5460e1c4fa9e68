import { Button } from '#web/components/button.tsx'
import { DifferenceTable } from './difference-table.tsx'
import type { Difference } from './differences.ts'

type Props = {
  name: string
  /** From what was typed here to what the other manager saved. */
  rows: readonly Difference[]
  onKeep: () => void
  onTake: () => void
}

/** Two managers changed the same thing: what the other one saved, and whose words stay. */
export function StaleNotice({ name, rows, onKeep, onTake }: Props) {
  return (
    <div className="mt-3 grid gap-3 text-ink">
      {rows.length === 0 ? (
        <p>The other change of {name} says the same as yours.</p>
      ) : (
        <>
          <p>What you typed, and what {name} is now:</p>
          <DifferenceTable rows={rows} caption={`Yours and theirs for ${name}`} />
        </>
      )}
      <div className="flex flex-wrap gap-3">
        <Button onClick={onKeep}>Keep editing mine</Button>
        <Button look="quiet" onClick={onTake}>
          Take theirs
        </Button>
      </div>
    </div>
  )
}
