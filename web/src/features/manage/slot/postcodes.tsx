import { postcodeRanges } from './slot-values.ts'

/** Entries that are read at a glance. */
const AT_A_GLANCE = 2

/** Where a time delivers to: how many postcodes, and which when asked. Of pick-up (null) nothing. */
export function Postcodes({ area }: { area: readonly string[] | null }) {
  if (area === null) return null
  const ranges = postcodeRanges(area)
  if (ranges.length <= AT_A_GLANCE) return <span className="block muted">{ranges.join(', ')}</span>
  return (
    <details className="muted">
      <summary className="inline-flex min-h-8 items-center underline underline-offset-4 hover:text-teal pointer-coarse:min-h-11">
        {area.length} postcodes
      </summary>
      <p className="max-w-56 wrap-anywhere">{ranges.join(', ')}</p>
    </details>
  )
}
