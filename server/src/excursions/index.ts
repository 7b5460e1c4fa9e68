// What other features use of excursions, and all that they may import of it.

export { diffExcursions, rebuildExcursions } from './rebuild-excursions.ts'
export { queueBehind } from './watch-boxes.ts'
