import { lazy, Suspense } from 'react'
import { Form } from 'react-router'
import { Button } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { ErrorHead } from '#web/head/page-head.tsx'

/** Finds a box by its number or species; leads to /SFMBox/byId?q=…, with or without script. */
export function BoxSearch({ typed = '' }: { typed?: string }) {
  return (
    <Form
      action="/SFMBox/byId"
      role="search"
      aria-label="Find a box"
      className="flex max-w-xl items-end gap-3"
    >
      <div className="flex-1">
        <InputField
          label="Box number or species"
          name="q"
          type="search"
          defaultValue={typed}
          maxLength={200}
          required
        />
      </div>
      <Button type="submit">Find the box</Button>
    </Form>
  )
}

const AbsenceCheck = lazy(() => import('./check/absence-check.tsx'))

/** A box that does not exist, and how to find the one that was meant. Title: spec §8. */
export function BoxNotFound({ asked }: { asked: string }) {
  const isHydrated = useHydrated()
  return (
    <div className="wrap py-16">
      <ErrorHead title="404: Page not found" />
      <h1 className="text-4xl sm:text-5xl">404: Page not found</h1>
      <p className="mt-4 mb-8 max-w-prose text-lg text-slate">
        There is no box <b className="break-all font-semibold text-ink">{asked}</b>. The number is printed
        under the code on the box.
      </p>
      {isHydrated && (
        <Suspense>
          <AbsenceCheck boxID={asked} />
        </Suspense>
      )}
      <BoxSearch typed={asked} />
    </div>
  )
}
