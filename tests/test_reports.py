"""The studies of reports/: each question can be asked, and what stands beside it is what its counts say."""

import json
import math
import shlex
from dataclasses import replace

import pytest
from command_line import run
from page_reader import PageReader
from script import load

scripts = load("make_reports")
STUDIES = {study.name: study for study in scripts.studies()}
PLAYED = [name for name, study in STUDIES.items() if scripts.counts_of(study).exists()]
FEW = {"deals": "800", "members": "4"}  # of a trial


def trial(name: str):
    """A study with few deals."""
    words = list(STUDIES[name].words)
    words[words.index("--deals") + 1] = FEW["deals"]
    if "guidelines" in words:
        words += ["--members", FEW["members"]]
    return replace(STUDIES[name], words=tuple(words))


# --- the machinery, on few deals ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Trials of three studies, played and made."""
    home = tmp_path_factory.mktemp("reports")
    for name in ("starship", "guidelines", "balance-starship"):
        scripts.play(trial(name), home)
        scripts.make(trial(name), home)
    return home


def test_every_study_can_be_asked(monkeypatch):
    assert set(STUDIES) >= {"starship", "flying-garden", "megamix", "mixes", "guidelines", "balance-starship", "balance-flying-garden"}
    for study in STUDIES.values():
        assert study.question.endswith("?")
        assert "--seed" in study.words
        if study.words[0] != "balance":  # whose plan takes a while
            ran = run(*trial(study.name).words, "--dry-run", "--json", "--threads", "1")
            assert (ran.code, ran.err) == (0, "")


