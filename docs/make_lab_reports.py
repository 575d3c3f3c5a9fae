"""Makes the pages in docs/lab: python docs/make_lab_reports.py [--games N].

For each edition, as it is sold, what the lab finds out about it with two players and with four; and one
page that sets the editions side by side and tests the claims. A page keeps the answers and the tables that
are short enough to be read; `dicetown lab` makes the whole report, with its charts, again. It takes
some minutes.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

from dicetown import Ruleset
from dicetown.commands.lab import join_samples
from dicetown.lab.record.gather import Sample, gather
from dicetown.lab.report.markdown import as_markdown
from dicetown.lab.report.report import compose
from dicetown.lab.studies.study import Wish, find_study, samples_for, usual_games
from dicetown.material import load

REPORTS = Path(__file__).with_name("lab")
#: What is asked about each edition, and what about all of them together.
OF_ONE = ("balance", "openings", "pace", "dice", "skill")
#: Who plays, and how many games at most: champions are slower.
WEAK, STRONG, OF_STRONG = ("greedy",), ("champion",), 5_000
OF_ALL = ("editions", "claims")
#: What a page says instead of what it leaves out; the marker is for tests/test_docs.py.
AGAIN = """## The whole report

Every card, every opening, the charts, and the tables as files, in some minutes:

<!-- not run: plays hundreds of thousands of games; tests/lab runs every study -->
```sh
{command}
```
"""


def make_report(name: str, studies: Sequence[str], ruleset: Ruleset, games: int | None) -> None:
    """Play, look, and write down what was found."""
    print(f"{name} …", flush=True)
    players = (2, 4) if studies == OF_ONE else (4,)
    samples = {key: tuple(samples_of(key, studies, ruleset, players, games)) for key in studies}
    command = "python docs/make_lab_reports.py" + (f" --games {games}" if games else "")
    with TemporaryDirectory() as place:
        gathered = gather(
            join_samples(list(chain(*samples.values()))), Path(place) / "results", command=command
        )
        recorded = {one.name: one for one in gathered.recorded}
        sections = [
            find_study(key)([recorded[sample.name] for sample in part], "en") for key, part in samples.items()
        ]
        whole = as_markdown(compose(sections, gathered.recorded, "en", command))
    (REPORTS / f"{name}.md").write_text(shorten(whole, name), encoding="utf-8")


def samples_of(
    key: str, studies: Sequence[str], ruleset: Ruleset, players: tuple[int, ...], games: int | None
) -> Iterator[Sample]:
    """The samples of a study; of each edition, weak players and strong ones."""
    many = games or usual_games(key)
    few = min(many, OF_STRONG)
    if key == "skill":
        yield from samples_for(key, Wish(ruleset, players, (WEAK, STRONG), few))
        return
    yield from samples_for(key, Wish(ruleset, players, (WEAK,), many))
    if studies == OF_ONE:
        yield from samples_for(key, Wish(ruleset, players, (STRONG,), few))


def shorten(whole: str, name: str) -> str:
    """A report without its charts and long tables, and with the commands that make it again."""
    text = re.sub(r"## In short\n.*?(?=\n## )", "", whole, flags=re.DOTALL)
    text = re.sub(r"<details>.*?</details>\n", "", text, flags=re.DOTALL)
    text = re.sub(r"^!\[.*\n", "", text, flags=re.MULTILINE)
    edition = f" --edition {name} --players 2,4" if name in load().editions else ""
    bots = " --bots 'greedy;champion'" if edition else ""
    again = AGAIN.format(command=f"dicetown lab all{edition}{bots} --out results --open")
    head, made = text.split("## How this was made")
    return re.sub(r"\n{3,}", "\n\n", f"{head}{again}\n## How this was made{made}")


def main() -> None:
    """Make all reports."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, help="of each sample; else what each study needs")
    games = parser.parse_args().games
    for edition in load().editions:
        make_report(edition, OF_ONE, Ruleset(edition), games)
    make_report("compared", OF_ALL, Ruleset(), games)


if __name__ == "__main__":
    main()
