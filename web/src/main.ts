import "./look/theme.css";
import { mount } from "svelte";
import App from "./App.svelte";

// After an update of the service, parts of the page may have new names: load the new page.
addEventListener("vite:preloadError", (event) => {
  event.preventDefault();
  location.reload();
});

const target = document.getElementById("app");
if (target) mount(App, { target });

if (import.meta.env.PROD && "serviceWorker" in navigator) {
  // Only makes the next visit quicker: without it everything works as well.
  addEventListener("load", () => void navigator.serviceWorker.register("/sw.js").catch(() => {}));
}
