/** A tool's call in the conversation: what was done, what came of it, and the way to its terminal. */
import { useState, type ReactNode } from 'react'
import type { Translate } from '../locales.ts'
import { TerminalGlyph } from './icons.tsx'
import css from './ToolRow.module.css'

/** A call as the app hands it over: running, or settled when it has a `kind`. Its arguments may be cut short. */
export interface ToolBlock {
  readonly kind?: unknown
  readonly argsRaw?: string
  readonly call?: { readonly argsRaw?: string } | null
  readonly callView?: { readonly card?: string; readonly title?: string }
  readonly resultView?: { readonly exitCode?: number; readonly signal?: string }
  readonly content?: readonly { readonly text?: string }[]
  readonly isError?: boolean
  readonly meta?: unknown
}

export interface RowKit {
  readonly DisclosureRow: (props: {
    icon: ReactNode
    title: string
    open: boolean
    expandable: boolean
    expandOnRowClick?: boolean
    keepContentWhenOpen?: boolean
    onToggle: () => void
    collapsedContent?: ReactNode
    children?: ReactNode
  }) => ReactNode
  readonly TerminalBlock: (props: {
    command: string
    output?: string
    exitCode?: number
    signal?: string
    running?: boolean
    labels?: Record<string, unknown>
  }) => ReactNode
}

export interface ToolRowProps {
  readonly t: Translate
  readonly kit: RowKit
  readonly block: ToolBlock
  readonly toolName: string
  /** Show the terminal of a session. */
  readonly showSession: (sid: string) => void
}

export function ToolRow({ t, kit, block, toolName, showSession }: ToolRowProps) {
  const [isOpen, setOpen] = useState(false)
  const isSettled = block.kind !== undefined
  const title = block.callView?.title ?? toolName
  const sid = sidOf(block)
  return (
    <kit.DisclosureRow
      icon={<TerminalGlyph size={14} />}
      title={t('row.title')}
      open={isOpen}
      expandable
      expandOnRowClick
      keepContentWhenOpen
      onToggle={() => {
        setOpen(!isOpen)
      }}
      collapsedContent={
        <>
          <span className={css['dot']} aria-hidden="true" />
          <span className={css['summary']}>{title.split('\n', 1)[0]}</span>
        </>
      }
    >
      {block.callView?.card === 'terminal' && block.isError !== true ? (
        <kit.TerminalBlock
          command={title}
          running={!isSettled}
          output={textOf(block)}
          {...(block.resultView?.exitCode === undefined ? {} : { exitCode: block.resultView.exitCode })}
          {...(block.resultView?.signal === undefined ? {} : { signal: block.resultView.signal })}
          labels={labelsIn(t)}
        />
      ) : (
        <pre className={css['text']} data-error={block.isError === true}>
          {isSettled ? textOf(block) : t('row.running')}
        </pre>
      )}
      {sid === null ? null : (
        <button
          type="button"
          className={css['open']}
          data-tty-row={sid}
          onClick={() => {
            showSession(sid)
          }}
        >
          {t('row.open')}
        </button>
      )}
    </kit.DisclosureRow>
  )
}

const textOf = ({ content = [] }: ToolBlock): string => content.map(({ text }) => text ?? '').join('')

/** The terminal it belongs to, by its result, else by its arguments. */
function sidOf({ meta, argsRaw, call }: ToolBlock): string | null {
  return sidIn(meta) ?? sidIn(parsed(argsRaw ?? call?.argsRaw))
}

const sidIn = (value: unknown): string | null =>
  typeof value === 'object' && value !== null && 'sid' in value && typeof value.sid === 'string' ? value.sid : null

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? null : JSON.parse(text)
  } catch {
    return null // still on its way
  }
}

const labelsIn = (t: Translate): Record<string, unknown> => ({
  running: t('row.running'),
  done: t('row.done'),
  failed: t('row.failed'),
  exitCode: (code: number) => t('row.exitCode', { code }),
  signal: (signal: string) => t('row.signal', { signal }),
  copy: t('row.copy'),
  copied: t('row.copied'),
  noOutput: t('row.noOutput'),
})
