import type { PasskeyView, ProfileView, SessionView } from '@befaqt/domain/api/account-api'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Alert } from '#web/components/alert.tsx'
import { PageHead } from '#web/head/page-head.tsx'
import { useRootData } from '#web/root-data.ts'
import { PasskeySection } from './passkey-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { ProfileForm } from './profile-form.tsx'
import { SessionSection } from './session-section.tsx'
import { TwoFaSection } from './two-fa-section.tsx'

export type ProfileData = { profile: ProfileView; sessions: SessionView[]; passkeys: PasskeyView[] }

/** The visitor's own account: their details, and how it is protected. Source: spec §2. */
export function ProfilePage({ profile, sessions, passkeys }: ProfileData) {
  const viewer = useRootData()?.viewer
  const lacksSecondFactor = profile.role === 'ADMIN' && viewer?.role === 'USER'
  return (
    <div className="wrap py-10 sm:py-16">
      <PageHead describe={() => ({ title: 'My Profile' })} />
      <div className="mx-auto max-w-2xl">
        <h1 className="text-4xl sm:text-5xl">My Profile</h1>
        <Link to="/user/order" className="link mb-6 inline-flex min-h-11 items-center">
          My Orders
        </Link>
        {lacksSecondFactor && (
          <Alert tone="warn" className="mb-6">
            Administrators of this shop need two-step login. Turn it on below, or add a passkey and log in
            with it: until then you see what customers see.
          </Alert>
        )}
        <div className="grid gap-6">
          <Section id="details" title="Your details">
            <ProfileForm profile={profile} />
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
