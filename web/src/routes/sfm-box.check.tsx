import { useLoaderData } from 'react-router'
import { FindBoxPage } from '#web/features/box/find/find-box-page.tsx'
import { PageHead } from '#web/head/page-head.tsx'
import type { BoxCheckData } from '#web/loaders/shop-loaders.ts'

const describe = () => ({
  title: 'Check a box',
  description: 'Check a box of fish by its number, by the code on it, or by a proof that you saved.',
  canonical: '/SFMBox/check',
})

export default function SfmBoxCheck() {
  const { typed, problem } = useLoaderData<BoxCheckData>()
  return (
    <>
      <PageHead describe={describe} />
      <FindBoxPage key={typed} typed={typed} problem={problem} />
    </>
  )
}
