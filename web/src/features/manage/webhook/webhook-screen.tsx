import {
  addWebhook,
  removeWebhook,
  resendWebhookMessage,
  testWebhook,
} from '@befaqt/domain/api/endpoints/manage'
import { NewWebhook, type WebhookMessage, type WebhookView, webhookKinds } from '@befaqt/domain/webhook'
import { useState } from 'react'
import { z } from 'zod'
import { callApi } from '#web/api/call-api.ts'
import { Badge, type BadgeTone } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { InputField } from '#web/components/field.tsx'
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
import { HistoryDialog } from '../list/history-dialog.tsx'
import { type Column, EmptyList, HistoryAction, PlainTable, RowAction } from '../list/list-table.tsx'
import { ManageLayout, ReadResult, useAction } from '../manage-layout.tsx'
import type { Read } from '../read.ts'

const kindWords: Readonly<Record<WebhookMessage['kind'], string>> = {
  'order.changed': 'orders: placed, changed, moved on',
  'product.changed': 'products: prices, stock, on and off sale',
  'box.changed': 'boxes that got records, each minute at most',
  test: 'a test',
}

/** Messages of each that are shown at first. */
const FIRST = 5

/** What messages of a kind are about, one and more. */
const things: Readonly<Record<WebhookMessage['kind'], readonly [one: string, more: string]>> = {
  'order.changed': ['order', 'orders'],
  'product.changed': ['product', 'products'],
  'box.changed': ['box', 'boxes'],
  test: ['test', 'tests'],
}

/** Webhooks: which machines are told what changed. Source: desk.md 'Webhooks'. */
export function WebhookScreen({ found }: { found: Read<{ webhooks: WebhookView[] }> }) {
  return (
    <ManageLayout help={false}>
      <ReadResult found={found}>{({ webhooks }) => <Webhooks webhooks={webhooks} />}</ReadResult>
    </ManageLayout>
  )
}

function Webhooks({ webhooks }: { webhooks: readonly WebhookView[] }) {
  const { message, done, failure, dismiss, run, ready } = useAction()
  const [secret, setSecret] = useState<string | null>(null)
  const [ending, setEnding] = useState<WebhookView | null>(null)
  const [historyOf, setHistoryOf] = useState<{ id: string; name: string } | null>(null)
  const { place, removing } = useFocusAfterRemoval<HTMLDivElement>('remove')
  /** Those of which more than the first messages are shown. */
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const remove = async ({ id, address }: WebhookView) => {
    await callApi(removeWebhook, { params: { id } })
    removing(
      webhooks.map((one) => one.id),
      id,
    )
    setEnding(null)
    done(`${address} is told nothing any more.`)
  }
  return (
    <>
      {secret !== null && (
        <div className="mb-8">
          <SecretOnce
            title="The secret of this webhook"
            says="The secret of this webhook."
            label="Secret"
            secret={secret}
            hint="Its receiver checks the signature of each message with it, as Standard Webhooks says"
            onKept={() => setSecret(null)}
          />
        </div>
      )}
      <CreatePanel title="Add webhook" empty={webhooks.length === 0}>
        <WebhookAdd
          onMade={(made, address) => {
            setSecret(made)
            done(`${address} is told from now on.`)
          }}
        />
      </CreatePanel>
      <StatusMessage message={message} className="min-h-8" />
      {failure !== null && <FailureBanner error={failure} onDismiss={dismiss} />}
      <div ref={place} className="grid gap-8">
        {webhooks.length === 0 && <EmptyList>No machine is told of anything.</EmptyList>}
        {webhooks.map((webhook) => (
          <section key={webhook.id} data-row={webhook.id} aria-label={webhook.address} className="grid gap-3">
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
              <h2 className="min-w-0 text-xl wrap-anywhere">{webhook.address}</h2>
              <Waiting of={webhook} />
            </div>
            <p className="text-slate">
              Since <Moment at={webhook.createdAt} />:{' '}
              {webhook.kinds.map((kind) => kindWords[kind]).join('; ')}
            </p>
            <div className="flex flex-wrap gap-2">
              <RowAction
                action="test"
                label={`Send a test to ${webhook.address}`}
                disabled={!ready}
                onClick={() =>
                  void run(async () => {
                    await callApi(testWebhook, { params: { id: webhook.id } })
                    return 'The test is on its way. Read the page again to see what was answered.'
                  })
                }
              >
                Send a test
              </RowAction>
              <RowAction
                action="remove"
                label={`Remove ${webhook.address}`}
                disabled={!ready}
                onClick={() => setEnding(webhook)}
              >
                Remove
              </RowAction>
              <HistoryAction
                name={webhook.address}
                disabled={!ready}
                onClick={() => setHistoryOf({ id: webhook.id, name: webhook.address })}
              />
            </div>
            <PlainTable
              caption={`Messages to ${webhook.address}`}
              columns={messageColumns}
              rows={open.has(webhook.id) ? webhook.messages : webhook.messages.slice(0, FIRST)}
              idOf={({ id }) => id}
              empty="It was told nothing so far."
              actions={({ id, state }) =>
                state === 'waiting' ? (
                  <span />
                ) : (
                  <Button
                    variant="outline"
                    className="px-3"
                    disabled={!ready}
                    onClick={() =>
                      void run(async () => {
                        await callApi(resendWebhookMessage, { params: { id: webhook.id, message: id } })
                        return 'It is sent again.'
                      })
                    }
                  >
                    Send again
                  </Button>
                )
              }
            />
            {webhook.messages.length > FIRST && !open.has(webhook.id) && (
              <p>
                <Button
                  variant="link"
                  disabled={!ready}
                  onClick={() => setOpen((all) => new Set(all).add(webhook.id))}
                >
                  All of its last {webhook.messages.length} messages
                  <span className="sr-only"> to {webhook.address}</span>
                </Button>
              </p>
            )}
          </section>
        ))}
      </div>
      <Dialog
        open={ending !== null}
        title={`Remove ${ending?.address ?? ''}?`}
        onClose={() => setEnding(null)}
      >
        {ending && (
          <Confirm action="Remove" onClose={() => setEnding(null)} onConfirm={() => remove(ending)}>
            <p>
              It is told nothing any more, not what waits either, and its secret is deleted: one that is added
              again gets another.
            </p>
          </Confirm>
        )}
      </Dialog>
      <HistoryDialog entity="webhook" of={historyOf} onClose={() => setHistoryOf(null)} />
    </>
  )
}

