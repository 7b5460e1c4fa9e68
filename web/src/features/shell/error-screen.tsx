import { ShopError } from '@befaqt/domain/errors'
import { isRouteErrorResponse, useRevalidator, useRouteError } from 'react-router'
import { userMessage } from '#web/api/hydration.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { useSignInPath } from '#web/features/account/use-next.ts'
import { ErrorHead } from '#web/head/page-head.tsx'
import { SearchForm } from './search-form.tsx'

const statusOf = (error: unknown): number | null =>
  error instanceof ShopError || isRouteErrorResponse(error) ? error.status : null

/** Title of the page when it can't be shown. Source of the texts: spec §2, §8. */
function errorTitle(error: unknown): string {
  const status = statusOf(error)
  if (status === 404) return '404: Page not found'
  if (status === 401) return 'Please log in'
  if (status === 403) return 'Not allowed'
  return 'Unexpected Application Error!'
}

const WaysOn = () => (
  <div className="mt-8 grid max-w-md gap-6">
    <SearchForm name="Search instead" />
    <div className="flex flex-wrap gap-3">
      <ButtonLink to="/">Go to the market</ButtonLink>
      <ButtonLink to="/category" variant="outline">
        See all categories
      </ButtonLink>
    </div>
  </div>
)

function TryAgain() {
  const { revalidate, state } = useRevalidator()
  const busy = state === 'loading'
  return (
    <Button className="mt-6" aria-disabled={busy} onClick={() => void revalidate()}>
      {busy ? 'Trying…' : 'Try again'}
    </Button>
  )
}

function ErrorMessage({ error }: { error: unknown }) {
  const status = statusOf(error)
  const message = userMessage(error)
  if (status === 404)
    return (
      <p className="mt-4 max-w-prose text-lg text-slate">{message} It may be gone, or the link incomplete.</p>
    )
  return (
    <Alert tone="bad" className="mt-6 max-w-prose">
      Error: {message}
    </Alert>
  )
}

/** Shown instead of a page that can't be shown, with links that lead on. */
export function ErrorScreen({ error }: { error: unknown }) {
  const status = statusOf(error)
  const title = errorTitle(error)
  const signIn = useSignInPath()
  return (
    <div className="wrap py-16">
      <ErrorHead title={title} />
      <h1 className="page-title">{title}</h1>
      <ErrorMessage error={error} />
      {status === 401 && (
        <ButtonLink to={signIn} className="mt-6">
          Log in
        </ButtonLink>
      )}
      {(status === null || status >= 500) && <TryAgain />}
      <WaysOn />
    </div>
  )
}

/** Shown instead of a page when its loader or a part of it failed. */
export function PageError() {
  return <ErrorScreen error={useRouteError()} />
}
