"""Dicetown's own mistakes can be told to another process as they are."""

import pickle

import pytest

from dicetown import errors

KINDS = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, errors.DicetownError)
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_mistake_is_the_same_in_another_process(kind):
    mistake = kind("late", "It took too long.") if kind is errors.BotFault else kind("It took too long.")
    told = pickle.loads(pickle.dumps(mistake))
    assert (type(told), str(told), vars(told)) == (kind, "It took too long.", vars(mistake))
