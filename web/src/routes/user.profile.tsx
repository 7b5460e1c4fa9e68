import type { ProfileView } from '@befaqt/domain/api/account-api'
import { updateProfile } from '@befaqt/domain/api/endpoints/account'
import { type ReactNode, Suspense } from 'react'
import { Link, useLoaderData, useNavigate, useRevalidator } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { Alert } from '#web/components/alert.tsx'
import { InputField } from '#web/components/field.tsx'
import { lazyPart } from '#web/components/lazy-part.tsx'
import { NameFields, PhoneField } from '#web/features/account/account-fields.tsx'
import { AccountForm, SubmitButton } from '#web/features/account/account-form.tsx'
import { DataSection } from '#web/features/account/data-section.tsx'
import { EmailSection } from '#web/features/account/email-section.tsx'
import { usePlainForm, useSentForm } from '#web/features/account/plain-form.ts'
import { PasskeySection, PasswordSection, TwoFaSection } from '#web/features/account/profile-sections.tsx'
import { schemaOf } from '#web/features/account/schema-of.ts'
import { SessionSection } from '#web/features/account/session-section.tsx'
import { PageHead } from '#web/head/page-head.tsx'
import type { ProfileData } from '#web/loaders/account-loaders.ts'
import { useRootData } from '#web/root-data.ts'

const addressSection = () => import('#web/features/account/address-section.tsx')
/** Its script comes after what the page begins with. */
const AddressSection = import.meta.env.SSR ? (await addressSection()).default : lazyPart(addressSection)

export default function Profile() {
  return <ProfilePage {...useLoaderData<ProfileData>()} />
}

/** The visitor's own account: their details, and how it is protected. Source: spec §2. */
function ProfilePage({ profile, emailChange, sessions, passkeys }: ProfileData) {
  const viewer = useRootData()?.viewer
  const lacksSecondFactor = viewer?.lacksSecondFactor === true
  return (
    <div className="wrap py-10 sm:py-16">
      <PageHead describe={() => ({ title: 'My Profile' })} />
      <div className="mx-auto max-w-2xl">
        <h1 className="page-title">My Profile</h1>
        <Link to="/user/order" className="link mb-6 tap">
          My Orders
        </Link>
        {lacksSecondFactor && (
          <Alert tone="warn" className="mb-6">
            Whoever works at the desk of this shop needs two-step login. Turn it on below, or add a passkey
            and log in with it: until then you see what customers see.
          </Alert>
        )}
        <div className="grid gap-6">
          <Section id="details" title="Your details">
            <ProfileForm profile={profile} />
          </Section>
          <Section id="email" title="Email">
            <EmailSection profile={profile} change={emailChange} />
          </Section>
          <Section id="addresses" title="Addresses">
            <Suspense>
              <AddressSection addresses={profile.addresses} />
            </Suspense>
          </Section>
          <Section id="password" title="Password">
            <PasswordSection email={profile.email} />
          </Section>
          <Section id="two-step" title="Two-step login">
            <TwoFaSection profile={profile} />
          </Section>
          <Section id="passkeys" title="Passkeys">
            <PasskeySection passkeys={passkeys} />
          </Section>
          <Section id="sessions" title="Where you are logged in">
            <SessionSection sessions={sessions} />
          </Section>
          <Section id="data" title="Your data">
            <DataSection profile={profile} />
          </Section>
        </div>
      </div>
    </div>
  )
}

const Section = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section aria-labelledby={id} className="rounded-lg border border-line bg-surface p-5 sm:p-8">
    <h2 id={id} className="mb-4 text-2xl">
      {title}
    </h2>
    {children}
  </section>
)

/** Names and phone can be changed, the email is shown; saving goes to the home page. Source: spec §2, §7. */
function ProfileForm({ profile }: { profile: ProfileView }) {
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const sent = useSentForm()
  const form = usePlainForm(
    schemaOf('ProfileInput'),
    async (body) => {
      await callApi(updateProfile, { body })
      await revalidate()
      await navigate('/')
    },
    sent,
    { email: profile.email },
  )
  const typed = { ...profile, ...sent.typed }
  return (
    <AccountForm form={form}>
      <NameFields errors={form.errors} fname={typed.fname} lname={typed.lname} />
      <InputField
        label="Email"
        type="email"
        value={profile.email}
        readOnly
        autoComplete="username"
        className="bg-ice text-slate"
        hint="You can change it below."
      />
      <PhoneField errors={form.errors} phone={typed.phone} />
      <SubmitButton ready={form.ready} busy={form.busy} className="justify-self-start">
        Save
      </SubmitButton>
    </AccountForm>
  )
}
