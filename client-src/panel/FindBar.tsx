/** Looks for a text in the terminal below it. */
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { Translate } from '../locales.ts'
import type { FindModel, FindQuery } from '../stores/popup-model.ts'
import type { TabKey } from '../stores/tab-store.ts'
import css from './FindBar.module.css'
import { IconButton } from './IconButton.tsx'
import { ArrowGlyph } from './icons.tsx'
import { joined } from './joined.ts'
import type { Kit } from './kit.ts'
import popup from './Popup.module.css'
import type { PanelActions, PanelProps } from './props.ts'

const TOGGLES = [
  { option: 'isCase', sign: 'Aa', label: 'find.case' },
  { option: 'isWord', sign: '“ab”', label: 'find.word' },
  { option: 'isRegExp', sign: '.*', label: 'find.regExp' },
] as const

export interface FindSlotProps extends Pick<PanelProps, 'usePopups' | 'popupActions'> {
  readonly kit: Kit
  readonly t: Translate
  readonly tab: TabKey
  readonly activate: PanelActions['activate']
}

/** The bar, while somebody looks for something. */
export function FindSlot({ usePopups, ...props }: FindSlotProps) {
  const model = usePopups(({ find }) => find)
  return model === null ? null : <FindBar {...props} model={model} />
}

function FindBar(props: Omit<FindSlotProps, 'usePopups'> & { model: FindModel }) {
  const { kit, t, tab, model, popupActions, activate } = props
  const { opening, seed, reason, count, current, isMore } = model
  const field = useRef<HTMLInputElement>(null)
  const [query, setQuery] = useState<FindQuery>({ text: seed, isCase: false, isWord: false, isRegExp: false })
  const { find } = popupActions
  const [seen, setSeen] = useState(opening)
  if (seen !== opening) {
    setSeen(opening)
    if (seed !== '') setQuery({ ...query, text: seed })
  }
  useEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [opening])
  useEffect(() => {
    find(tab, query)
  }, [find, tab, query])
  const close = (): void => {
    popupActions.closeFind(tab)
    activate(tab, true)
  }
  const handleKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') close()
    else if (event.key === 'Enter' && event.target === field.current)
      popupActions.findNext(tab, event.shiftKey ? 'previous' : 'next')
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const total = isMore ? `${String(count)}+` : count
  const result = reason === null ? t('find.count', { current, total }) : t('find.bad', { reason })
  return (
    // Its keys are those of everything in it.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <search
      className={joined(popup['popup'], css['bar'])}
      aria-label={t('find')}
      data-tty-find=""
      onKeyDown={handleKey}
    >
      <input
        ref={field}
        className={css['field']}
        aria-label={t('find')}
        aria-invalid={reason !== null}
        placeholder={t('find')}
        spellCheck={false}
        autoComplete="off"
        value={query.text}
        onChange={(event) => {
          setQuery({ ...query, text: event.currentTarget.value })
        }}
      />
      <output className={css['count']} data-bad={reason !== null} aria-live="polite">
        {query.text === '' ? '' : result}
      </output>
      <span className={css['tools']}>
        {TOGGLES.map(({ option, sign, label }) => (
          <button
            key={option}
            type="button"
            className={css['toggle']}
            aria-label={t(label)}
            title={t(label)}
            aria-pressed={query[option]}
            onClick={() => {
              setQuery({ ...query, [option]: !query[option] })
            }}
          >
            {sign}
          </button>
        ))}
        {(['previous', 'next'] as const).map((direction) => (
          <IconButton
            key={direction}
            label={t(`find.${direction}`)}
            onClick={() => {
              popupActions.findNext(tab, direction)
            }}
          >
            <ArrowGlyph isDown={direction === 'next'} />
          </IconButton>
        ))}
        <IconButton label={t('find.close')} onClick={close}>
          <kit.CloseIcon size={14} />
        </IconButton>
      </span>
    </search>
  )
}
