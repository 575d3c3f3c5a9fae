"""Makes the pages in docs/lab: python docs/make_lab_reports.py [--games N].

For each edition, as it is sold, what the lab finds out about it with two players and with four; and one
page that sets the editions side by side and tests the claims. A page keeps the answers and the tables that
are short enough to be read; `dicetown lab` makes the whole report, with its charts, again. It takes
some minutes.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from dicetown import Ruleset
from dicetown.lab.record.gather import gather
from dicetown.lab.report.markdown import as_markdown
from dicetown.lab.report.report import compose
from dicetown.lab.studies.study import Wish, find_study, samples_for, usual_games
from dicetown.material import load

REPORTS = Path(__file__).with_name("lab")
#: What is asked about each edition, and what about all of them together.
OF_ONE = ("balance", "openings", "pace", "dice")
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
    samples = {
        key: samples_for(key, Wish(ruleset, players, (("greedy",),), games or usual_games(key)))
        for key in studies
    }
    wanted = {sample.name: sample for part in samples.values() for sample in part}
    command = "python docs/make_lab_reports.py" + (f" --games {games}" if games else "")
    with TemporaryDirectory() as place:
        gathered = gather(list(wanted.values()), Path(place) / "results", command=command)
        recorded = {one.name: one for one in gathered.recorded}
        sections = [
            find_study(key)([recorded[sample.name] for sample in part], "en") for key, part in samples.items()
        ]
        whole = as_markdown(compose(sections, gathered.recorded, "en", command))
    (REPORTS / f"{name}.md").write_text(shorten(whole, name), encoding="utf-8")


def shorten(whole: str, name: str) -> str:
    """A report without its charts and long tables, and with the commands that make it again."""
    text = re.sub(r"## In short\n.*?(?=\n## )", "", whole, flags=re.DOTALL)
    text = re.sub(r"<details>.*?</details>\n", "", text, flags=re.DOTALL)
    text = re.sub(r"^!\[.*\n", "", text, flags=re.MULTILINE)
    edition = f" --edition {name} --players 2,4" if name in load().editions else ""
    again = AGAIN.format(command=f"dicetown lab all{edition} --out results --open")
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
