// What is wrong with a table as it lies in the window: a list of complaints, empty if all is well.
// What scrolls by itself (a long street, a long list of answers) needs its panel whole in the window, with at least one
// of its things whole in it.
() => {
  const complaints = [];
  const page = document.scrollingElement;
  const [width, height] = [innerWidth, innerHeight];
  const SLACK = 1.5;
  const shown = (one) => {
    const { width, height } = one.getBoundingClientRect();
    return width > 0 && height > 0 && getComputedStyle(one).visibility !== "hidden" && !one.closest("[inert]");
  };
  const all = (selector, within = document) => [...within.querySelectorAll(selector)].filter(shown);
  const name = (one) => {
    const text = (one.getAttribute("aria-label") || one.innerText || one.className || one.tagName).toString();
    return text.trim().replace(/\s+/g, " ").slice(0, 50);
  };
  // The part of an element that its panels and the window leave of it.
  const visible = (one) => {
    let box = one.getBoundingClientRect();
    let [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom];
    for (let panel = one.parentElement; panel; panel = panel.parentElement) {
      const style = getComputedStyle(panel);
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      const edge = panel.getBoundingClientRect();
      if (style.overflowX !== "visible") [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
      if (style.overflowY !== "visible") [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
    }
    return { left: Math.max(left, 0), top: Math.max(top, 0), right: Math.min(right, width), bottom: Math.min(bottom, height) };
  };
  const isWhole = (one) => {
    const box = one.getBoundingClientRect();
    const left = visible(one);
    return left.left <= box.left + SLACK && left.top <= box.top + SLACK
      && left.right >= box.right - SLACK && left.bottom >= box.bottom - SLACK;
  };
  const whole = (one, what) => {
    if (!isWhole(one)) {
      const { left, top, right, bottom } = one.getBoundingClientRect();
      complaints.push(`${what} is cut off: ${name(one)} (${[left, top, right, bottom].map(Math.round)})`);
      return;
    }
    uncovered(one, what);
  };
  const uncovered = (one, what) => {
    const box = one.getBoundingClientRect();
    const inset = Math.min(4, box.width / 4, box.height / 4);
    const points = [
      [(box.left + box.right) / 2, (box.top + box.bottom) / 2],
      [box.left + inset, box.top + inset], [box.right - inset, box.top + inset],
      [box.left + inset, box.bottom - inset], [box.right - inset, box.bottom - inset],
    ];
    for (const [x, y] of points) {
      const hit = document.elementFromPoint(x, y);
      if (hit && (one.contains(hit) || hit.contains(one))) continue;
      complaints.push(`${what} is covered: ${name(one)} by ${hit ? `${hit.className} ${name(hit)}` : "nothing"}`);
      return;
    }
  };
  const needed = (selector, what, within) => {
    const found = all(selector, within);
    if (found.length === 0) complaints.push(`${what} is not there (${selector})`);
    for (const one of found) whole(one, what);
    return found;
  };
  // Things in a panel that may scroll: the panel is whole, and so is at least one of them.
  const reachable = (panel, selector, what) => {
    whole(panel, `the panel of ${what}`);
    const things = all(selector, panel);
    if (things.length > 0 && !things.some(isWhole)) complaints.push(`not one is whole of ${what}`);
  };
  // Words that stick out of what they are written on.
  const contained = (selector, inner, what) => {
    for (const one of all(selector)) {
      const face = one.getBoundingClientRect();
      for (const part of one.querySelectorAll(inner)) {
        const box = part.getBoundingClientRect();
        if (box.width === 0) continue;
        if (box.bottom > face.bottom + SLACK || box.right > face.right + SLACK || box.top < face.top - SLACK)
          complaints.push(`${what} sticks out: ${name(one)}, ${part.className}`);
      }
    }
  };

  if (page.scrollHeight > height + 1 || page.scrollWidth > width + 1)
    complaints.push(`the page scrolls: ${page.scrollWidth}×${page.scrollHeight}`);

  // The question and its answers.
  const [bar] = needed("section.bar", "the question");
  needed("section.bar :is(h2, .waits)", "the question's sentence");
  for (const answer of all(".answers .button:not(.things .button), .confirms .button", bar)) {
    const list = answer.closest(".answers");
    if (!list || getComputedStyle(list).overflowY === "visible") whole(answer, "an answer");
    else reachable(list, "button", "the answers");
  }
  for (const things of all(".things", bar)) {
    const scrolled = getComputedStyle(things).overflowY === "auto" ? things : things.closest(".answers");
    reachable(scrolled, ".thing", "the cards to choose from");
  }
  for (const outcomes of all(".outcomes, .players", bar))
    for (const answer of all("button", outcomes))
      if (getComputedStyle(answer.closest(".answers")).overflowY === "visible") whole(answer, "an answer");

  // The dice, everybody's coins.
  needed("[data-spot=dice]", "the dice");
  const handheld = document.querySelector("[role=tablist] #tab-market") !== null;
  const purses = needed(handheld ? ".chips [data-spot^=coins]" : "[data-spot^=coins]", "the coins");
  const players = document.querySelectorAll(handheld ? ".chips li" : ".others .player, .front[data-spot]").length;
  if (purses.length !== players) complaints.push(`${purses.length} purses of ${players} players`);

  // The market: all of it, whole; on a phone as much as its part has room for.
  const market = all(".market[aria-label]")[0];
  const phone = handheld && innerHeight > innerWidth;
  if (market && (!phone)) {
    needed(".offer", "a card of the market", market);
    contained(".offer .face", ".name, .foot, .foot > *, .band", "a card");
  }
  // A hint: its first line, and how to close it; the rest scrolls.
  for (const hint of all("section.hint")) {
    needed(".close", "the button that closes the hint", hint);
    reachable(hint, "li, p", "the hint");
  }
  if (handheld) {
    needed("[role=tab]", "a tab");
    if (phone && market) {
      const panel = market.closest(".part");
      // Cards laid out with a question have the height, and on a small phone players: then the market is for who looks for it.
      if (all(height < 700 ? ".things, .players" : ".things", bar).length > 0) whole(panel, "the panel of the market");
      else reachable(panel, ".offer", "the market");
    }
  } else {
    // One's own city, and the odds where they are unfolded.
    const [front] = needed(".front[data-spot]", "the city in front");
    needed(".front .skyline :is(.mark, .none)", "a landmark", front);
    const street = all(".front .street .house", front);
    if (street.length > 0 && !street.some(isWhole)) complaints.push("not one house of the own street is whole");
    for (const table of all(".odds table")) whole(table, "the odds");
    for (const header of all(".others .player > header")) whole(header, "a player");
    for (const who of all(".others .player .who .name"))
      if (who.scrollWidth > who.clientWidth + 1) complaints.push(`a name is cut off: ${name(who)}`);
  }
  return complaints;
}
