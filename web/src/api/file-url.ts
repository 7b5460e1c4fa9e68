import { urlOf } from '@befaqt/domain/api/endpoint'
import { readFile } from '@befaqt/domain/api/endpoints/files'

/** Where a stored picture is. */
export const fileUrl = (path: string): string => urlOf(readFile, { params: { '*': path } })
