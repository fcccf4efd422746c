/** Stands for DSH's fenced RPC, through which a page gets its ticket. */
export const TICKET_PATH = '/bench/ticket'
