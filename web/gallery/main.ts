import { mount } from "svelte";
import "../src/look/theme.css";
import Gallery from "./Gallery.svelte";

const target = document.getElementById("gallery");
if (target) mount(Gallery, { target });
