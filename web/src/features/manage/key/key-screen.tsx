import { revokeKey } from '@befaqt/domain/api/endpoints/keys'
import type { ApiKeyView } from '@befaqt/domain/api-key'
import { useEffect, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { CopyButton } from '#web/components/copy-button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { InputField } from '#web/components/field.tsx'
import { Confirm } from '../list/confirm.tsx'
import { CreatePanel } from '../list/create-panel.tsx'
import { valueText } from '../list/differences.ts'
import { HistoryDialog } from '../list/history-dialog.tsx'
import { EmptyList, PlainTable } from '../list/list-table.tsx'
import { RevocableActions } from '../list/revocable-actions.tsx'
import { useFocusAfterRemoval } from '../list/use-focus-after-removal.ts'
import { ManageLayout } from '../manage-layout.tsx'
import type { Read } from '../read.ts'
import { ReadResult } from '../read-result.tsx'
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
  const { revalidate } = useRevalidator()
  const [made, setMade] = useState<{ name: string; key: string } | null>(null)
  const [ending, setEnding] = useState<ApiKeyView | null>(null)
  const [historyOf, setHistoryOf] = useState<{ id: string; name: string } | null>(null)
  const [statusMessage, setStatusMessage] = useState('')
  const working = keys.filter(({ revokedAt }) => revokedAt === null)
  const revoked = keys.filter(({ revokedAt }) => revokedAt !== null)
  const onMade = (key: ApiKeyView & { key: string }) => {
    setStatusMessage('')
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
    setStatusMessage(`Revoked ${name}.`)
    void revalidate()
  }
  return (
    <>
      {made && <KeyShown name={made.name} secret={made.key} onKept={() => setMade(null)} />}
      <CreatePanel title="Create API key" empty={working.length === 0}>
        <KeyAdd onMade={onMade} />
      </CreatePanel>
      <h2 className="mb-2 text-2xl">Key List</h2>
      <p role="status" className="min-h-8 text-good">
        {statusMessage}
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
              <RevocableActions
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
            actions={(key) => <RevocableActions name={key.name} onHistory={() => setHistoryOf(key)} />}
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

type KeyShownProps = { name: string; secret: string; onKept: () => void }

/** The only time that a key can be read: to be copied to the machine that will use it. */
function KeyShown({ name, secret, onKept }: KeyShownProps) {
  const ref = useRef<HTMLElement>(null)
  useEffect(() => ref.current?.focus(), [])
  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-label={`The key ${name}`}
      className="mb-8 grid gap-4 rounded-lg border border-line bg-surface p-4 sm:p-6"
    >
      <Alert tone="good">The key {name} is made. Copy it now: it is shown only once.</Alert>
      <InputField
        label="Key"
        className="font-mono text-sm"
        value={secret}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
        hint="Machines send it as: Authorization: Bearer, then the key"
      />
      <div className="flex flex-wrap gap-3">
        <CopyButton text={secret} />
        <Button onClick={onKept}>I have kept it</Button>
      </div>
    </section>
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
