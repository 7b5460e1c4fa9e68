import { type Bounds, type Coastline, type CoastlineFile, isWithin, readCoastline } from './coastline.ts'
import australiaUrl from './coastline-australia.json?url'
import worldUrl from './coastline-world.json?url'

/** Where the finer coastline ends; what reaches beyond is shown on the world's. Says the same as its file. */
const australia: Bounds = { west: 110, south: -50, east: 180, north: 0 }

/** The finest coastline that covers all of `bounds`, loaded when asked for: in the browser as data, not as script. */
export async function loadCoastline(bounds: Bounds): Promise<Coastline> {
  const fine = isWithin(bounds, australia)
  return readCoastline(
    import.meta.env.SSR ? await onServer(fine) : await fetched(fine ? australiaUrl : worldUrl),
  )
}

async function onServer(fine: boolean): Promise<CoastlineFile> {
  const file: { default: CoastlineFile } = fine
    ? await import('./coastline-australia.json')
    : await import('./coastline-world.json')
  return file.default
}

async function fetched(url: string): Promise<CoastlineFile> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`the coastline could not be loaded: ${answer.status}`)
  return answer.json()
}
