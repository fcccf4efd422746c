/** A session's chain together with its anchor outside the table: what the anchor says, and what it proves. */
import type { StreamOffset } from '../../protocol-src/ids.ts'
import type { Anchor, HeadAnchors } from './head-anchors.ts'
import type { RecoveredSession } from './recovery.ts'
import type { Evidence, SessionChain } from './session-chain.ts'

export class AnchoredSession {
  readonly chain: SessionChain
  /** What an earlier run left of it; null for a session of this run. */
  readonly past: RecoveredSession['past']
  /** What the anchor's file says; null before the first. */
  #anchor: Anchor | null

  constructor(chain: SessionChain, recovered: Pick<RecoveredSession, 'anchor' | 'past'> | null) {
    this.chain = chain
    this.past = recovered?.past ?? null
    this.#anchor = recovered?.anchor ?? null
  }

  /** Say, before a commit, that the chain may soon end later than anchored. @throws Node's system error */
  loosen(anchors: HeadAnchors): void {
    if (this.#anchor?.isExact !== false) this.#write(anchors, { isExact: false })
  }

  /** Anchor what was committed, and from where output is kept. @throws Node's system error */
  advance(anchors: HeadAnchors): void {
    const fileStart = this.chain.output.fileStart
    if (this.#anchor?.seq !== this.chain.committed.seq || this.#anchor.fileStart !== fileStart)
      this.#write(anchors, { isExact: false })
  }

  /** Nothing is about to be committed: the chain ends exactly here. @throws Node's system error */
  settle(anchors: HeadAnchors): void {
    if (this.chain.state === 'changed' || this.#anchor === null || this.chain.queued.length > 0) return
    if (!this.#anchor.isExact) this.#write(anchors, { isExact: true, fileStart: this.#anchor.fileStart })
  }

  /** The output is about to be removed. @throws Node's system error */
  settleWithoutOutput(anchors: HeadAnchors): void {
    this.#write(anchors, { isExact: this.chain.queued.length === 0, fileStart: this.chain.output.end })
  }

  /**
   * What the chain must agree with.
   * @param anchors null when nothing is on disk, or no longer is: then the chain can only be compared with memory
   */
  evidence(anchors: HeadAnchors | null): Evidence {
    const { chain } = this
    if (anchors === null) return { heldFrom: () => chain.output.start, head: { ...chain.committed, isExact: true } }
    const read = anchors.read(chain.id)
    if (chain.state === 'changed') return { heldFrom: () => read?.fileStart ?? 0, head: read }
    const isOwn = read?.hash === this.#anchor?.hash && read?.seq === this.#anchor?.seq
    return {
      heldFrom: () => this.#anchor?.fileStart ?? 0,
      head: isOwn ? { ...chain.committed, isExact: true } : null,
    }
  }

  #write(anchors: HeadAnchors, how: { isExact: boolean; fileStart?: StreamOffset }): void {
    const { seq, hash } = this.chain.committed
    const fileStart = how.fileStart ?? this.chain.output.fileStart
    const anchor = { seq, hash, fileStart, isExact: how.isExact }
    anchors.write(this.chain.id, anchor)
    this.#anchor = anchor
  }
}