const Waiting = ({ of: { waiting, failed } }: { of: WebhookView }) => (
  <span className="flex gap-2">
    {waiting > 0 && <Badge>{waiting} waiting</Badge>}
    {failed > 0 && <Badge tone="bad">{failed} given up</Badge>}
  </span>
)

const states: Readonly<Record<WebhookMessage['state'], { words: string; tone: BadgeTone }>> = {
  waiting: { words: 'waiting', tone: 'plain' },
  delivered: { words: 'delivered', tone: 'good' },
  failed: { words: 'given up', tone: 'bad' },
}

const messageColumns: readonly Column<WebhookMessage>[] = [
  {
    heading: 'Message',
    isName: true,
    cell: ({ kind, rows }) => (
      <>
        <code>{kind}</code>
        {kind !== 'test' && (
          <span className="text-slate">
            {', '}
            {rows === null ? `all ${things[kind][1]}` : `${rows} ${things[kind][rows === 1 ? 0 : 1]}`}
          </span>
        )}
      </>
    ),
  },
  { heading: 'Made', className: 'text-sm', cell: ({ at }) => <Moment at={at} /> },
  {
    heading: 'State',
    className: 'max-sm:w-full',
    cell: ({ state, attempts, answer }) => (
      <>
        <Badge tone={states[state].tone}>{states[state].words}</Badge>
        {answer !== null && (
          <span className="ml-2 text-sm wrap-anywhere">
            {answer} Tried {attempts} {attempts === 1 ? 'time' : 'times'}.
          </span>
        )}
      </>
    ),
  },
]

/** A webhook as its form sends it: ticked kinds by their names. */
const WebhookForm = z.preprocess((values) => {
  const typed = new Map(Object.entries(Object(values)))
  return { address: typed.get('address'), kinds: webhookKinds.filter((kind) => typed.has(kind)) }
}, NewWebhook)

function WebhookAdd({ onMade }: { onMade: (secret: string, address: string) => void }) {
  const form = useForm(WebhookForm, async (body) => {
    const { secret } = await callApi(addWebhook, { body })
    form.reset()
    saved()
    onMade(secret, body.address)
  })
  const { onChange, saved } = useKeptForm({ name: 'webhook', form })
  const { errors } = form
  return (
    <form {...form.formProps} onChange={onChange} aria-label="Add webhook" className="grid gap-4">
      {form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
      <div className="max-w-xl">
        <InputField
          label="Address"
          name="address"
          inputMode="url"
          autoComplete="off"
          hint="https://…, where each message is posted, signed with a secret that is shown once"
          error={errors.address}
        />
      </div>
      <TickedNames legend="It is told of" names={webhookKinds} words={kindWords} error={errors.kinds} />
      <FormActions ready={form.ready} busy={form.busy} save="Add webhook" />
    </form>
  )
}
