import type { ProfileView, TwoFaSetup } from '@befaqt/domain/api/account-api'
import { beginTwoFa, endTwoFa, renewRecoveryCodes } from '@befaqt/domain/api/endpoints/two-factor'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { ConfirmPasswordForm, ReauthenticateForm } from './reauthenticate-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TwoFaConfirm } from './two-fa-confirm.tsx'

type Step =
  | { kind: 'rest' }
  | { kind: 'begin' }
  | { kind: 'confirm'; setup: TwoFaSetup }
  | { kind: 'codes'; codes: string[] }
  | { kind: 'off' }
  | { kind: 'renew' }

const REST = { kind: 'rest' } as const

/** Switches the second factor on, step by step, and off. */
export function TwoFaSection({ profile }: { profile: ProfileView }) {
  const [step, setStep] = useState<Step>(REST)
  const { revalidate } = useRevalidator()
  const rest = () => setStep(REST)
  const showCodes = async (codes: string[]) => {
    setStep({ kind: 'codes', codes })
    await revalidate()
  }
  if (step.kind === 'begin')
    return (
      <ConfirmPasswordForm
        label="Continue"
        onCancel={rest}
        send={async (password) =>
          setStep({ kind: 'confirm', setup: await callApi(beginTwoFa, { body: { password } }) })
        }
      />
    )
  if (step.kind === 'confirm') return <TwoFaConfirm setup={step.setup} onCancel={rest} onDone={showCodes} />
  if (step.kind === 'codes') return <RecoveryCodes codes={step.codes} onDone={rest} />
  if (step.kind === 'off')
    return (
      <ReauthenticateForm
        label="Switch off"
        onCancel={rest}
        send={async (proof) => {
          await callApi(endTwoFa, { body: proof })
          await revalidate()
          rest()
        }}
      />
    )
  if (step.kind === 'renew')
    return (
      <ReauthenticateForm
        label="Make new codes"
        onCancel={rest}
        send={async (proof) => showCodes((await callApi(renewRecoveryCodes, { body: proof })).recoveryCodes)}
      />
    )
  return <TwoFaAtRest profile={profile} onStep={(kind) => setStep({ kind })} />
}

type AtRest = { profile: ProfileView; onStep: (kind: 'begin' | 'off' | 'renew') => void }

function TwoFaAtRest({ profile, onStep }: AtRest) {
  const disabled = !useHydrated()
  if (!profile.twoFa)
    return (
      <div className="grid justify-items-start gap-4">
        <p className="text-slate">
          Add a code from your phone at log-in, so that a stolen password isn’t enough.
        </p>
        <Button variant="secondary" disabled={disabled} onClick={() => onStep('begin')}>
          Switch on
        </Button>
      </div>
    )
  return (
    <div className="grid gap-4">
      <p>
        <Badge tone="good">On</Badge>{' '}
        <span className="text-slate">{profile.recoveryCodesLeft} recovery codes are left.</span>
      </p>
      <div className="flex flex-wrap gap-3">
        <Button variant="outline" disabled={disabled} onClick={() => onStep('renew')}>
          New recovery codes
        </Button>
        <Button variant="outline" disabled={disabled} onClick={() => onStep('off')}>
          Switch off
        </Button>
      </div>
    </div>
  )
}
