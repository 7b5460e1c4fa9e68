import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'

type Props = Omit<ComponentProps<typeof Button>, 'aria-label' | 'className'> & {
  /** What kind it is of: arrow keys lead to those of the same kind in other rows, and removal moves the focus so. */
  action: string
  /** What it does and to which row. */
  label: string
}

/** A button at the end of a row. */
export const RowAction = ({ action, label, variant = 'outline', ...rest }: Props) => (
  <Button
    variant={variant}
    className="px-3 lg:whitespace-nowrap"
    data-action={action}
    aria-label={label}
    {...rest}
  />
)

/** Opens what was changed of a row. */
export const HistoryAction = ({ name, ...rest }: Pick<Props, 'disabled' | 'onClick'> & { name: string }) => (
  <RowAction action="history" variant="link" label={`History of ${name}`} {...rest}>
    History
  </RowAction>
)

/** Names a row, and opens the page of what it is about. */
export const RowLink = ({ className = '', ...rest }: ComponentProps<typeof Link>) => (
  <Link
    data-action="open"
    className={`link inline-flex min-h-11 items-center font-semibold ${className}`}
    {...rest}
  />
)

type RevocableProps = { name: string; onRevoke?: (() => void) | undefined; onHistory: () => void }

/** What can be done about a key or a device of a list; one that is revoked can't be revoked again. */
export function RevocableActions({ name, onRevoke, onHistory }: RevocableProps) {
  const hydrated = useHydrated()
  return (
    <>
      {onRevoke && (
        <RowAction action="revoke" label={`Revoke ${name}`} disabled={!hydrated} onClick={onRevoke}>
          Revoke
        </RowAction>
      )}
      <HistoryAction name={name} disabled={!hydrated} onClick={onHistory} />
    </>
  )
}
