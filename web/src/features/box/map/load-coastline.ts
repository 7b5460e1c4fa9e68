import { type Bounds, type Coastline, type CoastlineFile, isWithin, readCoastline } from './coastline.ts'
import australiaUrl from './coastline-australia.json?url'
import worldUrl from './coastline-world.json?url'

/** Where the finer coastline ends; what reaches beyond is shown on the world's. Says the same as its file. */
const australia: Bounds = { west: 110, south: -50, east: 180, north: 0 }

/** The finest coastline that covers all of `bounds`, fetched when asked for, as data and not as script. */
export async function loadCoastline(bounds: Bounds): Promise<Coastline> {
  const answer = await fetch(isWithin(bounds, australia) ? australiaUrl : worldUrl)
  if (!answer.ok) throw new Error(`the coastline could not be loaded: ${answer.status}`)
  const file: CoastlineFile = await answer.json()
  return readCoastline(file)
}
