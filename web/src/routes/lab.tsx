import { boxPath } from '@befaqt/domain/page-paths'
import { lazy, Suspense } from 'react'
import { Form, Link, useSearchParams } from 'react-router'
import { Button } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { boxNumber } from '#web/features/box/find/box-number.ts'
import { PageHead } from '#web/head/page-head.tsx'
import { useSite } from '#web/root-data.ts'

const describe = () => ({
  title: 'Tamper lab',
  description:
    'Falsify the records of a real box of fish on a copy in your browser, and see which check finds it and why.',
  canonical: '/lab',
})

/** The bench with the verifier comes after the page, for whoever waits for it. */
const LabBench = lazy(() => import('#web/features/box/lab/lab-bench.tsx'))

/**
 * Attacks on the copy of a box, each with the check that finds it: the one that is named, or the shop's sample; where there
 * is neither, what to do.
 */
export default function TamperLab() {
  const site = useSite()
  const [asked] = useSearchParams()
  const hydrated = useHydrated()
  if (!site) return null
  const typed = asked.get('box')?.slice(0, 500) ?? ''
  const named = boxNumber(typed)
  const boxID = named ?? site.sampleBox
  const waiting = <p role="status">Opening the lab…</p>
  return (
    <>
      <PageHead describe={describe} />
      <div className="wrap py-12">
        <h1 className="page-title">Tamper lab</h1>
        <div className="mt-3 mb-8 grid max-w-prose gap-3 text-lg text-slate">
          <p>
            Be the thief. Falsify the history of a real box, one trick or several at once, and see which check
            finds it, where, and why.
          </p>
          <p className="text-ink">
            All of it is done to a copy in your browser. Nothing is sent to the shop, and its records stay as
            they are.
          </p>
        </div>
        {boxID === null ? (
          <p className="noscript:hidden">
            This shop has no sample box yet. Enter the number of any of its boxes.
          </p>
        ) : (
          <div className="min-h-96 noscript:hidden">
            <Suspense fallback={waiting}>
              {hydrated ? (
                <LabBench key={boxID} boxID={boxID} contract={site.chain.contract} market={site.market} />
              ) : (
                waiting
              )}
            </Suspense>
          </div>
        )}
        <p className="hidden max-w-prose noscript:block">
          The lab runs the check in your browser, which needs JavaScript. How a proof is checked stands on{' '}
          <Link to={boxID === null ? '/SFMBox/check' : boxPath(boxID)} className="link">
            {boxID === null ? 'the page that checks boxes' : 'the page of the box'}
          </Link>
          .
        </p>
        {boxID !== null && <WhatRemains />}
        <AnotherBox
          typed={typed}
          label={boxID === null ? 'Number of the box' : 'Try it on another box'}
          error={typed.trim() === '' || named !== null ? undefined : noNumber(boxID)}
        />
      </div>
    </>
  )
}

/** What no check of records can find, said without being asked. Source: protocol §7. */
function WhatRemains() {
  return (
    <section className="mt-12 max-w-prose">
      <h2 className="text-2xl">What no check finds</h2>
      <p className="mt-3">
        A ledger proves that nothing was changed since it was recorded. Whether it was true then, it can’t
        know. The last attack in the list is therefore never found here, and we would rather show you that
        than leave it out.
      </p>
      <p className="mt-3">
        The one before it is found by everybody but a first visitor who asks the shop’s own ledger server
        alone. So name a server of somebody else on the page of the box, keep your receipt, or use{' '}
        <Link to="/SFMBox/check" className="link">
          a checker of your own
        </Link>
        .
      </p>
    </section>
  )
}

const noNumber = (sample: string | null): string =>
  `That is no number of a box${sample === null ? '' : ', so the shop’s sample is on the bench'}.`

type Typed = { typed: string; label: string; error: string | undefined }

function AnotherBox({ typed, label, error }: Typed) {
  return (
    <Form action="/lab" className="no-print mt-10 grid max-w-prose gap-3">
      <InputField
        key={typed}
        label={label}
        name="box"
        defaultValue={typed}
        placeholder="Box number"
        error={error}
        maxLength={500}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
      <div>
        <Button type="submit" variant="outline">
          Put it on the bench
        </Button>
      </div>
    </Form>
  )
}
