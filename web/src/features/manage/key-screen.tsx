import type { ApiKeyView } from '@befaqt/domain/api-key'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { AddPanel } from './add-panel.tsx'
import { valueText } from './differences.ts'
import { HistoryDialog } from './history-dialog.tsx'
import { KeyAdd } from './key-add.tsx'
import { KeyRevoke } from './key-revoke.tsx'
import { KeyActions, keyColumns } from './key-row.tsx'
import { KeyShown } from './key-shown.tsx'
import { EmptyList, PlainTable } from './list/list-table.tsx'
import { useFocusAfterRemoval } from './list/use-focus-after-removal.ts'
import { ManageFrame } from './manage-frame.tsx'
import type { Read } from './read.ts'
import { ReadResult } from './read-result.tsx'

/** Manage Key: which machines may speak to the shop's API. Source: running.md 'Keys'. */
export function KeyScreen({ found }: { found: Read<ApiKeyView[]> }) {
  return (
    <ManageFrame title="Manage Key">
      <ReadResult found={found}>{(keys) => <Keys keys={keys} />}</ReadResult>
    </ManageFrame>
  )
}

function Keys({ keys }: { keys: readonly ApiKeyView[] }) {
  const { revalidate } = useRevalidator()
  const [made, setMade] = useState<{ name: string; key: string } | null>(null)
  const [ending, setEnding] = useState<ApiKeyView | null>(null)
  const [historyOf, setHistoryOf] = useState<{ id: string; name: string } | null>(null)
  const [said, setSaid] = useState('')
  const working = keys.filter(({ revokedAt }) => revokedAt === null)
  const revoked = keys.filter(({ revokedAt }) => revokedAt !== null)
  const onMade = (key: ApiKeyView & { key: string }) => {
    setSaid('')
    setMade(key)
    void revalidate()
  }
  const { place, removing } = useFocusAfterRemoval<HTMLDivElement>('revoke')
  const onRevoked = ({ id, name }: ApiKeyView) => {
    removing(
      working.map((key) => key.id),
      id,
    )
    setEnding(null)
    setSaid(`Revoked ${name}.`)
    void revalidate()
  }
  return (
    <>
      {made && <KeyShown name={made.name} secret={made.key} onKept={() => setMade(null)} />}
      <AddPanel title="Make a Key" empty={working.length === 0}>
        <KeyAdd onMade={onMade} />
      </AddPanel>
      <h2 className="mb-2 text-2xl">Key List</h2>
      <p role="status" className="min-h-8 text-good">
        {said}
      </p>
      <div ref={place}>
        {working.length === 0 ? (
          <EmptyList>No machine has a key.</EmptyList>
        ) : (
          <PlainTable
            caption="Keys"
            columns={keyColumns}
            rows={working}
            idOf={({ id }) => id}
            actions={(key) => (
              <KeyActions
                name={key.name}
                onRevoke={() => setEnding(key)}
                onHistory={() => setHistoryOf(key)}
              />
            )}
          />
        )}
      </div>
      {revoked.length > 0 && (
        <details className="mt-6">
          <summary className="link inline-flex min-h-11 items-center">
            {revoked.length} revoked {revoked.length === 1 ? 'key' : 'keys'}
          </summary>
          <PlainTable
            caption="Revoked keys"
            columns={keyColumns}
            rows={revoked}
            idOf={({ id }) => id}
            actions={(key) => <KeyActions name={key.name} onHistory={() => setHistoryOf(key)} />}
          />
        </details>
      )}
      <KeyRevoke of={ending} onRevoked={onRevoked} onClose={() => setEnding(null)} />
      <HistoryDialog
        entity="key"
        of={historyOf}
        valueText={(_, value) => valueText(value)}
        onClose={() => setHistoryOf(null)}
      />
    </>
  )
}
