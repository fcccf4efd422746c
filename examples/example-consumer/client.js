/**
 * Browser half of the example: a card that opens command tabs, has a terminal in an element of its own, and puts a pane beside
 * a terminal. It is written as the module loader wants it, so that there is nothing to build.
 */
window.__ModuleLoader__.load({
  id: '@hyzyn/dsh-tty-example-consumer',
  factory: (require) => {
    const { createElement: h, useEffect, useRef, useState } = require('react')
    const { createSnapshotStore } = require('@deepseek-ai/dsh-client-runtime/client')

    const NS = 'tty-example'
    const CHANNEL = '/tty-example-rpc'
    const OPEN_KEY = 'tty-example.open'
    const zh = {
      entry: '终端示例',
      absent: '终端插件不在。此插件照常工作。',
      tab: '打开命令标签页',
      pane: '在终端旁放窗格',
      run: '在主机上运行',
      mounted: '此插件自己的终端',
      paneTitle: '示例窗格',
      paneHint: '属于它旁边的标签页',
      paneText: '此处内容由示例插件绘制。',
    }
    const en = {
      entry: 'Terminal example',
      absent: 'The terminal plugin is not here. This one works without it.',
      tab: 'Open a command tab',
      pane: 'Put a pane beside the terminal',
      run: 'Run on the host',
      mounted: 'A terminal of this plugin',
      paneTitle: 'Example pane',
      paneHint: 'Belongs to the tab beside it',
      paneText: 'What is in here is drawn by the example plugin.',
    }
    const TAB = { command: "printf 'a command tab of the example, %s\\n' $$; exec sleep 3600", label: 'Example' }
    const MOUNTED = { command: "printf '\\033[32mmounted\\033[0m by the example, %s\\n' $$; exec cat" }

    const row = { display: 'flex', flexWrap: 'wrap', gap: 8 }
    const button = {
      padding: '4px 12px',
      border: '1px solid var(--dsw-alias-border-l3)',
      borderRadius: 8,
      background: 'var(--dsw-alias-bg-layer-3)',
      color: 'var(--dsw-alias-label-primary)',
      font: 'inherit',
      cursor: 'pointer',
    }
    const card = {
      position: 'fixed',
      top: 24,
      right: 24,
      width: 'min(420px, calc(100vw - 48px))',
      display: 'flex',
      flexDirection: 'column',
      gap: 10,
      padding: 14,
      boxSizing: 'border-box',
      border: '1px solid var(--dsw-alias-border-l2)',
      borderRadius: 12,
      background: 'var(--dsw-alias-bg-layer-2)',
      color: 'var(--dsw-alias-label-primary)',
      boxShadow: 'var(--dsw-shadow-lv3)',
      font: '13px/20px var(--dsw-font-family)',
    }

    function Entry({ t, wide, useState: useExample, toggle }) {
      const isOpen = useExample((state) => state.isOpen)
      const style = {
        ...button,
        flex: 1,
        minWidth: 0,
        marginInlineStart: 6,
        overflow: 'hidden',
        whiteSpace: 'nowrap',
        textOverflow: 'ellipsis',
      }
      const label = t('entry')
      return h(
        'button',
        {
          type: 'button',
          style: wide ? style : { ...style, margin: 0, padding: 4 },
          'aria-pressed': isOpen,
          'aria-label': label,
          onClick: toggle,
        },
        wide ? label : '⧉',
      )
    }

    function Card({ t, useState: useExample, run, openPane }) {
      const { isOpen, terminal, panel } = useExample((state) => state)
      const [answer, setAnswer] = useState('')
      if (!isOpen) return null
      const act = (what) => () => {
        try {
          what()
        } catch (error) {
          setAnswer(error.message)
        }
      }
      return h(
        'section',
        {
          style: card,
          'aria-label': t('entry'),
          'data-example': terminal === null ? 'absent' : String(terminal.version),
        },
        terminal === null
          ? h('p', { style: { margin: 0 } }, t('absent'))
          : [
              h(
                'div',
                { key: 'buttons', style: row },
                h('button', { type: 'button', style: button, onClick: act(() => terminal.open(TAB)) }, t('tab')),
                h('button', { type: 'button', style: button, onClick: act(() => openPane(panel)) }, t('pane')),
                h('button', { type: 'button', style: button, onClick: () => void run().then(setAnswer) }, t('run')),
              ),
              h(Mounted, { key: 'mounted', terminal, label: t('mounted') }),
            ],
        answer === '' ? null : h('output', { 'data-example-answer': '' }, answer),
      )
    }

    /** A terminal in an element of this plugin, for as long as the element is there. */
    function Mounted({ terminal, label }) {
      const host = useRef(null)
      useEffect(() => terminal.mount(host.current, MOUNTED), [terminal])
      return h('div', {
        ref: host,
        style: { height: 160 },
        role: 'group',
        'aria-label': label,
        'data-example-host': '',
      })
    }

    function apply(ctx) {
      const isOpen = sessionStorage.getItem(OPEN_KEY) === 'yes'
      const state = createSnapshotStore({ isOpen, terminal: null, panel: null }, { flush: 'sync' })
      ctx.effect(() => ctx.locale.register(NS, { zh, en }), 'example: dictionaries')
      const t = ctx.locale.bind(NS)

      // Runs when both are there, again after each reload of theirs; what it returns runs when they go.
      ctx.inject(['ttyTerminal', 'ttyPanel'], (scope) => {
        const { ttyTerminal: terminal, ttyPanel: panel } = scope
        if (terminal.version !== 3 || panel.version !== 2) return
        state.set({ ...state.getSnapshot(), terminal, panel })
        return () => {
          state.set({ ...state.getSnapshot(), terminal: null, panel: null })
        }
      })

      const openPane = (panel) => {
        const content = document.createElement('p')
        content.style.cssText = 'margin:0;padding:12px'
        content.textContent = t('paneText')
        const pane = panel.mountPane({
          title: t('paneTitle'),
          hint: t('paneHint'),
          side: 'right',
          size: 280,
          onClose: () => {
            content.remove()
            document.body.dataset.examplePane = 'closed'
          },
        })
        pane.element.append(content)
        document.body.dataset.examplePane = 'open'
      }
      const run = async () => {
        const { value } = await ctx.connection.rpc.call(CHANNEL, 'run', {})
        return value.message ?? value.text ?? t('absent')
      }
      const toggle = () => {
        const isOpen = !state.getSnapshot().isOpen
        sessionStorage.setItem(OPEN_KEY, isOpen ? 'yes' : 'no')
        state.set({ ...state.getSnapshot(), isOpen })
      }
      const hooks = { state }
      ctx.slots.inject('sidebar.footer.action', () =>
        ctx.slots.register(
          { name: 'sidebar.footer.action', id: NS, order: 20, locale: NS, inject: () => ({ hooks, toggle }) },
          Entry,
        ),
      )
      ctx.slots.inject('shell.overlay', () =>
        ctx.slots.register(
          { name: 'shell.overlay', id: NS, order: 20, locale: NS, inject: () => ({ hooks, run, openPane }) },
          Card,
        ),
      )
    }

    // The terminals are not in it: a required service that is missing would stop the page.
    return { name: NS, inject: ['slots', 'locale', 'connection'], apply }
  },
})
