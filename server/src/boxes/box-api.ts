import type { BoxApi } from '@befaqt/domain/api/box-api'
import { type BoxPageDeps, boxPage } from './box-page.ts'
import { listBoxes } from './list-boxes.ts'

/** What pages read of boxes, for pages rendered here. */
export const boxApi = (deps: BoxPageDeps): BoxApi => ({
  boxPage: (boxID) => boxPage(deps, boxID),
  boxes: ({ page = 1, size = 20, q = '' }) => listBoxes(deps.db, { page, size, q }),
})
