/** How a value came to be known. Source: protocol §7. */
export type Origin = 'measured' | 'declared' | 'computed'

const meanings: Record<Origin, string> = {
  measured: 'Measured by a device',
  declared: 'Declared by a person',
  computed: 'Computed from the records',
}

/** Says beside a value whether it was measured, declared or computed. */
export function OriginMark({ origin }: { origin: Origin }) {
  return (
    <span
      title={meanings[origin]}
      className="whitespace-nowrap font-normal font-sans text-slate text-xs italic tracking-normal"
    >
      {origin}
    </span>
  )
}
