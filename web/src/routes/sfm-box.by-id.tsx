import { useLoaderData } from 'react-router'
import { BoxList } from '#web/features/box/find/box-list.tsx'
import { PageHead } from '#web/head/page-head.tsx'
import type { BoxesData } from '#web/loaders/shop-loaders.ts'

const describe = () => ({
  title: 'Fish boxes',
  description: 'Find a fish box by its number and see its history from catch to assessment.',
})

export default function SfmBoxes() {
  const { found, q } = useLoaderData<BoxesData>()
  return (
    <>
      <PageHead describe={describe} />
      <BoxList found={found} q={q} />
    </>
  )
}
