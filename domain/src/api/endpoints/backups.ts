import type { BackupList, NewBackup } from '../../backup.ts'
import { endpoint, types } from '../endpoint.ts'

export const listBackups = endpoint('GET', '/api/manage/backup', types<{ response: BackupList }>)
export const makeBackup = endpoint(
  'POST',
  '/api/manage/backup',
  types<{ body: NewBackup; response: { name: string } }>,
)
export const stopBackup = endpoint('POST', '/api/manage/backup/stop')
export const linkBackup = endpoint(
  'POST',
  '/api/manage/backup/:name/link',
  types<{ response: { href: string } }>,
)
export const downloadBackup = endpoint('GET', '/api/manage/backup/:name/file')
export const removeBackup = endpoint('DELETE', '/api/manage/backup/:name')
