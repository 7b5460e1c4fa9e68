/** A hash, shortened to what tells it apart; the whole one is its title. */
export function ShortHash({ hash }: { hash: string }) {
  return (
    <code title={hash} className="whitespace-nowrap font-mono text-slate text-sm">
      {hash.slice(0, hash.startsWith('0x') ? 10 : 8)}…{hash.slice(-6)}
    </code>
  )
}
