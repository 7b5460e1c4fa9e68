import { readStation } from '@befaqt/domain/api/endpoints/station'
import type { StationView } from '@befaqt/domain/api/station-api'
import { ShopError } from '@befaqt/domain/errors'
import { mayAtDesk, worksAtDesk } from '@befaqt/domain/rights'
import { useCallback, useEffect, useState } from 'react'
import { answeredStatus, callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { Icon } from '#web/components/icon.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { useOnline } from '#web/components/use-online.ts'
import { ResultForm } from '#web/features/station/result-form.tsx'
import { remember, remembered, withKey } from '#web/features/station/station-store.ts'
import { DirtyGuard } from '#web/forms/dirty-guard.tsx'
import { PageHead } from '#web/head/page-head.tsx'
import { useViewer } from '#web/root-data.ts'

export default function Station() {
  return (
    <>
      <PageHead describe={() => ({ title: 'Station' })} />
      <StationBar />
      <main id="content" tabIndex={-1} className="flex-1">
        <StationPage />
      </main>
    </>
  )
}

/** The bar of a screen that stays open at a bench: where it leads out of the station, and nothing to buy. */
function StationBar() {
  const isStaff = worksAtDesk(useViewer())
  return (
    <header className="on-night no-print sticky top-0 z-30 bg-night text-on-night">
      <nav aria-label="Main" className="wrap flex min-h-14 max-w-3xl items-center justify-between gap-4">
        <a
          href={isStaff ? '/manage' : '/'}
          aria-label={isStaff ? 'BeFAQT, today' : 'BeFAQT, the shop'}
          className="flex min-h-11 items-center rounded-md"
        >
          <img src="/logo-dark.svg" width={99} height={28} alt="" className="block h-7 w-auto" />
        </a>
        <a
          href={isStaff ? '/manage' : '/'}
          className="-mr-3 flex min-h-11 items-center gap-2 rounded-md px-3 font-semibold hover:bg-on-night/10"
        >
          <Icon name="out" className="size-5" />
          {isStaff ? 'To the desk' : 'View shop'}
        </a>
      </nav>
    </header>
  )
}

/** The right that a station's key has, and no other. */
const RIGHT = 'record:write'

type Access =
  | { state: 'checking' }
  | { state: 'none'; problem: string | null }
  | { state: 'unknown'; problem: string }
  | { state: 'open'; key: string; who: StationView }

/** Why a key is not taken, though the shop knows it; null: it is. */
const tooMuch = ({ rights }: StationView): string | null =>
  rights === null || rights.every((right) => right === RIGHT)
    ? null
    : `This key may do more than send results. Make one for this station that may only “${RIGHT}”: a device that anybody can pick up should hold no other.`

/** Who may send from this browser: a station's key that it remembers, else the manager who is logged in. */
function useAccess() {
  const isManager = mayAtDesk(useViewer(), RIGHT)
  const [access, setAccess] = useState<Access>({ state: 'checking' })
  const check = useCallback(
    async (key: string) => {
      if (key === '' && !isManager) return setAccess({ state: 'none', problem: null })
      setAccess({ state: 'checking' })
      try {
        const who = await callApi(readStation, withKey(key))
        const problem = tooMuch(who)
        if (problem !== null) return setAccess({ state: 'none', problem })
        if (key !== '') remember({ key })
        setAccess({ state: 'open', key, who })
      } catch (error) {
        setAccess(whyNot(error))
      }
    },
    [isManager],
  )
  useEffect(() => {
    void check(remembered().key)
  }, [check])
  const forget = () => {
    remember({ key: '' })
    void check('')
  }
  return { access, check, forget }
}

/** A key that the shop refuses is asked for again; where the shop can't be asked, nothing is known of the key. */
function whyNot(error: unknown): Access {
  const status = error instanceof ShopError ? answeredStatus(error) : null
  if (status === 401) return { state: 'none', problem: 'The shop does not know this key, or it was revoked.' }
  if (status === 403) return { state: 'none', problem: 'This key may not send results.' }
  return { state: 'unknown', problem: userMessage(error) }
}

/** The page of an e-eye or e-nose station that has no API: for the person who works there. */
function StationPage() {
  const { access, check, forget } = useAccess()
  const hydrated = useHydrated()
  const isOnline = useOnline()
  return (
    <DirtyGuard>
      <div className="wrap max-w-3xl pt-6 pb-16">
        <h1 className="mb-2 text-3xl sm:text-4xl">Station</h1>
        <p className="mb-6 max-w-prose text-slate">
          Add what an e-eye or an e-nose found to the records of a box, with its pictures or data files.
        </p>
        <noscript>
          <p className="mb-6">This page needs its script to look at files before they are sent.</p>
        </noscript>
        {!isOnline && (
          <Alert tone="warn" className="mb-6">
            No connection. What is typed and chosen stays here while this page is open; send it when there is
            one.
          </Alert>
        )}
        {access.state === 'checking' && <Spinner label="Opening the station" />}
        {access.state === 'unknown' && (
          <Alert tone="bad">
            <p>{access.problem}</p>
            <Button variant="outline" className="mt-3" onClick={() => void check(remembered().key)}>
              Try again
            </Button>
          </Alert>
        )}
        {access.state === 'none' && (
          <StationKey problem={access.problem} ready={hydrated} onKey={(key) => void check(key)} />
        )}
        {access.state === 'open' && (
          <>
            <p className="mb-6 flex flex-wrap items-center gap-x-3 border-line border-y py-1">
              <span className="py-2">
                Sending as <b className="font-semibold">{access.who.name}</b>
                {access.who.boxes !== null && `, for ${access.who.boxes.length} boxes`}
              </span>
              {access.key !== '' && (
                <Button variant="link" onClick={forget}>
                  Forget the key
                </Button>
              )}
            </p>
            <ResultForm accessKey={access.key} />
          </>
        )}
      </div>
    </DirtyGuard>
  )
}

type Props = { problem: string | null; ready: boolean; onKey: (key: string) => void }

/** Asks for the key of this station, once. */
function StationKey({ problem, ready, onKey }: Props) {
  const [error, setError] = useState<string>()
  const submit = (data: FormData) => {
    const key = String(data.get('key') ?? '').trim()
    setError(key === '' ? 'The key is required.' : undefined)
    if (key !== '') onKey(key)
  }
  return (
    <form
      aria-label="Set up this station"
      className="grid max-w-xl gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit(new FormData(event.currentTarget))
      }}
    >
      {problem && <Alert tone="bad">{problem}</Alert>}
      <InputField
        label="Key of this station"
        name="key"
        type="password"
        autoComplete="off"
        error={error}
        hint="A manager makes it, for sending readings and results only. This browser remembers it until you press ‘Forget the key’."
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" disabled={!ready}>
          Open the station
        </Button>
        <ButtonLink to="/user/signin?next=/station" variant="link">
          Log in as a manager instead
        </ButtonLink>
      </div>
    </form>
  )
}
