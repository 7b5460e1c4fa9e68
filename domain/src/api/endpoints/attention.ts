import { endpoint, types } from '../endpoint.ts'
import type { Attention } from '../manage-api.ts'

export const readAttention = endpoint('GET', '/api/manage/attention', types<{ response: Attention[] }>)
