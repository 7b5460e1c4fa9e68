import { type ReactNode, useId } from 'react'
import { Button } from '#web/components/button.tsx'
import { FailureBanner, StatusMessage } from '../form-parts.tsx'
import type { Action } from '../use-action.ts'

type Item = { id: string; text: ReactNode; removal: { label: string; remove: () => void } | null }

type Props = {
  title: string
  action: Action
  /** Stands above the list. */
  news?: ReactNode
  items: readonly Item[]
  empty: string
  /** The form for another one. */
  children: ReactNode
}

/** What is set, each with a button that removes it, and below it the form for more. */
export function SettingsList({ title, action, news, items, empty, children }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="grid content-start gap-3">
      <h2 id={id} className="text-2xl">
        {title}
      </h2>
      {action.failure !== null && <FailureBanner error={action.failure} onDismiss={action.dismiss} />}
      <StatusMessage message={action.message} className="empty:hidden" />
      {news}
      <ul className="divide-y divide-line border-line border-y">
        {items.length === 0 && <li className="py-3 text-slate">{empty}</li>}
        {items.map(({ id, text, removal }) => (
          <li key={id} className="flex min-h-12 flex-wrap items-center justify-between gap-2 py-1">
            <span className="min-w-0 wrap-anywhere">{text}</span>
            {removal && (
              <Button
                variant="outline"
                disabled={!action.ready}
                onClick={removal.remove}
                aria-label={removal.label}
              >
                Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
      {children}
    </section>
  )
}
