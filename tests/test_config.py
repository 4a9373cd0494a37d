import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import benchlint
from benchlint.config import ConfigError, ConfigLookup, find_config, load_config
from benchlint.config_schema import parse_size, read_config
from benchlint.config_schema.published import json_schema
from benchlint.text.document import Document

SCHEMA = Path(benchlint.__file__).parent / "config.schema.json"

FULL = """\
rules = ["my-rules/"]
max-file-size = "1.5 MiB"
[lint]
select = ["tools", "unknown-entity"]
ignore = ["duplicate-task"]
min-severity = "warning"
fail-on = "never"
baseline = "known.json"
[severity]
unknown-argument = "warning"
[[ignore]]
rule = "unknown-entity"
task = "21"
path = "tasks/*.json"
reason = "on purpose"
[[benchmark]]
name = "retail"
tasks = "tasks.json"
policy = ["policy.md"]
tools = "tools.json"
database = "db.json"
splits = "split_tasks.json"
format = "tau2"
default-reward-basis = ["DB"]
[[benchmark]]
tasks = ["a.json", "b.json"]
together = true
[benchmark.mapping]
tasks = "data.examples"
id = "uid"
description = ["scenario.text", "scenario.persona"]
behaviour = "gold.text"
actions = "gold.calls"
action-name = "tool"
action-arguments = "args"
action-requestor = "by"
communicate = "gold.say"
assertions = "gold.checks"
reward-basis = "gold.basis"
[judge]
models = ["openai/gpt-4o", "anthropic/claude-sonnet-4-5"]
base-url = "http://127.0.0.1:8000/v1"
parameters = { temperature = 0, max-tokens = 2000 }
metrics = ["violations"]
repeats = 3
concurrency = 4
timeout = 30
max-calls = 100
max-usd = 2.5
share = ["task", "policy"]
redact = ["email"]
redact-text = ['\\d{16}']
records = "8kB"
trust = "trust.toml"
verdicts = "verdicts.jsonl"
allow-missing = 2
[judge.price]
input = 0.5
output = 1.5
[judge.thresholds]
confidence = 0.8
likelihood = 0.3
alignment = 6
challenge = 2
challengers = 4
[report]
min-description-alignment = 8
min-policy-alignment = 7.5
min-violations = 1
min-coverage = 0.4
"""


def read(text, path="benchlint.toml"):
    return read_config(Document(str(path), text.encode()))


def refused(text, path="benchlint.toml"):
    with pytest.raises(ConfigError) as caught:
        read(text, path)
    return caught.value


def test_everything_at_once(tmp_path):
    (tmp_path / "my-rules").mkdir()
    config = read(FULL, tmp_path / "benchlint.toml")
    assert config.max_bytes == 1_572_864
    assert config.lint.select == ("tools", "unknown-entity")
    assert config.lint.fail_on == "never"
    assert config.severity == {"unknown-argument": "warning"}
    assert config.ignore[0].task == "21"
    assert config.benchmark[0].default_reward_basis == ("DB",)
    assert config.benchmark[1].mapping.description == ("scenario.text", "scenario.persona")
    assert config.benchmark[1].mapping.action_name == "tool"
    assert config.folder == tmp_path
    assert config.judge.models == ("openai/gpt-4o", "anthropic/claude-sonnet-4-5")
    assert config.judge.share == ("task", "policy")
    assert config.judge.price.output == 1.5
    assert config.judge.thresholds.challengers == 4
    assert config.report.min_coverage == 0.4


