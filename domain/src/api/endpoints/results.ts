import { endpoint, type FormBody, types } from '../endpoint.ts'

type Added = { seq: number }

export const addImageResult = endpoint(
  'POST',
  '/api/box/:boxID/image',
  types<{ body: FormBody; response: Added }>,
)
export const addEnoseResult = endpoint(
  'POST',
  '/api/box/:boxID/enose',
  types<{ body: FormBody; response: Added }>,
)
