import { revokeKey } from '@befaqt/domain/api/endpoints/keys'
import type { ApiKeyView } from '@befaqt/domain/api-key'
import { useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { Dialog } from '#web/components/dialog.tsx'
import { useFocusAfterRemoval } from '#web/components/use-focus-after-removal.ts'
import { StatusMessage } from '../form-parts.tsx'
import { Confirm } from '../list/confirm.tsx'
import { CreatePanel } from '../list/create-panel.tsx'
import { HistoryDialog } from '../list/history-dialog.tsx'
import { PlainTable } from '../list/list-table.tsx'
import { RevocableActions } from '../list/row-action.tsx'
import { ManageLayout } from '../manage-layout.tsx'
import type { Read } from '../read.ts'
import { ReadResult } from '../read-result.tsx'
import { SecretOnce } from '../secret-once.tsx'
import { useAction } from '../use-action.ts'
import { KeyAdd } from './key-add.tsx'
import { keyColumns } from './key-row.tsx'

/** Manage Key: which machines may speak to the shop's API. Source: running.md 'Keys'. */
export function KeyScreen({ found }: { found: Read<ApiKeyView[]> }) {
  return (
    <ManageLayout title="Manage Key">
      <ReadResult found={found}>{(keys) => <Keys keys={keys} />}</ReadResult>
    </ManageLayout>
  )
}

function Keys({ keys }: { keys: readonly ApiKeyView[] }) {
  const { message, done } = useAction()
  const [made, setMade] = useState<{ name: string; key: string } | null>(null)
  const [ending, setEnding] = useState<ApiKeyView | null>(null)
  const [historyOf, setHistoryOf] = useState<{ id: string; name: string } | null>(null)
  const working = keys.filter(({ revokedAt }) => revokedAt === null)
  const revoked = keys.filter(({ revokedAt }) => revokedAt !== null)
  const onMade = (key: ApiKeyView & { key: string }) => {
    setMade(key)
    done('')
  }
  const { place, removing } = useFocusAfterRemoval<HTMLDivElement>('revoke')
  const onRevoked = ({ id, name }: ApiKeyView) => {
    removing(
      working.map((key) => key.id),
      id,
    )
    setEnding(null)
    done(`Revoked ${name}.`)
  }
  return (
    <>
      {made && (
        <div className="mb-8">
          <SecretOnce
            title={`Key “${made.name}”`}
            says={`Key “${made.name}” created.`}
            label="Key"
            secret={made.key}
            hint="Machines send it as: Authorization: Bearer, then the key"
            onKept={() => setMade(null)}
          />
        </div>
      )}
      <CreatePanel title="Create API key" empty={working.length === 0}>
        <KeyAdd onMade={onMade} />
      </CreatePanel>
      <h2 className="mb-2 text-2xl">Key List</h2>
      <StatusMessage message={message} className="min-h-8" />
      <div ref={place}>
        <PlainTable
          caption="Keys"
          columns={keyColumns}
          rows={working}
          idOf={({ id }) => id}
          empty="No machine has a key."
          actions={(key) => (
            <RevocableActions
              name={key.name}
              onRevoke={() => setEnding(key)}
              onHistory={() => setHistoryOf(key)}
            />
          )}
        />
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
            actions={(key) => <RevocableActions name={key.name} onHistory={() => setHistoryOf(key)} />}
          />
        </details>
      )}
      <KeyRevoke of={ending} onRevoked={onRevoked} onClose={() => setEnding(null)} />
      <HistoryDialog entity="key" of={historyOf} onClose={() => setHistoryOf(null)} />
    </>
  )
}

type RevokeProps = { of: ApiKeyView | null; onRevoked: (key: ApiKeyView) => void; onClose: () => void }

/** Asks before a key is ended: whatever uses it is refused from then on. */
function KeyRevoke({ of, onRevoked, onClose }: RevokeProps) {
  return (
    <Dialog open={of !== null} title={`Revoke ${of?.name ?? ''}?`} onClose={onClose}>
      {of && (
        <Confirm
          action="Revoke it for good"
          onClose={onClose}
          onConfirm={async () => {
            await callApi(revokeKey, { params: { id: of.id } })
            onRevoked(of)
          }}
        >
          <p>Whatever uses this key is refused from now on. It can’t be taken back.</p>
          {of.madeBy === null && (
            <p>The shop made it for its own command-line tools. It makes them a new one at its next start.</p>
          )}
        </Confirm>
      )}
    </Dialog>
  )
}