def test_an_empty_file_has_the_defaults():
    config = read("")
    assert (config.max_bytes, config.lint.min_severity, config.lint.fail_on) == (100_000_000, "hint", "error")
    assert (config.rules, config.ignore, config.benchmark, dict(config.severity)) == ((), (), (), {})


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("[lint]\nselct = []", 2, 1, '[lint] has no key "selct": did you mean "select"?'),
        ("[lint]\nfail_on = 'error'", 2, 1, '[lint] has no key "fail_on": did you mean "fail-on"?'),
        ("[lnt]", 1, 2, 'the configuration has no key "lnt": did you mean "lint"?'),
        (
            "zzz = 1",
            1,
            1,
            'the configuration has no key "zzz"; it has rules, max-file-size, lint,',
        ),
        ("[replay]\nenviroment = 'tau2'", 2, 1, '[replay] has no key "enviroment": did you mean "environment"?'),
        ("lint = {ignor = []}", 1, 9, '[lint] has no key "ignor": did you mean "ignore"?'),
        ("lint = 3", 1, 1, "lint must be a table, not a number"),
        ("[lint]\nselect = 'tools'", 2, 1, "lint.select must be a list, not a text"),
        ("[lint]\nselect = ['a', 3]", 2, 1, "entry 2 of lint.select must be a text in quotes, not a number"),
        ("[lint]\nselect = [1979-05-27]", 2, 1, "entry 1 of lint.select must be a text in quotes, not a date or time"),
        (
            "[lint]\nfail-on = 'warn'",
            2,
            1,
            'lint.fail-on must be "error", "warning", "information", "hint" or "never", not "warn": did you mean',
        ),
        (
            "[lint]\nfail-on = false",
            2,
            1,
            'lint.fail-on must be "error", "warning", "information", "hint" or "never", not false',
        ),
        ("[[ignore]]\nrule = 'a'\nreason = 'b'\n\n[[ignore]]\nrule = 'c'", 5, 3, "entry 2 of ignore needs reason"),
        ("[[ignore]]\nrule = 'a'\nreason = ' '", 3, 1, "ignore.reason must say why; it is empty"),
        ("ignore = ['a']", 1, 1, "entry 1 of ignore must be a table, not a text"),
        (
            "[severity]\nok = 'hint'\nx = 'bad'",
            3,
            1,
            'severity.x must be "error", "warning", "information" or "hint", not "bad"',
        ),
        ("[[benchmark]]\nname = 'a'", 1, 3, "entry 1 of benchmark needs tasks"),
        ("[[benchmark]]\ntasks = 3", 2, 1, "benchmark.tasks must be a text in quotes or a list, not a number"),
        ("[[benchmark]]\ntasks = []", 2, 1, "benchmark.tasks must name at least one file"),
        (
            "[[benchmark]]\ntasks = 'a'\ntogether = 'perhaps'",
            3,
            1,
            "benchmark.together must be true or false",
        ),
        (
            "[[benchmark]]\ntasks = 'a'\n[benchmark.mapping]\nidd = 'x'",
            4,
            1,
            '[benchmark.mapping] has no key "idd": did you',
        ),
        ("[[benchmark]]\ntasks = 'a'\nformat = 'mapped'", 3, 1, 'the format "mapped" needs [benchmark.mapping]'),
        (
            "[[benchmark]]\ntasks = 'a'\nformat = 'tau2'\nmapping = {id = 'x'}",
            4,
            1,
            '[benchmark.mapping] is for the format "mapped", not for "tau2"',
        ),
        ("max-file-size = 1.5", 1, 1, "max-file-size must be a whole number or a text in quotes, not a number"),
        (
            "max-file-size = '5 apples'",
            1,
            1,
            'max-file-size: "5 apples" is no size: write "100MB"',
        ),
        ("max-file-size = 0", 1, 1, "max-file-size: the size must be greater than 0"),
        ("rules = ['nowhere']", 1, 1, 'rules: there is no folder "nowhere"'),
        ("a = 'é🙂' b", 1, 10, "the file is no TOML: expected newline or end of document after a statement"),
    ],
)
def test_what_is_wrong_and_where(text, line, column, message):
    error = refused(text)
    assert error.message.startswith(message)
    assert (error.line, error.column) == (line, column)
    assert str(error) == f"benchlint.toml:{line}:{column}: {error.message}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[judge]\nmodels = []", 'judge.models must name a model, "offline", "cached" or "none"'),
        ("[judge]\nmodels = ['']", "judge.models must name a model"),
        ("[judge]\nmodls = 'x'", '[judge] has no key "modls": did you mean "models"?'),
        ("[judge]\nshare = ['tasks']", 'entry 1 of judge.share must be "task", "policy" or "records", not "tasks"'),
        ("[judge]\nrecords = 'much'", 'judge.records: "much" is no size'),
        ("[judge]\nredact-text = ['ok', '(']", 'judge.redact-text: "(" is no regular expression'),
        ("[judge]\nconcurrency = 0", "judge.concurrency must be from 1 to 256, not 0"),
        ("[judge]\nmax-calls = -1", "judge.max-calls must be at least 0, not -1"),
        ("[judge.thresholds]\nconfidence = 7", "judge.thresholds.confidence must be from 0 to 1, not 7"),
        ("[judge.price]\ninput = 1", "judge.price needs output"),
        ("[judge]\nmodels = ['a', 3]", "entry 2 of judge.models must be a text in quotes, not a number"),
        ("[judge.models]\nx = 3", "judge.models.x must be a table, not a number"),
        ("[judge.models]", "judge.models must name a model"),
        ('[judge.models."openai/x"]\nbasurl = "u"', '[judge.models.openai/x] has no key "basurl": did you mean'),
        ('[judge.models."openai/x"]\nrepeats = 0', 'repeats of "openai/x" must be from 1 to 25, not 0'),
        ('[judge.models."openai/x"]\ntimeout = "a"', "judge.models.openai/x.timeout must be a number, not a text"),
        ('[judge.models."openai/x".price]\ninput = 1', "judge.models.openai/x.price needs output"),
        ('[judge.models."openai/x"]\nprice = {input = -1, output = 1}', 'price of "openai/x" must be at least 0'),
        (
            '[judge.models."openai/x"]\nkey-variable = "OPENAI_API_KEY"',
            'key-variable of "openai/x" must begin with BENCHLINT_ and end in KEY',
        ),
        ("[report]\nmin-coverage = 'all'", "report.min-coverage must be a number, not a text"),
        ("[report]\nmin-policy-alignment = 80", "report.min-policy-alignment must be from 1 to 10, not 80"),
    ],
)
def test_what_is_wrong_about_judges(text, message):
    assert refused(text).message.startswith(message)


