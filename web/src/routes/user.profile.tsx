import { listPasskeys } from '@befaqt/domain/api/endpoints/passkeys'
import { readProfile } from '@befaqt/domain/api/endpoints/profile'
import { listSessions } from '@befaqt/domain/api/endpoints/sessions'
import { ShopError } from '@befaqt/domain/errors'
import { type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router'
import { shopApi } from '#web/api/context.ts'
import { type ProfileData, ProfilePage } from '#web/features/account/profile-page.tsx'

/** Needs a session: without one it leads to the sign-in, which leads back here. */
export async function loader({ context }: LoaderFunctionArgs): Promise<ProfileData | Response> {
  const call = context.get(shopApi)
  try {
    const [profile, sessions, passkeys] = await Promise.all([
      call(readProfile),
      call(listSessions),
      call(listPasskeys),
    ])
    return { profile, sessions, passkeys }
  } catch (error) {
    if (error instanceof ShopError && error.code === 'auth.required')
      return redirect('/user/signin?next=/user/profile')
    throw error
  }
}

export default function Profile() {
  return <ProfilePage {...useLoaderData<ProfileData>()} />
}
