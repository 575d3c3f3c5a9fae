/** A WebSocket that comes back: it notices silence, retries (quickly at first), and tells who listens. */
import type { FromPage, ToPage } from "./wire";

const FIRST_RETRY_MS = 200;
const LAST_RETRY_MS = 10_000;
/** After how much silence the page asks whether the service is there. */
const PING_MS = 5_000;
/**
 * How long an answer to that may take; quicker when there is reason to doubt (the device woke up). Together with the
 * silence before it stays below twelve seconds, after which people shall know that the connection is gone. It is
 * counted from the question: in a tab that sleeps, all that is due comes late and at once.
 */
const PATIENCE_MS = 6_000;
const DOUBT_MS = 3_000;

export type Listener = {
  /** Where to connect; asked anew for each attempt. */
  address: () => string;
  hear: (message: ToPage) => void;
  /** The connection broke, or could not be made. It is retried unless `close` is called. */
  lost: (closeCode: number) => void;
};

/** How long to wait before a retry, the n-th from 0: doubling, with jitter so that not all come at once. */
export function retryDelay(n: number, random = Math.random): number {
  return Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** n) * (0.5 + random() / 2);
}

export class Connection {
  #socket: WebSocket | null = null;
  #failures = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #pinging: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(private readonly listener: Listener) {
    addEventListener("online", this.#wake);
    addEventListener("offline", this.#doubt);
    addEventListener("pageshow", this.#wake);
    document.addEventListener("visibilitychange", this.#wake);
    this.#connect();
  }

  /** Sends if that is possible now, and says whether it was. */
  send(message: FromPage): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Connects anew at once. */
  again(): void {
    if (this.#closed) return;
    this.#drop();
    this.#connect();
  }

  close(): void {
    this.#closed = true;
    this.#drop();
    removeEventListener("online", this.#wake);
    removeEventListener("offline", this.#doubt);
    removeEventListener("pageshow", this.#wake);
    document.removeEventListener("visibilitychange", this.#wake);
  }

  #connect(): void {
    const socket = new WebSocket(this.listener.address());
    this.#socket = socket;
    this.#expectAnswer(PATIENCE_MS);
    socket.onopen = () => this.#listen();
    socket.onmessage = (event: MessageEvent<string>) => {
      this.#listen();
      const message = JSON.parse(event.data) as ToPage;
      // Who is turned away at once is not connected, and waits for longer each time.
      if (message.type !== "refused" || message.key !== null) this.#failures = 0;
      this.listener.hear(message);
    };
    socket.onclose = (event) => {
      if (socket === this.#socket) this.#lose(event.code);
    };
  }

  /** Something was heard; if nothing more is for a while, the page asks. */
  #listen(): void {
    clearTimeout(this.#silence);
    clearTimeout(this.#pinging);
    this.#pinging = setTimeout(() => this.#ping(PATIENCE_MS), PING_MS);
  }

  #ping(patience: number): void {
    if (this.send({ type: "ping" })) this.#expectAnswer(patience);
  }

  #expectAnswer(patience: number): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#lose(0), patience);
  }

  #lose(closeCode: number): void {
    this.#drop();
    this.#retry = setTimeout(() => this.#connect(), retryDelay(this.#failures++));
    this.listener.lost(closeCode);
  }

  #drop(): void {
    clearTimeout(this.#retry);
    clearTimeout(this.#silence);
    clearTimeout(this.#pinging);
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  /** The device woke up or is online again: connect at once, or make sure that the line still stands. */
  #wake = (): void => {
    if (this.#closed || document.visibilityState === "hidden") return;
    if (this.#socket === null) this.again();
    else this.#doubt();
  };

  #doubt = (): void => this.#ping(DOUBT_MS);
}