def test_messages_are_in_plain_words():
    for text in ("lint = []", "[[benchmark]]\ntasks = 'a'\nmapping = 1", "severity = 1", "[lint]\nbaseline = 1"):
        assert "valid" not in refused(text).message


def test_pyproject(tmp_path):
    path = tmp_path / "pyproject.toml"
    text = "[project]\nname = 'x'\n\n[tool.benchlint]\nmax-file-size = 10\n[tool.benchlint.lint]\nselct = []\n"
    error = refused(text, path)
    assert (error.line, error.column) == (7, 1)
    config = read(text.replace("selct", "select"), path)
    assert config.max_bytes == 10
    assert config.place(("lint", "select"))[0] == text.index("selct")
    assert "no table [tool.benchlint]" in refused("[project]\n", path).message
    assert "must be a table" in refused("[tool]\nbenchlint = 1\n", path).message


@pytest.mark.parametrize(
    ("text", "size"),
    [(7, 7), ("7", 7), ("2kB", 2000), ("2 KiB", 2048), ("1.5mb", 1_500_000), ("1GiB", 1 << 30), ("3B", 3)],
)
def test_sizes(text, size):
    assert parse_size(text) == size


@pytest.mark.parametrize("text", [0, -1, "", "MB", "1TB", "0kB", "1e3"])
def test_no_sizes(text):
    with pytest.raises(ValueError, match=r"size"):
        parse_size(text)


