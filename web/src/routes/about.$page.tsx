import type { ContentPage } from '@befaqt/domain/api/site-api'
import { useLoaderData } from 'react-router'
import { AboutPage } from '#web/features/about/about-page.tsx'

export default function About() {
  return <AboutPage page={useLoaderData<ContentPage>()} />
}
