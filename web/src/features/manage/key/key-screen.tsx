import { makeKey, revokeKey } from '@befaqt/domain/api/endpoints/manage'
import type { ApiKeyView } from '@befaqt/domain/api-key'
import { keyRights } from '@befaqt/domain/rights'
import { useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { Badge } from '#web/components/badge.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { InputField, TextAreaField } from '#web/components/field.tsx'
import { useFocusAfterRemoval } from '#web/components/use-focus-after-removal.ts'
import { useForm } from '#web/forms/use-form.ts'
import { useKeptForm } from '#web/forms/use-kept-form.ts'
import { Moment } from '#web/time/time.tsx'
import {
  Confirm,
  CreatePanel,
  FailureBanner,
  FormActions,
  SecretOnce,
  StatusMessage,
  TickedNames,
} from '../form-parts.tsx'
import { columnsOf, useColumns } from '../list/columns.tsx'
import { HistoryDialog } from '../list/history-dialog.tsx'
import { PlainTable, RevocableActions } from '../list/list-table.tsx'
import { ViewTabs } from '../list/views.tsx'
import { ManageLayout, ReadResult, useAction } from '../manage-layout.tsx'
import type { Read } from '../read.ts'
import { KeyForm, rightWords } from './key-form.ts'

/** Manage Key: which machines may speak to the shop's API. Source: running.md 'Keys'. */
export function KeyScreen({ found }: { found: Read<ApiKeyView[]> }) {
  return (
    <ManageLayout>
      <ReadResult found={found}>{(keys) => <Keys keys={keys} />}</ReadResult>
    </ManageLayout>
  )
}

function Keys({ keys }: { keys: readonly ApiKeyView[] }) {
  const { message, done } = useAction()
  const [made, setMade] = useState<{ name: string; key: string } | null>(null)
  const [ending, setEnding] = useState<ApiKeyView | null>(null)
  const [historyOf, setHistoryOf] = useState<{ id: string; name: string } | null>(null)
  const { shown } = useColumns(keyColumns)
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
      <ViewTabs filters={[]} sorts={[]} />
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
          <summary className="link tap">
            {revoked.length} revoked {revoked.length === 1 ? 'key' : 'keys'}
          </summary>
          <PlainTable
            caption="Revoked keys"
            columns={shown}
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

const SHOWN_BOXES = 6

/** The boxes that a key may touch; of many the first, with how many there are. */
function boxWords(boxes: ApiKeyView['boxes']): string {
  if (boxes === null) return 'all boxes'
  const more = boxes.length - SHOWN_BOXES
  return `${boxes.slice(0, SHOWN_BOXES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function LastUse({ of: { lastUsedAt, revokedAt } }: { of: ApiKeyView }) {
  if (revokedAt)
    return (
      <>
        <Badge tone="bad">revoked</Badge>
        <span className="block text-slate">
          <Moment at={revokedAt} />
        </span>
      </>
    )
  if (!lastUsedAt) return <span className="text-slate">never used</span>
  return (
    <>
      <span className="text-slate lg:hidden">Last used </span>
      <Moment at={lastUsedAt} />
    </>
  )
}

/** What the list of keys shows. */
const keyColumns = columnsOf<'key', ApiKeyView>('key', {
  key: {
    heading: 'Key',
    isName: true,
    className: 'lg:min-w-44',
    cell: ({ name }) => <span className="font-semibold wrap-anywhere">{name}</span>,
  },
  rights: {
    heading: 'Permissions',
    className: 'max-lg:w-full lg:min-w-44',
    cell: ({ rights }) => (
      <span className="flex flex-wrap gap-1">
        {rights.map((right) => (
          <Badge key={right} tone="teal">
            {right}
          </Badge>
        ))}
      </span>
    ),
  },
  boxes: {
    heading: 'Boxes',
    className: 'text-sm wrap-anywhere max-sm:w-full lg:min-w-36',
    cell: ({ boxes }) => (
      <>
        <span className="text-slate lg:hidden">For </span>
        {boxWords(boxes)}
      </>
    ),
  },
  made: {
    heading: 'Made by',
    className: 'text-sm xl:min-w-44',
    cell: ({ madeBy, createdAt }) => (
      <>
        <span className="text-slate lg:hidden">Made by </span>
        {madeBy ?? 'the shop itself'}
        <span className="block text-slate 2xl:whitespace-nowrap">
          <Moment at={createdAt} />
        </span>
      </>
    ),
  },
  used: {
    heading: 'Last used',
    className: 'text-sm max-sm:w-full xl:min-w-24 2xl:whitespace-nowrap',
    cell: (key) => <LastUse of={key} />,
  },
})

/** The form of a new key: what it is called, what it may do, and where. */
function KeyAdd({ onMade }: { onMade: (made: ApiKeyView & { key: string }) => void }) {
  const form = useForm(KeyForm, async (body) => {
    const made = await callApi(makeKey, { body })
    form.reset()
    saved()
    onMade(made)
  })
  const { onChange, saved } = useKeptForm({ name: 'key', form })
  const { errors } = form
  return (
    <form {...form.formProps} onChange={onChange} aria-label="Create API key" className="grid gap-4">
      {form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
      <div className="max-w-md">
        <InputField
          label="Name"
          name="name"
          autoComplete="off"
          hint="What will use it, like: logger on the Gannet, or the e-nose at /station"
          error={errors.name}
        />
      </div>
      <TickedNames legend="Permissions" names={keyRights} words={rightWords} error={errors.rights} />
      <div className="max-w-md">
        <TextAreaField
          label="Only for these boxes (optional)"
          name="boxes"
          rows={3}
          hint="Box ids, one a line. Left empty, it may touch all boxes."
          error={errors.boxes}
        />
      </div>
      <FormActions ready={form.ready} busy={form.busy} save="Create key" />
    </form>
  )
}
