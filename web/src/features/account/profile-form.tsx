import type { ProfileView } from '@befaqt/domain/api/account-api'
import { updateProfile } from '@befaqt/domain/api/endpoints/account'
import { useNavigate, useRevalidator } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { InputField } from '#web/components/field.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { AccountForm, SubmitButton } from './account-form.tsx'
import { NameFields, PhoneField } from './name-fields.tsx'
import { schemaOf } from './schema-of.ts'

/** Names and phone can be changed, the email is shown; saving goes to the home page. Source: spec §2, §7. */
export function ProfileForm({ profile }: { profile: ProfileView }) {
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const form = useForm(
    schemaOf('ProfileInput'),
    async (body) => {
      await callApi(updateProfile, { body })
      await revalidate()
      await navigate('/')
    },
    { email: profile.email },
  )
  return (
    <AccountForm form={form}>
      <NameFields errors={form.errors} fname={profile.fname} lname={profile.lname} />
      <InputField
        label="Email"
        type="email"
        value={profile.email}
        readOnly
        autoComplete="username"
        className="bg-ice text-slate"
        hint="Contact us to change your email."
      />
      <PhoneField errors={form.errors} phone={profile.phone} />
      <SubmitButton ready={form.ready} busy={form.busy} className="justify-self-start">
        Save
      </SubmitButton>
    </AccountForm>
  )
}
