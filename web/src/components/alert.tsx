import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

export type AlertTone = 'bad' | 'warn' | 'good' | 'own' | 'info'

const tones: Record<AlertTone, string> = {
  bad: 'border-bad bg-bad-ice text-bad',
  warn: 'border-warn bg-warn-ice text-warn',
  good: 'border-good bg-good-ice text-good',
  own: 'border-own bg-own-ice text-own',
  info: 'border-teal bg-teal-ice text-ink',
}

type Props = { tone: AlertTone; children: ReactNode; onDismiss?: () => void; className?: string }

/** A message in a coloured box, read out when it appears: failures at once, the rest when there is a pause. */
export function Alert({ tone, children, onDismiss, className = '' }: Props) {
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={`flex items-start gap-2 rounded-md border-l-4 py-2 pr-2 pl-4 ${tones[tone]} ${className}`}
    >
      <div className="min-w-0 flex-1 py-1.5">{children}</div>
      {onDismiss && (
        <button
          type="button"
          onClick={onDismiss}
          aria-label="Dismiss"
          className="grid size-11 shrink-0 place-items-center rounded-md hover:bg-surface"
        >
          <Icon name="close" />
        </button>
      )}
    </div>
  )
}
