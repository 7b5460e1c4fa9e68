/** How a value came to be known; `shop`: it stands in no record. Source: protocol §7. */
export type Origin = 'measured' | 'declared' | 'computed' | 'shop'

const meanings: Record<Origin, string> = {
  measured: 'Measured by a device',
  declared: 'Declared by a person',
  computed: 'Computed from the records',
  shop: 'Looked up by the shop: it stands in no record',
}

/** Says beside a value whether it was measured, declared, computed or only said by the shop. */
export function OriginMark({ origin }: { origin: Origin }) {
  return (
    <span
      title={meanings[origin]}
      className="whitespace-nowrap font-normal font-sans text-slate text-xs italic tracking-normal"
    >
      {origin === 'shop' ? 'the shop’s word' : origin}
    </span>
  )
}