def test_the_nearest_file_counts(tmp_path, monkeypatch):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "tasks.json").write_text("[]")
    top, inner = tmp_path / "benchlint.toml", tmp_path / "a" / "pyproject.toml"
    top.write_text("")
    inner.write_text("[project]\nname = 'benchlint'\n")
    assert find_config(str(tmp_path / "a" / "b")) == str(top)
    inner.write_text("[project]\nname = 'x'\n[tool.benchlint]\n")
    assert find_config(str(tmp_path / "a" / "tasks.json")) == str(inner)
    (tmp_path / "a" / "benchlint.toml").write_text("")
    assert find_config(str(tmp_path / "a" / "b")) == str(tmp_path / "a" / "benchlint.toml")
    monkeypatch.chdir(tmp_path / "a")
    assert find_config("tasks.json") == "benchlint.toml"
    assert find_config("b") == "benchlint.toml"
    assert find_config("not-there.json") == "benchlint.toml"
    assert find_config("..") == str(Path("..", "benchlint.toml"))


def test_a_broken_pyproject_counts_only_if_it_is_ours(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.benchlint]\nx = \n")
    assert find_config(str(tmp_path)) == str(tmp_path / "pyproject.toml")
    (tmp_path / "pyproject.toml").write_text("benchlint = \n")
    assert find_config(str(tmp_path)) != str(tmp_path / "pyproject.toml")


def test_lookup_reads_a_file_once(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "benchlint.toml").write_text("max-file-size = 5\n")
    lookup = ConfigLookup()
    first = lookup(str(tmp_path / "a" / "tasks.json"))
    assert first.max_bytes == 5
    assert lookup(str(tmp_path)) is first
    fixed = read("")
    assert ConfigLookup(fixed)(str(tmp_path)) is fixed


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(ConfigError, match="cannot be read: no such file"):
        load_config(str(tmp_path / "benchlint.toml"))
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(str(tmp_path))


def test_the_published_schema_is_the_model():
    text = json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"
    assert SCHEMA.read_text(encoding="utf-8") == text


def test_the_schema_and_the_reader_agree(tmp_path):
    import tomllib

    from jsonschema import Draft202012Validator

    (tmp_path / "my-rules").mkdir()
    validator = Draft202012Validator(json_schema())
    validator.check_schema(json_schema())
    assert validator.is_valid(tomllib.loads(FULL))
    for text in ("[lint]\nselct = []", "[[ignore]]\nrule = 'a'", "[[benchmark]]\ntasks = 3", "[severity]\na = 'bad'"):
        assert not validator.is_valid(tomllib.loads(text))


def test_pydantic_is_imported_only_for_a_file():
    code = "import sys, benchlint.config as c; c.find_config('.'); sys.exit('pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd="/", check=False).returncode == 0


def test_the_documentation_has_every_key(tmp_path):
    page = (Path(__file__).parents[1] / "docs" / "configuration.md").read_text(encoding="utf-8")
    titles = re.findall(r"^## (.*)$", page, re.MULTILINE)
    sections = dict(zip(titles, re.split(r"^## .*$", page, flags=re.MULTILINE)[1:], strict=True))
    tables = {title: re.findall(r"^\| `([\w-]+)` \|", text, re.MULTILINE) for title, text in sections.items()}
    schema = json_schema()
    parts = {"`[lint]`": "LintConfig", "`[[ignore]]`": "IgnoreConfig", "`[[benchmark]]`": "BenchmarkConfig"}
    parts["`[benchmark.mapping]`"] = "FieldMapping"
    parts |= {"`[judge]`": "JudgeConfig", "`[judge.thresholds]`": "ThresholdConfig", "`[judge.price]`": "PriceConfig"}
    parts |= {"`[report]`": "ReportConfig", '`[judge.models."MODEL"]`': "ModelConfig"}
    parts["`[replay]`"] = "ReplayConfig"
    tables["`[judge]`"] += ["thresholds", "price"]
    for title, name in parts.items():
        assert sorted(tables[title]) == sorted(schema["$defs"][name]["properties"])
    named = {"lint", "severity", "ignore", "benchmark", "replay", "judge", "report"}
    assert sorted({*tables["At the top"], *named}) == sorted(schema["properties"])
    example = re.search(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)[1]
    (tmp_path / "my-rules").mkdir()
    assert len(read(example, tmp_path / "benchlint.toml").benchmark) == 2
