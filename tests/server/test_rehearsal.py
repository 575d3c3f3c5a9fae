"""Before anybody comes, every box has been opened once."""

import pytest

from dicetown.languages import LANGUAGES
from dicetown.material import load
from dicetown.rules.ruleset import Ruleset
from dicetown.rules.tables import tables_for
from dicetown.server.view.announcements import cards_of
from dicetown.server.view.market_layout import layout_of
from dicetown.server.view.rehearsal import rehearse


@pytest.mark.parametrize("edition", load().editions)
def test_after_a_rehearsal_nothing_of_a_box_is_left_to_be_worked_out(edition: str) -> None:
    rehearse()
    kept = (tables_for, layout_of, cards_of)
    before = [one.cache_info().misses for one in kept]
    ruleset = Ruleset(edition)
    tables_for(ruleset, 2)
    layout_of(ruleset)
    for language in LANGUAGES:
        cards_of(ruleset, language)
    assert [one.cache_info().misses for one in kept] == before
