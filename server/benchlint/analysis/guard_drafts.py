"""Guards that a model drafts for a policy: tested before a person sees them, and never active by themselves."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchlint.analysis.draft_trials import Draft, tried_on_tasks
from benchlint.analysis.drafter import Drafter
from benchlint.analysis.policy_items import read_document, tools_beside
from benchlint.benchmark.guard_writing import WrittenExample, WrittenGuard, has_guards, with_guards
from benchlint.benchmark.items import ItemsFile
from benchlint.benchmark.items_writing import extract, items_path, read_items_file
from benchlint.benchmark.loader import Unreadable
from benchlint.benchmark.model import PolicyItem
from benchlint.benchmark.policy import read_policy
from benchlint.judges.drafting import ask_guards
from benchlint.judges.drafts import read_object
from benchlint.judges.errors import JudgeError
from benchlint.judges.protocol import Verdict
from benchlint.text.document import Document

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchlint.analysis.judging import Tick
    from benchlint.analysis.options import JudgeOptions
    from benchlint.benchmark.items import ItemEntry
    from benchlint.benchmark.model import Benchmark, Policy, Tools
    from benchlint.config import ConfigLookup


@dataclass(frozen=True, slots=True)
class GuardDrafts:
    """The items file before and after, and what became of the drafts, in sentences.

    Where there is no file yet, it is the one that extraction would write.
    `missing` counts the answers that the model did not give; with an estimate
    nothing was `asked`.
    """

    path: str
    old: bytes
    new: bytes
    told: tuple[str, ...]
    missing: int = 0
    asked: bool = True


def draft_guards(
    path: str,
    output: str | None,
    judge: JudgeOptions,
    *,
    wanted: Sequence[str] = (),
    config: str | None = None,
    tick: Tick = lambda done, total, name: None,
) -> GuardDrafts:
    """Ask a model for guards of the items of a policy that have none; nothing is written.

    `wanted` are ids of items; without some, every rule that is no fact is
    asked about. Raises Unreadable, JudgeError and ConfigError.
    """
    document = read_document(path)
    target = output or items_path(path)
    policy = read_policy([document])
    tools = tools_beside(path)
    earlier = read_items_file(target)
    if earlier is not None and earlier.faults:
        raise Unreadable(target, f"{earlier.faults[0].message}; mend it before guards are added")
    file = earlier or ItemsFile(Document(target, extract(document, tools).text.encode("utf-8", "replace")))
    old = file.document.data
    drafter = Drafter(path, judge, config)
    benchmarks = _benchmarks(path, config)
    database = next((item.database for item in benchmarks if item.database is not None), None)
    items = _items(file, policy)
    chosen = _chosen(file, items, wanted)
    asked = ask_guards(items, chosen, tools, database, drafter.prompts)
    drafted = drafter.ask(asked, tick)
    if not drafted.asked:
        return GuardDrafts(target, old, old, drafted.told, asked=False)
    told: list[str] = []
    if earlier is None:
        told.append(f"{target} is not there yet: it would be written with all items")
    if database is not None and "records" not in drafter.prompts.share:
        told.append('"records" is not in share, so the model was not shown what records look like')
    drafts: list[Draft] = []
    missing = 0
    for index, answer in zip(chosen, drafted.answers, strict=True):
        name = file.entries[index].id
        if not isinstance(answer, Verdict):
            missing += 1
            told.append(f"{name}: no answer: {answer.reason}")
            continue
        found = answer.answer
        if found.item != index + 1:
            missing += 1
            told.append(f"{name}: no answer: the reply is about item {found.item}")
        elif not found.guards:
            told.append(f"{name}: no guard{_because(found.reason)}")
        for item in found.guards if found.item == index + 1 else ():
            guard = _written(item)
            problem = guard if isinstance(guard, str) else _problem(file, index, guard, tools, benchmarks)
            if problem is not None or isinstance(guard, str):
                told.append(f"{name}: a draft was dropped: {problem}")
            else:
                drafts.append(Draft(file.entries[index].index, guard))
    kept = tried_on_tasks(file, drafts, benchmarks, told)
    text = with_guards(file, kept, draft=True) if kept else file.document.data.decode("utf-8", "replace")
    new = text.encode("utf-8", "replace") if kept else old
    count = sum(map(len, kept.values()))
    what = f"{count} {'draft' if count == 1 else 'drafts'} for {len(kept)} of {len(chosen)} items that were asked about"
    return GuardDrafts(target, old, new, (*told, what, *drafted.told), missing)


def _benchmarks(path: str, config: str | None) -> list[Benchmark]:
    """Return the benchmarks beside a policy that have it as theirs."""
    from benchlint.analysis.paths import full
    from benchlint.analysis.snapshot import Snapshot
    from benchlint.benchmark.discovery import discover
    from benchlint.benchmark.loader import load
    from benchlint.config import ConfigLookup, load_config
    from benchlint.config_schema import Config

    lookup: ConfigLookup = ConfigLookup(load_config(config) if config is not None else None)
    snapshot = Snapshot()
    found = []
    for layout in discover([str(Path(path).parent)], lookup, snapshot.head).layouts:
        if full(path) in map(full, layout.policy):
            settings = lookup(layout.config or layout.tasks[0]) or Config()
            found.append(load(layout, snapshot.read, settings))
    return found


def _items(file: ItemsFile, policy: Policy) -> list[PolicyItem]:
    """Return the entries of a file as items, with what stands around them in the policy."""
    by_text = {" ".join(item.text.split()): item for item in policy.sentences}
    items = []
    for entry in file.entries:
        own = by_text.get(" ".join(entry.text.split()))
        headings = own.headings if own is not None else ("", *entry.phases)
        context = entry.meaning or (own.context if own is not None else "")
        kind: Any = entry.kind
        items.append(PolicyItem(entry.id, entry.text, file.path, 0, 0, headings, kind, context))
    return items


def _chosen(file: ItemsFile, items: Sequence[PolicyItem], wanted: Sequence[str]) -> list[int]:
    known = {entry.id for entry in file.entries}
    for name in wanted:
        if name not in known:
            raise JudgeError(f"{file.path}: there is no item {name}")
    free = [index for index, entry in enumerate(file.entries) if not has_guards(file, entry.index)]
    chosen = [index for index in free if (items[index].id in wanted if wanted else items[index].kind != "fact")]
    if not chosen:
        raise JudgeError(f"{file.path}: every item that could have a guard has one")
    return chosen


def _because(reason: str) -> str:
    reason = " ".join(reason.split()).removesuffix(".")
    return f": {reason}" if reason else ""


def _written(draft: Any) -> WrittenGuard | str:
    """Return a draft as it would be written, or what is wrong with it."""
    examples: dict[str, list[WrittenExample]] = {"compliance": [], "violation": []}
    for key, found in examples.items():
        for item in getattr(draft, key):
            try:
                before = [(call.action, read_object(call.arguments, "the arguments")) for call in item.before]
                arguments, records = (
                    read_object(item.arguments, "the arguments"),
                    read_object(item.records, "the records"),
                )
            except ValueError as error:
                return f"its {key} example cannot be read: {error}"
            found.append(WrittenExample(item.action, arguments, records, before))
    argument = draft.argument.strip() if draft.argument else None
    return WrittenGuard(
        draft.rule, draft.tools, draft.violated.strip(), " ".join(draft.message.split()), argument, **examples
    )


def _problem(
    file: ItemsFile, index: int, guard: WrittenGuard, tools: Tools | None, benchmarks: Sequence[Benchmark]
) -> str | None:
    """Say why a draft cannot be used; None where it compiles and its examples hold."""
    if tools is not None:
        names = {tool.name for tool in tools.by_name.values()}
        strange = [name for name in guard.tools if name not in names]
        if strange:
            return f"there is no tool {strange[0]}"
    if not guard.tools:
        return "it looks at no tool"
    entry = file.entries[index]
    text = with_guards(file, {entry.index: [guard]}, draft=True)
    trial = ItemsFile(Document(file.path, text.encode("utf-8", "replace")))
    if trial.faults:
        return trial.faults[0].message
    return next(_faults(trial, trial.entries[index], benchmarks), None)


def _faults(trial: ItemsFile, entry: ItemEntry, benchmarks: Sequence[Benchmark]) -> Iterator[str]:
    from benchlint.guards.examples import run_entry
    from benchlint.guards.fields import unknown_fields
    from benchlint.guards.guard import Broken, compile_guard

    (text,) = entry.guards
    made = compile_guard(trial, entry, text)
    if isinstance(made, Broken):
        yield made.message
        return
    for benchmark in benchmarks:
        yield from (broken.message for broken in unknown_fields(made, benchmark, {}))
    for tested in run_entry(trial, entry):
        if tested.problem is not None:
            yield f"its own example fails: {tested.problem}"
