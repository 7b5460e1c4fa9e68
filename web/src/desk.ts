import type { ComponentType } from 'react'
import { deskRoutes } from './desk-routes.ts'
import { manageData } from './loaders/manage-loaders.ts'

/** What the first page of the desk fetches: its addresses, what each of them reads, and by files' names their screens. */
export const desk = {
  routes: deskRoutes,
  data: manageData,
  screens: import.meta.glob<{ default: ComponentType }>(['./routes/manage*.tsx', './routes/station.tsx']),
}
