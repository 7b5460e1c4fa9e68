import { useHydrated } from '#web/components/hydration.tsx'
import { HistoryAction, RowAction } from './row-action.tsx'

type Props = { name: string; onRevoke?: (() => void) | undefined; onHistory: () => void }

/** What can be done about a key or a device of a list; one that is revoked can't be revoked again. */
export function RevocableActions({ name, onRevoke, onHistory }: Props) {
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
