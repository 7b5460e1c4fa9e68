import type { ApiKeyView } from '@befaqt/domain/api-key'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { AddPanel } from './add-panel.tsx'
import { ColumnHeads } from './column-heads.tsx'
import { valueText } from './differences.ts'
import { HistoryDialog } from './history-dialog.tsx'
import { KeyAdd } from './key-add.tsx'
import { KeyRevoke } from './key-revoke.tsx'
import { KeyRow, keyGrid } from './key-row.tsx'
import { KeyShown } from './key-shown.tsx'
import { ManageFrame } from './manage-frame.tsx'
import type { Read } from './read.ts'
import { ReadResult } from './read-result.tsx'
import { moveBetweenRows } from './row-keys.ts'

const columns = [
  ['', 'Key'],
  ['', 'It may'],
  ['', 'Boxes'],
  ['', 'Made by'],
  ['', 'Last used'],
  ['', ''],
] as const

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
  const onRevoked = ({ name }: ApiKeyView) => {
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
      {working.length === 0 ? (
        <p className="border-line border-y py-8 text-lg text-slate">No machine has a key.</p>
      ) : (
        <>
          <ColumnHeads columns={columns} grid={keyGrid} />
          <ul aria-label="Keys" onKeyDown={moveBetweenRows} className="border-line border-t">
            {working.map((key) => (
              <KeyRow
                key={key.id}
                of={key}
                onRevoke={() => setEnding(key)}
                onHistory={() => setHistoryOf(key)}
              />
            ))}
          </ul>
        </>
      )}
      {revoked.length > 0 && (
        <details className="mt-6">
          <summary className="link inline-flex min-h-11 items-center">
            {revoked.length} revoked {revoked.length === 1 ? 'key' : 'keys'}
          </summary>
          <ul aria-label="Revoked keys" className="mt-2 border-line border-t">
            {revoked.map((key) => (
              <KeyRow key={key.id} of={key} onHistory={() => setHistoryOf(key)} />
            ))}
          </ul>
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
