import { readContent } from '@befaqt/domain/api/endpoints/site'
import type { ContentPage } from '@befaqt/domain/api/site-api'
import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { shopApi } from '#web/api/context.ts'
import { AboutPage } from '#web/features/about/about-page.tsx'

export const loader = ({ context }: LoaderFunctionArgs): Promise<ContentPage> =>
  context.get(shopApi)(readContent, { params: { '*': 'about/us' } })

export default function AboutTeam() {
  return <AboutPage page={useLoaderData<ContentPage>()} />
}
