import type { BackupList } from '@befaqt/domain/backup'
import { useLoaderData } from 'react-router'
import { BackupScreen } from '#web/features/manage/backup/backup-screen.tsx'
import type { Read } from '#web/features/manage/read.ts'

export default function ManageBackups() {
  return <BackupScreen found={useLoaderData<Read<BackupList>>()} />
}
