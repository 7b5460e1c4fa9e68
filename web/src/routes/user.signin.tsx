import { readViewer } from '@befaqt/domain/api/endpoints/site'
import { type LoaderFunctionArgs, redirect } from 'react-router'
import { shopApi } from '#web/api/context.ts'
import { hearViewer } from '#web/api/heard-viewer.ts'
import { AccountLayout } from '#web/features/account/account-layout.tsx'
import { safeRedirectPath } from '#web/features/account/safe-redirect.ts'
import { SignInForm } from '#web/features/account/sign-in-form.tsx'

/** Somebody who is logged in already, maybe in another tab, goes on at once. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response | null> {
  const viewer = await context
    .get(shopApi)(readViewer)
    .catch(() => null)
  if (viewer) hearViewer({ viewer })
  return viewer && redirect(safeRedirectPath(new URL(request.url).searchParams.get('next')))
}

/** Who has just logged in here goes on by the form, once the navigation bar knows. */
export const shouldRevalidate = (): boolean => false

export default function SignInPage() {
  return (
    <AccountLayout title="Log in">
      <SignInForm />
    </AccountLayout>
  )
}
