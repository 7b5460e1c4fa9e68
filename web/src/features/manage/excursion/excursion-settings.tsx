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
import { parseDegrees } from '@befaqt/domain/box-values'
import { parseNumber } from '@befaqt/domain/typed-number'
import { useState } from 'react'
import { z } from 'zod'
import { callApi } from '#web/api/call-api.ts'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { InputField, SelectField } from '#web/components/field.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { useKeptForm } from '#web/forms/use-kept-form.ts'
import { FailureBanner, SecretOnce } from '../form-parts.tsx'
import { useAction } from '../manage-layout.tsx'
import { SettingsList } from './settings-list.tsx'

/** Limits of excursions, and who is notified of them. */
export const ExcursionSettings = ({ settings }: { settings: Settings }) => (
  <div className="mt-10 grid gap-8 lg:grid-cols-2">
    <Limits limits={settings.limits} />
    <Targets targets={settings.targets} />
  </div>
)

/** A limit as its form sends it. */
const LimitForm = z.preprocess((values) => {
  const { species, degrees, minutes } = Object(values)
  return { species, degrees: parseDegrees(degrees), minutes: parseNumber(minutes) }
}, WarmLimitInput)

function Limits({ limits }: Pick<Settings, 'limits'>) {
  const action = useAction()
  const form = useForm(LimitForm, async (body) => {
    await callApi(setWarmLimit, { body })
    form.reset()
    saved()
    action.done('The limit is set, for readings to come.')
  })
  const { onChange, saved } = useKeptForm({ name: 'limit', form })
  const remove = async (species: string) => {
    await callApi(removeWarmLimit, { params: { species } })
    return `The limit of ${species} is removed.`
  }
  return (
    <SettingsList
      title="Limits"
      action={action}
      empty="None."
      items={limits.map(({ species, degrees, minutes }) => ({
        id: species,
        text: (
          <>
            <b className="font-semibold">{species || 'All species'}</b>: above {degrees} °C for {minutes}{' '}
            minutes
          </>
        ),
        removal: species
          ? {
              label: `Remove the limit of ${species}`,
              lost: 'From now on the limit of all species counts for its readings.',
              remove: () => remove(species),
            }
          : null,
      }))}
    >
      <form
        {...form.formProps}
        onChange={onChange}
        aria-label="Set a limit"
        className="grid items-start gap-3 sm:grid-cols-3"
      >
        {form.failure !== null && (
          <div className="sm:col-span-3">
            <FailureBanner error={form.failure} onDismiss={form.dismiss} />
          </div>
        )}
        <InputField
          label="Species"
          name="species"
          hint="Empty: all"
          autoComplete="off"
          error={form.errors.species}
        />
        <InputField
          label="Above, °C"
          name="degrees"
          inputMode="text"
          autoComplete="off"
          error={form.errors.degrees}
        />
        <InputField
          label="For, minutes"
          name="minutes"
          inputMode="numeric"
          autoComplete="off"
          error={form.errors.minutes}
        />
        <div>
          <Button type="submit" disabled={!form.ready}>
            Set limit
          </Button>
        </div>
      </form>
    </SettingsList>
  )
}

function Targets({ targets }: Pick<Settings, 'targets'>) {
  const action = useAction()
  const [secret, setSecret] = useState<string | null>(null)
  const form = useForm(NewNoticeTarget, async (body) => {
    const made = await callApi(addNoticeTarget, { body })
    form.reset()
    saved()
    setSecret(made.secret)
    action.done(`${body.address} is notified from now on.`)
  })
  const { onChange, saved } = useKeptForm({ name: 'target', form })
  const remove = async (id: string, address: string) => {
    await callApi(removeNoticeTarget, { params: { id } })
    return `${address} is no longer notified.`
  }
  return (
    <SettingsList
      title="Who is notified"
      action={action}
      news={
        secret && (
          <SecretOnce
            key={secret}
            title="The secret of this webhook"
            says="The secret of this webhook."
            label="Secret"
            secret={secret}
            onKept={() => setSecret(null)}
          />
        )
      }
      empty="Nobody: excursions are shown only here, and complaints of buyers only in the orders."
      items={targets.map(({ id, kind, address, failed, lastError }) => ({
        id,
        text: (
          <>
            <Badge>{kind}</Badge> {address}
            {failed > 0 && <Badge tone="bad">{failed} given up</Badge>}
            {lastError && <span className="block muted">{lastError}</span>}
          </>
        ),
        removal: {
          label: `Remove ${address}`,
          lost:
            kind === 'webhook'
              ? 'It is no longer notified, and its secret is deleted: a webhook that is added again gets another.'
              : 'It is no longer notified.',
          remove: () => remove(id, address),
        },
      }))}
    >
      <form
        {...form.formProps}
        onChange={onChange}
        aria-label="Notify somebody"
        className="grid items-start gap-3 sm:grid-cols-[auto_1fr]"
      >
        {form.failure !== null && (
          <div className="sm:col-span-2">
            <FailureBanner error={form.failure} onDismiss={form.dismiss} />
          </div>
        )}
        <SelectField label="By" name="kind">
          <option value="email">email</option>
          <option value="webhook">webhook</option>
        </SelectField>
        <InputField
          label="Address"
          name="address"
          autoComplete="off"
          hint="An email address, which is told of complaints of buyers, too, or https://…"
          error={form.errors.address}
        />
        <div>
          <Button type="submit" disabled={!form.ready}>
            Add
          </Button>
        </div>
      </form>
    </SettingsList>
  )
}
