import type { FishReport, SalesReport } from '@befaqt/domain/api/desk-api'
import { useLoaderData } from 'react-router'
import type { Read } from '#web/features/manage/read.ts'
import { ReportScreen } from '#web/features/manage/report/report-screen.tsx'

export default function ManageReport() {
  return <ReportScreen found={useLoaderData<Read<SalesReport | FishReport>>()} />
}
