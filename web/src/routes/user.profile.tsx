import { useLoaderData } from 'react-router'
import { type ProfileData, ProfilePage } from '#web/features/account/profile-page.tsx'

export default function Profile() {
  return <ProfilePage {...useLoaderData<ProfileData>()} />
}