def test_beside_the_question_stand_page_numbers_and_picture(made):
    for name in ("starship", "guidelines", "balance-starship"):
        assert PageReader((made / f"{name}.html").read_text(encoding="utf-8")).faults == []
        assert (made / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        found = json.loads((made / f"{name}.json").read_text(encoding="utf-8"))
        assert (found["question"], found["command"]) == (trial(name).question, trial(name).command)
        assert found["answers"][0]["says"]
    assert sorted(path.name for path in (made / "counts").iterdir()) == ["balance-starship.tar.xz", "guidelines.tar.xz", "starship.tar.xz"]


def test_the_same_counts_give_the_same_files_and_nothing_is_played(made, monkeypatch):
    def play_nothing(*_, **__):
        raise AssertionError("something was played")

    monkeypatch.setattr(scripts.subprocess, "run", play_nothing)
    monkeypatch.setattr("lostlegacy_sim.games.lost_legacy.kernel.table.LegacyTable.play", play_nothing)
    for name in ("starship", "guidelines"):
        before = {path.name: path.read_bytes() for path in made.glob(f"{name}.*")}
        scripts.make(trial(name), made)
        assert {path.name: path.read_bytes() for path in made.glob(f"{name}.*")} == before
        with scripts.unpacked(scripts.counts_of(trial(name), made)) as folder:
            assert scripts.pack(folder) == scripts.counts_of(trial(name), made).read_bytes()


def test_a_study_is_played_again_when_its_command_changes(made):
    study = trial("starship")
    assert scripts.is_played(study, made)
    assert not scripts.is_played(replace(study, words=(*study.words, "--seed", "2")), made)
    assert not scripts.is_played(trial("mixes"), made)


def test_the_numbers_are_those_of_the_command(made):
    study = trial("starship")
    document = json.loads(run(*study.words, "--threads", "1", "--json").out)
    found = json.loads((made / "starship.json").read_text(encoding="utf-8"))["tables"]["measures"]
    rows = {(row[0], row[1]): row for row in found["rows"]}
    for result in document["results"]:
        for name, estimate in result["measures"].items():
            row = rows[f"{result['experiment']['players']} players", name]
            assert row[found["columns"].index("value")] == estimate["value"]


def test_what_is_no_study_is_refused(tmp_path):
    (tmp_path / "odd.toml").write_text('question = "Why?"\ncommand = "simulate"\nchart = "seats"\ncomand = "x"\n[options]\nseed = 1\n')
    with pytest.raises(ValueError, match="odd.toml: there is no place for comand in a study"):
        scripts.read_study(tmp_path / "odd.toml")
    assert scripts.words_of("goal", ["nobody", "turns=8"]) == ["--goal", "nobody", "--goal", "turns=8"]


def test_a_study_is_utf_8_with_a_mark_or_without(tmp_path):
    text = 'question = "Why?"\ncommand = "simulate"\nchart = "seats"\n[options]\nseed = 1\n'
    (tmp_path / "marked.toml").write_text(text, encoding="utf-8-sig")
    assert scripts.read_study(tmp_path / "marked.toml").command == "llsim simulate --seed 1"
    (tmp_path / "wide.toml").write_text(text, encoding="utf-16")
    with pytest.raises(ValueError, match="wide.toml is UTF-16 text and should be UTF-8"):
        scripts.read_study(tmp_path / "wide.toml")


def test_the_readme_quotes_the_counts(made):
    readme = load("make_readme")
    assert readme.findings(made) == ""  # no questions there
    for name in ("starship", "guidelines"):
        (made / f"{name}.toml").write_text((scripts.HOME / f"{name}.toml").read_text(encoding="utf-8"), encoding="utf-8")
    quoted = readme.findings(made)
    assert quoted.count("\n- **") == 2
    seats = json.loads((made / "starship.json").read_text(encoding="utf-8"))["answers"][0]["says"]
    (four,) = (said for said in seats if said["label"] == "4 players")
    assert f"- **{STUDIES['starship'].question}** {four['sentence']} (4 players, {four['deals']:,} deals; [page](reports/starship.html))" in quoted
    assert f"  `{STUDIES['starship'].command}`" in quoted
    page = "a\n<!-- findings: generated by scripts/make_readme.py -->\n<!-- findings: end -->\nb"
    once = readme.between(page, readme.FOUND, readme.FOUND_END, quoted)
    assert quoted in once
    assert readme.between(once, readme.FOUND, readme.FOUND_END, quoted) == once
    assert readme.between(once, readme.FOUND, readme.FOUND_END, "") == page
    with pytest.raises(ValueError, match="starship: 0 sentences fit what is to be quoted"):
        readme.finding(replace(STUDIES["starship"], quote={"section": "seats", "label": "7 players"}), made)


# --- what is kept ---------------------------------------------------------------------------------------


def close(one, other) -> bool:
    """Whether two documents agree; numbers up to the last digits, which a library may round otherwise."""
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(close(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(close, one, other))
    return one == other


@pytest.mark.parametrize("name", PLAYED)
def test_kept_numbers_are_those_of_the_kept_counts(name):
    kept = json.loads((scripts.HOME / f"{name}.json").read_text(encoding="utf-8"))
    again = json.loads(json.dumps(scripts.answers(STUDIES[name])))
    assert close(kept, again), f"run scripts/make_reports.py {name}"
    assert shlex.split(kept["command"])[1:] == list(STUDIES[name].words)
    page = PageReader((scripts.HOME / f"{name}.html").read_text(encoding="utf-8"))
    assert page.faults == []
    for answer in kept["answers"]:
        assert answer["section"] in page.ids


def test_a_number_that_was_changed_would_be_seen(made):
    kept = json.loads((made / "starship.json").read_text(encoding="utf-8"))
    other = json.loads(json.dumps(kept))
    row = other["tables"]["seats"]["rows"][0]
    row[2] += 1e-6
    assert close(kept, json.loads(json.dumps(kept)))
    assert not close(kept, other)


def test_all_studies_are_kept_or_none_is():
    assert PLAYED in ([], list(STUDIES)), "run scripts/make_reports.py"


def test_the_counts_are_small():
    assert sum(path.stat().st_size for path in (scripts.HOME / "counts").glob("*")) < 4_000_000
