"""Record what agents see and do anew: .venv/bin/python tests/envs/fingerprints.py

Whoever trained an agent relies on the meaning and order of these numbers. When one of them changes, raise
VERSION in src/dicetown/sight/spec.py first.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from dicetown import Ruleset
from dicetown.material import load
from dicetown.sight.spec import VERSION, Spec

KEPT = Path(__file__).with_name("fingerprints.txt")


def print_of(spec: Spec) -> str:
    """A hash of all that must not change within a version."""
    seen = [f"{name} {most}" for name, most in zip(spec.names, spec.most.tolist(), strict=True)]
    text = "\n".join([*seen, "", *spec.action_names])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def all_prints() -> list[str]:
    """The version, and a line for each edition and number of players."""
    lines = [f"version {VERSION}"]
    for edition in load().editions:
        for sets in (None, ["base"]):
            ruleset = Ruleset(edition, sets)
            for players in range(ruleset.min_players, ruleset.max_players + 1):
                spec = Spec(ruleset, players)
                chosen = "+".join(ruleset.set_ids)
                lines.append(f"{edition} {chosen} {players}: {spec.size} {spec.actions} {print_of(spec)}")
    return list(dict.fromkeys(lines))


if __name__ == "__main__":
    KEPT.write_text("\n".join(all_prints()) + "\n", encoding="utf-8")
    print(f"{KEPT.name} is written.")
