import type { ReactNode } from 'react'

export type BadgeTone = 'plain' | 'teal' | 'good' | 'warn' | 'bad'

const tones: Record<BadgeTone, string> = {
  plain: 'bg-ice text-ink',
  teal: 'bg-teal-ice text-teal-deep',
  good: 'bg-good-ice text-good',
  warn: 'bg-warn-ice text-warn',
  bad: 'bg-bad-ice text-bad',
}

/** A word or two on a coloured ground. */
export function Badge({ tone = 'plain', children }: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <span className={`inline-block rounded-sm px-2 py-0.5 font-semibold text-sm ${tones[tone]}`}>
      {children}
    </span>
  )
}
