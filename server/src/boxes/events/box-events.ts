import { ShopError } from '@befaqt/domain/errors'
import type { HistoryDeps } from '#server/boxes/archive/read-archive.ts'
import { boxNotFound } from '#server/boxes/box-access.ts'
import { RECORDS_PART } from '#server/boxes/read-records.ts'
import type { Follower as EventFollower, HeardEvent } from '#server/db/event-feed.ts'
import { eventKinds } from '#server/db/events.ts'
import { type Position, readNews, readPositions } from './news.ts'

/** Somebody who follows a box. */
export type Follower = {
  boxID: string
  /** What they have received of it; null: they want what comes from now on. */
  from: Position | null
  /** They are followers from here on, and have not received `text` yet. */
  begin(text: string): void
  /** They do not become followers. */
  reject(error: unknown): void
  /** News of the box, the same bytes for all its followers. */
  send(bytes: Buffer): void
}

/** A box with followers. All of them have received the same: everything up to `position`. */
type Followed = { position: Position | null; followers: Set<Follower>; joining: Set<Follower> }

/** Boxes whose news are read at the same time. */
const MAX_CONCURRENT = 4

/**
 * The news of boxes that are followed in this process. However many follow a box, its news are read and written as text
 * once. What is done for a box is done one after the other, so that a follower misses nothing and hears nothing twice.
 */
export class BoxEvents implements EventFollower {
  readonly #deps: HistoryDeps
  readonly #followed = new Map<string, Followed>()
  readonly #due = new Set<string>()
  readonly #busy = new Set<string>()

  constructor(deps: HistoryDeps) {
    this.#deps = deps
  }

  /** Boxes that are followed at the moment. */
  get boxes(): number {
    return this.#followed.size
  }

  /** Makes somebody a follower, or rejects them. Returns a function that ends it. */
  add(follower: Follower): () => void {
    const { boxID } = follower
    const box = this.#followed.get(boxID) ?? { position: null, followers: new Set(), joining: new Set() }
    this.#followed.set(boxID, box)
    box.joining.add(follower)
    this.#refresh(boxID)
    return () => {
      box.joining.delete(follower)
      box.followers.delete(follower)
      this.#dropUnused(boxID, box)
    }
  }

  heard({ kind, keys }: HeardEvent): void {
    if (kind === eventKinds.boxGrown && keys !== null) for (const boxID of keys) this.#refresh(boxID)
    else if (kind === eventKinds.anchorReverted) this.#forgetAnchor(Number(keys?.[0]))
    else if (kind === eventKinds.boxGrown || kind === eventKinds.anchorConfirmed) this.missed()
  }

  /** It is news again when it is confirmed again. */
  #forgetAnchor(index: number): void {
    for (const box of this.#followed.values())
      if (box.position !== null && box.position.anchor >= index)
        box.position = { seq: box.position.seq, anchor: index - 1 }
  }

  /** Compares the followed boxes with what their followers have received: one query for all of them. */
  missed(): void {
    const ids = [...this.#followed.keys()]
    if (ids.length === 0) return
    readPositions(this.#deps.db, ids).then(
      (positions) => {
        for (const [boxID, now] of positions) {
          const heard = this.#followed.get(boxID)?.position
          if (heard && (heard.seq !== now.seq || heard.anchor !== now.anchor)) this.#refresh(boxID)
        }
      },
      (error: unknown) => this.#deps.log.debug(error, 'positions of followed boxes not read'),
    )
  }

  #refresh(boxID: string): void {
    if (!this.#followed.has(boxID)) return
    this.#due.add(boxID)
    this.#startNext()
  }

  #startNext(): void {
    for (const boxID of this.#due) {
      if (this.#busy.size >= MAX_CONCURRENT) return
      if (this.#busy.has(boxID)) continue // it is looked at again when this is done
      this.#due.delete(boxID)
      this.#busy.add(boxID)
      void this.#update(boxID).finally(() => {
        this.#busy.delete(boxID)
        this.#startNext()
      })
    }
  }

  /** Tells the followers of a box what is new, then lets those who wait join them. Never rejects. */
  async #update(boxID: string): Promise<void> {
    const box = this.#followed.get(boxID)
    if (box === undefined) return
    const joining = [...box.joining]
    try {
      const now = (await readPositions(this.#deps.db, [boxID])).get(boxID)
      if (now === undefined) throw boxNotFound()
      await this.#tell(boxID, box, now)
      for (const follower of joining) await this.#join(box, follower)
    } catch (error) {
      for (const follower of joining) if (box.joining.delete(follower)) follower.reject(error)
      this.#deps.log.debug({ err: error, boxID }, 'news of a followed box not read')
    }
    this.#dropUnused(boxID, box)
  }

  /** An anchor that a reorganisation reverted is sent again when it is confirmed again. */
  async #tell(boxID: string, box: Followed, now: Position): Promise<void> {
    if (box.followers.size === 0) box.position = now
    box.position ??= now
    box.position = { seq: box.position.seq, anchor: Math.min(box.position.anchor, now.anchor) }
    while (isBehind(box.position, now)) {
      const { text, after } = await readNews(this.#deps, boxID, box.position, now)
      if (text === '') return // it was committed and taken back, or rows are missing
      box.position = after
      const bytes = Buffer.from(text)
      for (const { send } of box.followers) send(bytes)
    }
  }

  /** Whoever is far behind is quicker with the box itself than with its news. */
  async #join(box: Followed, follower: Follower): Promise<void> {
    const { position } = box
    if (position === null || !box.joining.has(follower)) return
    const from = follower.from ?? position
    const isStrange = from.seq > position.seq || position.seq - from.seq > RECORDS_PART
    if (isStrange) {
      box.joining.delete(follower)
      return follower.reject(TOO_FAR())
    }
    const missed = await readNews(this.#deps, follower.boxID, from, position)
    if (!box.joining.delete(follower)) return
    box.followers.add(follower)
    follower.begin(missed.text)
  }

  #dropUnused(boxID: string, box: Followed): void {
    if (box.followers.size + box.joining.size === 0 && this.#followed.get(boxID) === box)
      this.#followed.delete(boxID)
  }
}

const isBehind = (heard: Position, now: Position): boolean => heard.seq < now.seq || heard.anchor < now.anchor

const TOO_FAR = (): ShopError =>
  new ShopError(
    'conflict',
    'This is not close to where the box stands: read the box again, and go on from there.',
  )
