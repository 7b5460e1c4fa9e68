import { useLoaderData } from 'react-router'
import type { Read } from '#web/features/manage/read.ts'
import { type SiteFound, SiteScreen } from '#web/features/manage/site/site-screen.tsx'

export default function ManageSite() {
  return <SiteScreen found={useLoaderData<Read<SiteFound>>()} />
}
