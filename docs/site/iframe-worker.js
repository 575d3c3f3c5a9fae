/* A worker for pages opened from the file system, where browsers allow none: the search runs in a frame without
 * a border instead. Material's own answer is loaded from elsewhere; this one is not. */
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      document.body.appendChild(frame)
      this.inside = frame.contentWindow
      this.inside.document.open()
      this.inside.document.write("<html><body><script>postMessage = data => parent.dispatchEvent(" +
        "new MessageEvent('from-frame', { data }));" +
        "importScripts = (...urls) => urls.reduce((before, url) => before.then(() => new Promise((done, failed) => {" +
        "const script = document.createElement('script'); script.src = url; script.onload = done;" +
        "script.onerror = failed; document.body.appendChild(script) })), Promise.resolve())" +
        "<\/script><script src='" + url + "'><\/script></body></html>")
      this.inside.document.close()
      this.loaded = new Promise(done => { frame.onload = done })
      addEventListener("from-frame", event => {
        const told = new MessageEvent("message", { data: event.data })
        if (this.onmessage) this.onmessage(told)
        this.dispatchEvent(told)
      })
    }

    postMessage(data) {
      this.loaded.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })))
    }

    terminate() {
      this.inside.frameElement.remove()
    }
  }
}
