import type { TwoFaSetup } from '@befaqt/domain/api/account-api'
import { beginTwoFa, endTwoFa, renewRecoveryCodes } from '@befaqt/domain/api/endpoints/sign-in'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { ConfirmPasswordForm, ReauthenticateForm } from './reauthenticate-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TwoFaConfirm } from './two-fa-confirm.tsx'

/** Switching the second factor on, switching it off, making new recovery codes. */
export type TwoFaTask = 'begin' | 'off' | 'renew'

type Step = { kind: TwoFaTask } | { kind: 'confirm'; setup: TwoFaSetup } | { kind: 'codes'; codes: string[] }

/** A change of the second factor, step by step. */
export function TwoFaSteps({ task, onEnd }: { task: TwoFaTask; onEnd: () => void }) {
  const [step, setStep] = useState<Step>({ kind: task })
  const { revalidate } = useRevalidator()
  const showCodes = async (codes: string[]) => {
    setStep({ kind: 'codes', codes })
    await revalidate()
  }
  if (step.kind === 'begin')
    return (
      <ConfirmPasswordForm
        label="Continue"
        onCancel={onEnd}
        send={async (password) =>
          setStep({ kind: 'confirm', setup: await callApi(beginTwoFa, { body: { password } }) })
        }
      />
    )
  if (step.kind === 'confirm') return <TwoFaConfirm setup={step.setup} onCancel={onEnd} onDone={showCodes} />
  if (step.kind === 'codes') return <RecoveryCodes codes={step.codes} onDone={onEnd} />
  if (step.kind === 'off')
    return (
      <ReauthenticateForm
        label="Turn off"
        onCancel={onEnd}
        send={async (proof) => {
          await callApi(endTwoFa, { body: proof })
          await revalidate()
          onEnd()
        }}
      />
    )
  return (
    <ReauthenticateForm
      label="Make new codes"
      onCancel={onEnd}
      send={async (proof) => showCodes((await callApi(renewRecoveryCodes, { body: proof })).recoveryCodes)}
    />
  )
}
