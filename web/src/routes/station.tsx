import { StationPage } from '#web/features/station/station-page.tsx'
import { PageHead } from '#web/head/page-head.tsx'

export default function Station() {
  return (
    <>
      <PageHead describe={() => ({ title: 'Station' })} />
      <StationPage />
    </>
  )
}
