import { useLoaderData } from 'react-router'
import { ExcursionDetailScreen } from '#web/features/manage/excursion/excursion-detail.tsx'
import { ExcursionScreen } from '#web/features/manage/excursion/excursion-screen.tsx'
import type { Excursions } from '#web/loaders/manage-loaders.ts'

export default function ManageExcursion() {
  const data = useLoaderData<Excursions>()
  return 'one' in data ? <ExcursionDetailScreen found={data.one} /> : <ExcursionScreen found={data.list} />
}
