import { makeBackup } from '@befaqt/domain/api/endpoints/backups'
import { type BackupList, MIN_PASSPHRASE, NewBackup } from '@befaqt/domain/backup'
import { useState } from 'react'
import { z } from 'zod'
import { callApi } from '#web/api/call-api.ts'
import { CheckboxField, InputField } from '#web/components/field.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { FailureBanner, FormActions } from '../form-parts.tsx'

type Seal = NewBackup['seal']

const words: Readonly<Record<Seal, string>> = {
  shop: 'with the passphrase of the shop’s settings, which the weekly trial knows, too',
  typed: 'with a passphrase that I type here and keep elsewhere',
  none: 'not at all: whoever gets the file reads every name, address and order in it',
}

/** What the form sends: ticked boxes are there or not. */
const BackupForm = z.preprocess((values) => {
  const typed = new Map(Object.entries(Object(values)))
  return {
    seal: typed.get('seal'),
    passphrase: typed.get('seal') === 'typed' ? typed.get('passphrase') : '',
    secrets: typed.has('secrets'),
  }
}, NewBackup)

/** Asks how a backup is encrypted and what is in it, and begins it. */
export function BackupAdd({ list, onBegun }: { list: BackupList; onBegun: () => void }) {
  const [seal, setSeal] = useState<Seal>(list.hasPassphrase ? 'shop' : 'typed')
  const form = useForm(BackupForm, async (body) => {
    await callApi(makeBackup, { body })
    form.reset()
    onBegun()
  })
  const { errors } = form
  const seals = (Object.keys(words) as Seal[]).filter((one) => one !== 'shop' || list.hasPassphrase)
  return (
    <form {...form.formProps} aria-label="Make a backup" className="grid max-w-prose gap-4">
      {form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
      <p className="text-slate">
        One file with every row as it is at this moment, and every picture and file that rows name. The shop
        goes on meanwhile. Settings and passwords of servers are never in it.
      </p>
      <fieldset className="grid gap-1">
        <legend className="font-semibold">It is encrypted</legend>
        {seals.map((one) => (
          <label key={one} className="flex min-h-11 items-center gap-3">
            <input
              type="radio"
              name="seal"
              value={one}
              checked={one === seal}
              onChange={() => setSeal(one)}
              className="size-5 shrink-0 accent-teal"
            />
            {words[one]}
          </label>
        ))}
        {errors.seal && <p className="font-semibold text-bad text-sm">{errors.seal}</p>}
      </fieldset>
      {seal === 'typed' && (
        <InputField
          label="Passphrase"
          name="passphrase"
          type="password"
          autoComplete="new-password"
          hint={`${MIN_PASSPHRASE} or more characters. Without it the backup is lost: nobody can open it.`}
          error={errors.passphrase}
        />
      )}
      {seal !== 'none' && (
        <CheckboxField
          name="secrets"
          defaultChecked
          label="With secret.key, which two-step logins and waiting emails need: without it, keep that file yourself"
        />
      )}
      <FormActions ready={form.ready} busy={form.busy} save="Make backup" />
    </form>
  )
}
