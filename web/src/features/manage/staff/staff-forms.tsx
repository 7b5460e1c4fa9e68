import { inviteStaff, setStaffRights } from '@befaqt/domain/api/endpoints/staff'
import { type Right, rights } from '@befaqt/domain/rights'
import { NewStaff, presetOf, presets, rightWords, type StaffMember } from '@befaqt/domain/staff'
import { useState } from 'react'
import { z } from 'zod'
import { callApi } from '#web/api/call-api.ts'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { CheckboxField, InputField } from '#web/components/field.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { FailureBanner, FormActions } from '../form-parts.tsx'

/** Gives somebody these rights instead of those that they were shown with; none: they don't work here any more. */
export const changeRights = ({ _id, version }: StaffMember, held: Right[]): Promise<StaffMember> =>
  callApi(setStaffRights, {
    params: { id: _id },
    body: { rights: held.length === 0 ? [] : held },
    version,
  })

/** What a form sends: ticked rights by their names. */
function withRights(values: unknown): unknown {
  if (typeof values !== 'object' || values === null) return values
  const typed = new Map(Object.entries(values))
  const held = rights.filter((right) => typed.has(right))
  return typed.has('email') ? { email: typed.get('email'), rights: held } : { rights: held }
}
const InviteValues = z.preprocess(withRights, NewStaff)
const RightsValues = z.preprocess(withRights, NewStaff.pick({ rights: true }))

/** Invites somebody: an address, and a job or rights one by one. */
export function InviteForm({ onInvited }: { onInvited: (email: string) => void }) {
  const form = useForm(InviteValues, async (body) => {
    await callApi(inviteStaff, { body })
    form.reset()
    onInvited(body.email)
  })
  const { errors } = form
  return (
    <form {...form.formProps} aria-label="Invite somebody" className="grid gap-4">
      {form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
      <div className="max-w-md">
        <InputField
          label="Email"
          name="email"
          type="email"
          autoComplete="off"
          hint="The link is sent there; it works once, for a week"
          error={errors.email}
        />
      </div>
      <RightsFields start={[]} error={errors.rights} />
      <FormActions ready={form.ready} busy={form.busy} save="Send invitation" />
    </form>
  )
}

/** Jobs as buttons that tick their rights, and the rights. */
function RightsFields({ start, error }: { start: readonly Right[]; error: string | undefined }) {
  const [held, setHeld] = useState<readonly Right[]>(start)
  return (
    <fieldset className="grid gap-3" aria-describedby={error ? 'staff-rights-error' : undefined}>
      <legend className="mb-1 font-semibold">May do</legend>
      <div className="flex flex-wrap gap-2">
        {Object.entries(presets).map(([name, list]) => (
          <Button
            key={name}
            variant={presetOf(held) === name ? 'secondary' : 'outline'}
            aria-pressed={presetOf(held) === name}
            onClick={() => setHeld(list)}
          >
            {name}
          </Button>
        ))}
      </div>
      <div className="grid gap-1">
        {rights.map((right) => (
          <CheckboxField
            key={right}
            name={right}
            label={rightWords[right]}
            checked={held.includes(right)}
            onChange={({ target }) =>
              setHeld(target.checked ? [...held, right] : held.filter((one) => one !== right))
            }
          />
        ))}
      </div>
      {error && (
        <p id="staff-rights-error" className="font-semibold text-bad text-sm">
          {error}
        </p>
      )}
    </fieldset>
  )
}

type RightsProps = { of: StaffMember | null; onDone: (says: string) => void; onClose: () => void }

/** Changes what somebody may do. */
export function RightsDialog({ of, onDone, onClose }: RightsProps) {
  return (
    <Dialog open={of !== null} title={`Rights of ${of?.name ?? ''}`} onClose={onClose}>
      {of && <RightsForm key={of._id} of={of} onDone={onDone} onClose={onClose} />}
    </Dialog>
  )
}

function RightsForm({ of, onDone, onClose }: RightsProps & { of: StaffMember }) {
  const form = useForm(RightsValues, async ({ rights: held }) => {
    await changeRights(of, held)
    onDone(`${of.name} has other rights from the next press on.`)
  })
  return (
    <form {...form.formProps} aria-label={`Rights of ${of.name}`} className="grid gap-4">
      {form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
      <RightsFields start={of.rights} error={form.errors.rights} />
      <FormActions ready={form.ready} busy={form.busy} onCancel={onClose} />
    </form>
  )
}
