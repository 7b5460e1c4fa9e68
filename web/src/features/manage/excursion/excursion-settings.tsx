import {
  addNoticeTarget,
  removeNoticeTarget,
  removeWarmLimit,
  setWarmLimit,
} from '@befaqt/domain/api/endpoints/excursions'
import {
  NewNoticeTarget,
  type ExcursionSettings as Settings,
  WarmLimitInput,
} from '@befaqt/domain/api/excursion-api'
import { useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { Alert } from '#web/components/alert.tsx'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { CopyButton } from '#web/components/copy-button.tsx'
import { InputField, SelectField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { FailureBanner } from '../form-parts.tsx'
import { useAction } from './use-action.ts'

type Errors = Record<string, string>
type Issues = { error?: { issues: { path: PropertyKey[]; message: string }[] } | undefined }
const errorsOf = ({ error }: Issues): Errors =>
  Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]))

/** Limits of excursions, and who is told of them. */
export function ExcursionSettings({ settings }: { settings: Settings }) {
  return (
    <div className="mt-10 grid gap-8 lg:grid-cols-2">
      <Limits limits={settings.limits} />
      <Targets targets={settings.targets} />
    </div>
  )
}

function Limits({ limits }: Pick<Settings, 'limits'>) {
  const hydrated = useHydrated()
  const { busy, failure, message, run, dismiss } = useAction()
  const [errors, setErrors] = useState<Errors>({})
  const save = async (form: HTMLFormElement) => {
    const data = new FormData(form)
    const number = (name: string): number => Number(String(data.get(name)).replace(',', '.'))
    const typed = { species: data.get('species'), degrees: number('degrees'), minutes: number('minutes') }
    const parsed = WarmLimitInput.safeParse(typed)
    setErrors(errorsOf(parsed))
    if (!parsed.success) return
    const done = await run(async () => {
      await callApi(setWarmLimit, { body: parsed.data })
      return 'The limit is set, for readings to come.'
    })
    if (done) form.reset()
  }
  const remove = (species: string) =>
    run(async () => {
      await callApi(removeWarmLimit, { params: { species } })
      return `The limit of ${species} is removed.`
    })
  return (
    <section aria-labelledby="limits" className="grid content-start gap-3">
      <h2 id="limits" className="text-2xl">
        Limits
      </h2>
      {failure !== null && <FailureBanner error={failure} onDismiss={dismiss} />}
      <p role="status" className="text-good empty:hidden">
        {message}
      </p>
      <ul className="divide-y divide-line border-line border-y">
        {limits.map(({ species, degrees, minutes }) => (
          <li key={species} className="flex min-h-12 flex-wrap items-center justify-between gap-2 py-1">
            <span>
              <b className="font-semibold">{species || 'All species'}</b>: above {degrees} °C for {minutes}{' '}
              minutes
            </span>
            {species && (
              <Button
                variant="outline"
                disabled={!hydrated || busy}
                onClick={() => void remove(species)}
                aria-label={`Remove the limit of ${species}`}
              >
                Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
      <form
        aria-label="Set a limit"
        noValidate
        className="grid gap-3 sm:grid-cols-3"
        onSubmit={(event) => {
          event.preventDefault()
          void save(event.currentTarget)
        }}
      >
        <InputField
          label="Species"
          name="species"
          hint="Empty: all"
          autoComplete="off"
          error={errors.species}
        />
        <InputField
          label="Above, °C"
          name="degrees"
          inputMode="text"
          autoComplete="off"
          error={errors.degrees}
        />
        <InputField
          label="For, minutes"
          name="minutes"
          inputMode="numeric"
          autoComplete="off"
          error={errors.minutes}
        />
        <div>
          <Button type="submit" disabled={!hydrated || busy}>
            Set limit
          </Button>
        </div>
      </form>
    </section>
  )
}

function Targets({ targets }: Pick<Settings, 'targets'>) {
  const hydrated = useHydrated()
  const { busy, failure, message, run, dismiss } = useAction()
  const [errors, setErrors] = useState<Errors>({})
  const [secret, setSecret] = useState<string | null>(null)
  const add = async (form: HTMLFormElement) => {
    const parsed = NewNoticeTarget.safeParse(Object.fromEntries(new FormData(form)))
    setErrors(errorsOf(parsed))
    if (!parsed.success) return
    const done = await run(async () => {
      const made = await callApi(addNoticeTarget, { body: parsed.data })
      setSecret(made.secret)
      return `${parsed.data.address} is told from now on.`
    })
    if (done) form.reset()
  }
  const remove = (id: string, address: string) =>
    run(async () => {
      await callApi(removeNoticeTarget, { params: { id } })
      return `${address} is told no more.`
    })
  return (
    <section aria-labelledby="targets" className="grid content-start gap-3">
      <h2 id="targets" className="text-2xl">
        Who is told
      </h2>
      {failure !== null && <FailureBanner error={failure} onDismiss={dismiss} />}
      <p role="status" className="text-good empty:hidden">
        {message}
      </p>
      {secret && (
        <div className="grid gap-2">
          <Alert tone="good">The secret of this webhook. Copy it now: it is shown only once.</Alert>
          <InputField label="Secret" className="font-mono text-sm" value={secret} readOnly />
          <div className="flex gap-3">
            <CopyButton text={secret} />
            <Button onClick={() => setSecret(null)}>I have kept it</Button>
          </div>
        </div>
      )}
      <ul className="divide-y divide-line border-line border-y">
        {targets.length === 0 && (
          <li className="py-3 text-slate">Nobody: excursions are shown here alone.</li>
        )}
        {targets.map(({ id, kind, address, failed, lastError }) => (
          <li key={id} className="flex min-h-12 flex-wrap items-center justify-between gap-2 py-1">
            <span className="min-w-0 wrap-anywhere">
              <Badge>{kind}</Badge> {address}
              {failed > 0 && <Badge tone="bad">{failed} given up</Badge>}
              {lastError && <span className="block text-slate text-sm">{lastError}</span>}
            </span>
            <Button
              variant="outline"
              disabled={!hydrated || busy}
              onClick={() => void remove(id, address)}
              aria-label={`Remove ${address}`}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <form
        aria-label="Tell somebody"
        noValidate
        className="grid gap-3 sm:grid-cols-[auto_1fr]"
        onSubmit={(event) => {
          event.preventDefault()
          void add(event.currentTarget)
        }}
      >
        <SelectField label="By" name="kind">
          <option value="email">email</option>
          <option value="webhook">webhook</option>
        </SelectField>
        <InputField
          label="Address"
          name="address"
          autoComplete="off"
          hint="An email address, or https://…"
          error={errors.address}
        />
        <div>
          <Button type="submit" disabled={!hydrated || busy}>
            Add
          </Button>
        </div>
      </form>
    </section>
  )
}
