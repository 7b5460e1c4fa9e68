import type { StaffList } from '@befaqt/domain/staff'
import { useLoaderData } from 'react-router'
import type { Read } from '#web/features/manage/read.ts'
import { StaffScreen } from '#web/features/manage/staff/staff-screen.tsx'

export default function ManageStaff() {
  return <StaffScreen found={useLoaderData<Read<StaffList>>()} />
}
