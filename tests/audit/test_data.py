"""Reading tables and results of runs, well-formed and not."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchlint.audit import AuditError, read, run
from benchlint.audit.families import family_of, same_family

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ROWS = (
    "agent,task,reward,gate,completed\r\nä 🎈,1,1,5,yes\r\nä 🎈,2,0,NA,no\r\nb\u2028c,1,,6,\r\nb\u2028c,2,true?,1,1\r\n"
)


def put(folder: Path, name: str, content: object) -> str:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return str(path)


def test_a_table_with_accents_line_ends_and_gaps(tmp_path: Path) -> None:
    text = "\ufeff" + ROWS.replace("true?", "1")
    frame = read(put(tmp_path, "runs.csv", text.encode()))
    assert frame.unit == "transcripts"
    assert frame.null_rewards == 1
    assert frame.data["agent"].to_list() == ["ä 🎈", "ä 🎈", "b\u2028c"]
    assert frame.data["gate"].to_list() == [5.0, None, 1.0]
    assert frame.data["completed"].to_list() == [True, False, True]
    assert frame.null_scores == {"gate": 1}


@pytest.mark.parametrize("gap", ["", "NA", "n/a", "NaN", "null", "None", "-", " "])
def test_what_is_missing(gap: str) -> None:
    frame = read_rows(
        [{"agent": "a", "task": "1", "reward": "1", "gate": gap}, {"agent": "a", "reward": "0", "gate": "3"}]
    )
    assert frame.data["gate"].to_list() == [None, 3.0]


def test_a_value_of_the_wrong_type_is_named(tmp_path: Path) -> None:
    with pytest.raises(AuditError, match='reward is "true\\?" in row 4 where a number is wanted'):
        read(put(tmp_path, "runs.csv", ROWS.encode()))
    with pytest.raises(AuditError, match='completed is "perhaps" in row 1 where true or false is wanted'):
        run([{"agent": "a", "reward": 1, "task": "1", "completed": "perhaps"}])
    with pytest.raises(AuditError, match="gate is infinite in row 2"):
        run([{"agent": "a", "task": "1", "reward": 1, "gate": 1.0}, {"agent": "a", "reward": 1, "gate": float("inf")}])


def test_types_that_the_first_rows_do_not_tell(tmp_path: Path) -> None:
    lines = [f"a,{at},{at % 2},{'' if at < 11_000 else 5},{at % 7 + 1}" for at in range(12_000)]
    lines[-1] = "a,x,1,6.5,2.5"
    frame = read(put(tmp_path, "runs.csv", "\n".join(["agent,task,reward,gate,proxy", *lines]).encode()))
    assert frame.data["gate"].max() == 6.5
    assert frame.data["proxy"][-1] == 2.5
    assert frame.data["task"][-1] == "x"


def test_the_same_rows_in_every_format(tmp_path: Path, transcripts: Callable[..., pl.DataFrame]) -> None:
    data = transcripts(agents=8, tasks=4)
    data.write_csv(tmp_path / "runs.csv")
    data.write_csv(tmp_path / "runs.tsv", separator="\t")
    data.write_parquet(tmp_path / "runs.parquet")
    data.write_ndjson(tmp_path / "runs.jsonl")
    put(tmp_path, "runs.json", data.to_dicts())
    expected = run(data, resamples=100).as_dict()
    for name in ("runs.csv", "runs.tsv", "runs.parquet", "runs.jsonl", "runs.json"):
        found = run(str(tmp_path / name), resamples=100).as_dict()
        assert found["overview"]["source"] == "runs"
        found["overview"]["source"] = ""
        assert found == expected, name


def test_a_pandas_like_frame_and_rows_as_dictionaries(transcripts: Callable[..., pl.DataFrame]) -> None:
    data = transcripts(agents=4, tasks=3)

    class Frame:
        """As pandas has it."""

        def to_dict(self, orient: str) -> dict:
            assert orient == "list"
            return data.to_dict(as_series=False)

    expected = run(data, resamples=100).as_dict()
    assert run(Frame(), resamples=100).as_dict() == expected
    assert run(data.to_dicts(), resamples=100).as_dict() == expected


def test_several_files_are_one_table(tmp_path: Path, transcripts: Callable[..., pl.DataFrame]) -> None:
    data = transcripts(agents=4, tasks=3)
    folder = tmp_path / "all"
    folder.mkdir()
    data.filter(pl.col("agent") < "a02").write_csv(folder / "one.csv")
    data.filter(pl.col("agent") >= "a02").drop("proxy").write_ndjson(folder / "two.jsonl")
    frame = read(str(folder))
    assert len(frame.data) == len(data)
    assert frame.source == "one, two"
    assert frame.null_scores["proxy"] == 12


def tau2(**more: Any) -> dict:
    return {
        "timestamp": "now",
        "info": {
            "agent_info": {"implementation": "llm_agent", "llm": "claude-sonnet-4-5", "llm_args": {"temperature": 0.7}},
            "user_info": {"implementation": "user_simulator", "llm": "gpt-4.1"},
            "environment_info": {"domain_name": "airline"},
        },
        "tasks": [],
        **more,
    }


def simulation(name: str, reward: float | None, reason: str = "user_stop", **more: Any) -> dict:
    info = None if reward is None else {"reward": reward, "reward_basis": ["DB", "COMMUNICATE"], **more.pop("info", {})}
    return {
        "id": name,
        "task_id": name[0],
        "trial": 0,
        "termination_reason": reason,
        "agent_cost": 0.5,
        "user_cost": 0.25,
        "reward_info": info,
        "messages": [{"role": "user", "content": "hi"}] * 3,
        **more,
    }


SIMULATIONS = [
    simulation("1a", 1.0),
    simulation("2a", 0.0, "max_steps"),
    simulation("3a", None, "too_many_errors"),
    simulation("4a", 0.0, "infrastructure_error"),
    simulation(
        "5a", 0.0, info={"reward_basis": ["DB", "NL_ASSERTION"], "reward_breakdown": {"DB": 1.0, "NL_ASSERTION": 0.0}}
    ),
    simulation(
        "6a", 0.0, info={"reward_basis": ["DB", "NL_ASSERTION"], "reward_breakdown": {"DB": 0.0, "NL_ASSERTION": 0.0}}
    ),
    simulation(
        "7a",
        1.0,
        "agent_stop",
        info={"reward_basis": ["DB", "NL_ASSERTION"], "reward_breakdown": {"DB": 1.0, "NL_ASSERTION": 1.0}},
    ),
]


def test_results_of_tau2(tmp_path: Path) -> None:
    frame = read(put(tmp_path, "run.json", tau2(simulations=SIMULATIONS)))
    assert frame.null_rewards == 2, "one without a reward, one that broke down through no fault of the agent"
    first = frame.data.row(0, named=True)
    assert first["agent"] == "claude-sonnet-4-5 (t 0.7)"
    assert (first["base_model"], first["provider"], first["simulator"], first["domain"]) == (
        "claude-sonnet-4-5",
        "Anthropic",
        "gpt-4.1",
        "airline",
    )
    assert (first["cost"], first["length"], first["temperature"]) == (0.75, 3.0, 0.7)
    assert frame.data["reward"].to_list() == [1, 0, 0, 0, 1]
    assert frame.data["completed"].to_list() == [True, False, True, True, True]
    assert frame.data["truncated"].to_list() == [False, True, False, False, False]
    oracle = run(frame, resamples=100).oracle
    assert oracle.reward_basis == {"DB+NL_ASSERTION": 3, "DB+COMMUNICATE": 2}
    assert (oracle.llm_in_basis.value, oracle.llm_decided.value) == (3 / 5, 1 / 5)
    assert oracle.terminations == {"user_stop": 3, "agent_stop": 1, "max_steps": 1}


def test_external_trajectory_files_of_tau2(tmp_path: Path) -> None:
    index = [
        {"id": item["id"], "task_id": item["task_id"], "trial": 0, "reward": 1.0, "termination_reason": "user_stop"}
        for item in SIMULATIONS
    ]
    put(tmp_path, "results.json", tau2(simulation_index=index))
    (tmp_path / "simulations").mkdir()
    for item in SIMULATIONS[:5]:
        put(tmp_path / "simulations", f"{item['id']}.json", item)
    put(tmp_path / "simulations", "broken.json", b"{")
    for path in (str(tmp_path), str(tmp_path / "results.json")):
        frame = read(path)
        assert frame.source == tmp_path.name
        assert len(frame.data) + frame.null_rewards == 7
        assert frame.data["reward"].to_list() == [1, 0, 0, 1, 1]
        assert any("1 files in simulations/ could not be read" in note for note in frame.notes)
        assert any("2 simulations have no file" in note for note in frame.notes)
    plain = read(put(tmp_path, "plain.json", tau2(simulations=SIMULATIONS[:5])))
    (tmp_path / "simulations" / "broken.json").unlink()
    put(tmp_path, "results.json", tau2(simulation_index=index[:5], simulations=[]))
    assert read(str(tmp_path)).data.equals(plain.data), "both forms give the same rows"


def test_runs_of_tau_bench(tmp_path: Path) -> None:
    def one(task: int, last: dict, *, checked: bool, reward: float) -> dict:
        info = {"user_cost": 0.01, "reward_info": {"info": {"r_actions": reward}} if checked else {}}
        return {"task_id": task, "trial": 0, "reward": reward, "info": info, "traj": [{"role": "system"}, last]}

    stop, tool, say = (
        {"role": "user", "content": "Bye ###STOP###"},
        {"role": "tool", "name": "transfer_to_human_agents", "content": "ok"},
        {"role": "user", "content": "and then?"},
    )
    rows = [
        one(0, stop, checked=True, reward=1.0),
        one(1, tool, checked=True, reward=0.0),
        one(2, say, checked=False, reward=0.0),
        one(3, tool, checked=False, reward=0.0),
    ]
    frame = read(put(tmp_path, "gpt-4o.json", rows))
    assert frame.data["termination"].to_list() == ["user_stop", "handoff", "cut_off", "cut_off"]
    assert frame.data["completed"].to_list() == [True, True, False, False]
    assert frame.data["agent"].unique().to_list() == ["gpt-4o"]


def test_tables_of_simulator_arena(tmp_path: Path) -> None:
    def one(model: str, rating: object, correct: str) -> dict:
        return {
            "model": model,
            "problem_id": 331,
            "level": "Level 4",
            "workerId": "w",
            "overall_rating": rating,
            "problem_1_correctness": correct,
            "user_queries": ["a", "b"],
        }

    rows = [one("gpt-4o", "9", "correct"), one("phi-3-small", 8, "incorrect"), one("phi-3-small", 3, "unknown")]
    found = run(put(tmp_path, "math.json", rows), resamples=100)
    gap = found.construct.signals["human"].gap
    assert (gap.threshold, gap.failed, gap.satisfied) == (8.0, 1, 2)
    assert found.overview.agents[0].provider == "OpenAI"
    assert any("unknown count as incorrect" in note for note in found.overview.notes)
    documents = [{"model": "m", "overall_interaction_rating": 9, "overall_document_rating": 7, "intent": "a letter"}]
    with pytest.raises(AuditError, match="no row with a reward"):
        read(put(tmp_path, "documents.json", documents))


def test_scores_are_joined_to_runs(tmp_path: Path) -> None:
    from benchlint.audit.data import read_frame
    from benchlint.audit.options import Options

    runs = put(tmp_path, "run.json", tau2(simulations=SIMULATIONS))
    by_id = put(tmp_path, "by_id.csv", b"id,gate\n1a,6\n7a,2\n")
    assert read_frame([runs], Options(), by_id).data["gate"].to_list() == [6.0, None, None, None, 2.0]
    by_task = put(tmp_path, "by_task.csv", b"task_id,trial,proxy\n2,0,7\n9,0,1\n")
    assert read_frame([runs], Options(), by_task).data["proxy"].to_list() == [None, 7.0, None, None, None]
    for name, content, message in (
        ("twice.csv", b"id,gate\n1a,6\n1a,2\n", "has two rows for one run, by id"),
        ("keyless.csv", b"gate\n1\n", "shares no column with the runs"),
        ("nothing.csv", b"id,reward\n1a,1\n", "adds no column"),
    ):
        with pytest.raises(AuditError, match=message):
            read_frame([runs], Options(), put(tmp_path, name, content))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", b"", "is empty"),
        ("a.csv", b"   \n\n", "is empty|no rows"),
        ("a.csv", b"agent,reward\n", "no rows"),
        ("a.csv", b"a,b\n1,2,3\n", "a.csv: "),
        ("a.csv", b"agent,reward\n\xff\xfe,1\n", "a.csv: "),
        ("a.csv", b"agent,score\na,1\n", "no column reward .* it has 'agent', 'score'"),
        ("a.csv", b"agent,task,reward\na,1,7\n", "a reward is 7: rewards lie between 0 and 1"),
        ("a.csv", b"agent,task,reward\na,1,0.3\na,2,0.4\n", "a table of agents has each agent in one row"),
        ("a.csv", b"agent,task,reward\na,1,\n", "no row with a reward"),
        ("a.csv", b"agent,reward,gate\na,0.5,9\nb,0.4,0.5\n", None),
        ("a.csv", b"population,failed,satisfied\np,5,3\n", "row 1: failed must be a number from 0 to satisfied"),
        ("a.csv", b"population,failed,satisfied\np,,3\n", "row 1: failed must be a number from 0 to satisfied"),
        ("a.json", b"{", "it is no JSON"),
        ("a.json", b"[" * 100_000, "it is no JSON"),
        ("a.json", b"[1, 2]", "it is no file of runs"),
        ("a.json", b'{"simulations": []}', "there is no run in it"),
        ("a.json", b'{"simulations": [3, {"reward_info": 3, "messages": 4, "trial": "x"}]}', "no row with a reward"),
        ("a.json", b'[{"agent": ["a"], "reward": 1}]', "agent holds lists"),
        ("a.json", b'[{"agent": "a", "reward": {"x": 1}}]', "reward holds lists or objects"),
        ("a.jsonl", b'{"agent": \n', "a.jsonl: "),
        ("a.parquet", b"PAR1", "a.parquet: "),
        ("a.txt", b"x", "files of runs end in"),
    ],
)
def test_what_cannot_be_audited_is_told(tmp_path: Path, name: str, content: bytes, message: str | None) -> None:
    path = put(tmp_path, name, content)
    if message is None:
        assert run(path, resamples=100).overview.rows == 2
        return
    with pytest.raises(AuditError, match=message):
        run(path, resamples=100)


def test_partial_rewards_of_a_few_transcripts_count_as_failed() -> None:
    rows = [{"agent": "a", "task": str(at), "reward": reward} for at, reward in enumerate([1, 1, 0, 0.5, 0.9999999])]
    frame = read_rows(rows)
    assert frame.data["reward"].to_list() == [1, 1, 0, 0, 1]
    assert "1 rewards between 0 and 1 count as failed" in frame.notes


def read_rows(rows: list[dict]) -> Any:
    from benchlint.audit.data import frame_of
    from benchlint.audit.options import Options

    return frame_of(rows, Options())


scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 10), st.floats(), st.sampled_from(["", "1", "user_stop", "é"])
)
anything = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(st.text(max_size=2), inner, max_size=2)),
    max_leaves=4,
)
fields = [
    "id",
    "task_id",
    "trial",
    "reward",
    "reward_info",
    "termination_reason",
    "messages",
    "info",
    "traj",
    "agent_cost",
]
fields += [
    "model",
    "overall_rating",
    "problem_1_correctness",
    "agent",
    "gate",
    "task",
    "reward_basis",
    "reward_breakdown",
]
records = st.dictionaries(st.sampled_from(fields), anything, max_size=8)
files = st.one_of(
    st.lists(records, max_size=3),
    st.fixed_dictionaries(
        {"simulations": st.lists(st.one_of(records, anything), max_size=3)}, optional={"info": anything}
    ),
    st.fixed_dictionaries({"simulation_index": st.one_of(st.lists(records, max_size=2), anything)}),
    st.lists(st.fixed_dictionaries({"traj": anything, "reward": anything}, optional={"info": anything}), max_size=2),
    st.lists(
        st.fixed_dictionaries({"model": anything, "overall_rating": anything}, optional={"problem_id": anything}),
        max_size=2,
    ),
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(files)
def test_any_json_is_read_or_told(tmp_path: Path, value: object) -> None:
    with contextlib.suppress(AuditError):
        read(put(tmp_path, "any.json", value))


def test_a_path_that_leads_nowhere(tmp_path: Path) -> None:
    with pytest.raises(AuditError, match="there is no such file or folder"):
        run(str(tmp_path / "nowhere.csv"))
    with pytest.raises(AuditError, match="no file of runs in it"):
        run(str(tmp_path))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"thresholds": {"gat": 3.0}}, 'no signal "gat"; the table has gate'),
        ({"kinds": {"gate": "judge"}}, "cannot be a signal of kind"),
        ({"scales": {"gate": (1.0, 3.0)}}, "outside its scale 1 to 3"),
        ({"scales": {"gate": (3.0, 1.0)}}, "that is no scale"),
        ({"near_equal": 0.0}, "must lie between 0 and 1"),
        ({"resamples": 1}, "at least 100"),
        ({"top": 2}, "at least 3 agents"),
        ({"treshold": 2}, "unexpected keyword argument 'treshold'"),
    ],
)
def test_settings_that_make_no_sense(options: dict, message: str) -> None:
    with pytest.raises(AuditError, match=message):
        run([{"agent": "a", "task": "1", "reward": 1, "gate": 5.0}], **options)


def test_a_column_can_be_made_a_signal() -> None:
    rows = [{"agent": f"a{at}", "task": "1", "reward": at % 2, "csat": float(at % 7 + 1)} for at in range(20)]
    assert "csat" in str(run(rows, resamples=100).overview.notes)
    found = run(rows, resamples=100, kinds={"csat": "proxy"})
    assert found.overview.signals["csat"].kind == "proxy"
    assert found.construct.signals["csat"].gap.threshold == 5


def test_a_task_of_two_domains_is_two_tasks() -> None:
    rows = [{"agent": "a", "task": "1", "domain": domain, "reward": 1} for domain in ("x", "y")]
    assert read_rows(rows).data["task"].to_list() == ["x/1", "y/1"]


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("claude-opus-4", "Anthropic"),
        ("gate_gpt_5_5", "OpenAI"),
        ("openai/o3-mini", "OpenAI"),
        ("rank_opus_4_8", "Anthropic"),
        ("meta-llama/Llama-3.3-70B", "Meta"),
        ("Ministral-3B", "Mistral"),
        ("metadata", None),
        ("gate", None),
        ("innovation", None),
    ],
)
def test_families_are_told_by_names(name: str, family: str | None) -> None:
    assert family_of(name) == family


def test_one_family_under_two_names() -> None:
    assert same_family("Anthropic", "claude-opus")
    assert same_family("In House", "in house")
    assert not same_family("gpt-5", "claude")


def test_without_the_extra_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from benchlint.audit import libraries

    monkeypatch.setattr(libraries, "find_spec", lambda name: None if name == "polars" else object())
    with pytest.raises(AuditError, match=r"an audit needs polars: pip install 'benchlint\[audit\]'"):
        run([])


def test_too_many_agents_to_compare() -> None:
    with pytest.raises(AuditError, match="there are 1,001 agents"):
        run([{"agent": f"a{at}", "reward": 0.5} for at in range(1001)])


def test_a_damaged_file_that_breaks_its_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: object) -> None:
    def broken(_data: bytes) -> None:
        os.write(2, b"thread panicked\n")
        raise pl.exceptions.PanicException("range end index 6809 out of range")

    monkeypatch.setattr(pl, "read_parquet", broken)
    with pytest.raises(AuditError, match=r"runs\.parquet: it is damaged"):
        run(put(tmp_path, "runs.parquet", b"PAR1"))
    os.write(2, b"afterwards\n")
    assert capfd.readouterr().err == "afterwards\n"


def test_the_light_core_does_without_the_libraries() -> None:
    heavy = ("numpy", "polars", "scipy")
    script = f"import sys, benchlint.cli.app, benchlint.audit; print([n for n in {heavy} if n in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert shown.stdout == "[]\n"
