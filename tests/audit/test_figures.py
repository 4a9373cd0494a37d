"""Each group of figures beside a plain count of the same rows."""

from __future__ import annotations

import math
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest
from scipy import stats

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchlint.audit.audit import Audit

    Audited = Callable[..., Audit]
    Made = Callable[..., pl.DataFrame]


def test_the_construct_gap_is_a_count(transcripts: Made, audited: Audited) -> None:
    data = transcripts().with_columns(gate=pl.when(pl.col("task") == "3").then(None).otherwise(pl.col("gate")))
    rows = [row for row in data.iter_rows(named=True) if row["gate"] is not None]
    found = audited(data).construct.signals["gate"]
    for gap in [found.gap, *found.over_thresholds]:
        satisfied = [row for row in rows if row["gate"] >= gap.threshold]
        failed = sum(not row["reward"] for row in satisfied)
        base = sum(not row["reward"] for row in rows) / len(rows)
        assert (gap.failed, gap.satisfied) == (failed, len(satisfied))
        assert gap.failed_among_satisfied.value == pytest.approx(failed / len(satisfied))
        assert gap.base_rate.value == pytest.approx(base)
        assert gap.relative_risk.value == pytest.approx(failed / len(satisfied) / base)
        assert gap.p_above_ceiling.value == pytest.approx(
            stats.binomtest(failed, len(satisfied), 0.2, alternative="greater").pvalue
        )
    assert [gap.threshold for gap in found.over_thresholds] == [2, 3, 4, 5, 6, 7]
    good = np.array([row["reward"] for row in rows], dtype=bool)
    scores = np.array([row["gate"] for row in rows])
    expected = stats.mannwhitneyu(scores[good], scores[~good]).statistic / good.sum() / (~good).sum()
    assert found.auc.value == pytest.approx(expected)
    assert found.auc.low < expected < found.auc.high
    shop = [row for row in rows if row["domain"] == "shop" and row["gate"] >= 5]
    assert found.by_domain["shop"].satisfied == len(shop)
    assert found.by_domain["shop"].failed == sum(not row["reward"] for row in shop)
    assert found.gap.failed_among_satisfied.low < found.gap.failed_among_satisfied.value


def test_thresholds_are_settings_of_each_signal(transcripts: Made, audited: Audited) -> None:
    data = transcripts().rename({"gate": "gate_gpt_5", "proxy": "gate_opus"})
    found = audited(data)
    assert found.construct.signals["gate_gpt_5"].gap.threshold == 4, "GPT judges grade about one point lower"
    assert found.construct.signals["gate_opus"].gap.threshold == 5
    assert audited(data, thresholds={"gate_opus": 6.0}).construct.signals["gate_opus"].gap.threshold == 6
    ten = transcripts().with_columns(gate=pl.col("gate") * 1.4)
    assert audited(ten).construct.signals["gate"].gap.threshold == 8
    odd = transcripts().with_columns(gate=pl.col("gate") / 7)
    missing = audited(odd).construct.signals["gate"]
    assert missing.gap is None
    assert "--threshold gate=SCORE" in missing.reason


def test_clusters_are_the_coarsest_that_are_enough(transcripts: Made, audited: Audited) -> None:
    assert audited(transcripts()).construct.clustered_by == "base model"
    assert audited(transcripts(agents=10)).construct.clustered_by == "task", "ten agents of five models are no clusters"
    assert audited(transcripts().drop("base_model")).construct.clustered_by == "agent"
    assert audited(transcripts(agents=4).drop("task")).construct.clustered_by == "transcript"
    assert audited(transcripts(agents=4)).ranking.signals["gate"].spearman.reason == (
        "no interval: 2 clusters, and it takes 8"
    )


def test_raters_one_by_one_and_without_each(audited: Audited) -> None:
    rows = [
        {"agent": "a", "task": str(task), "reward": task % 2, "rater_x": x, "rater_y": y, "rater_z": z}
        for task, (x, y, z) in enumerate([(7, 6, 7), (5, 5, 4), (3, None, 2), (6, 6, 1), (2, 1, None), (5, 4, 7)])
    ]
    panel = audited(rows).construct.panel
    assert (panel.raters["rater_x"].gap.failed, panel.raters["rater_x"].gap.satisfied) == (1, 4)
    # means of y and z: 6.5, 4.5, 2, 3.5, 1, 5.5
    assert (panel.without["rater_x"].gap.failed, panel.without["rater_x"].gap.satisfied) == (1, 2)
    pairs = [
        stats.spearmanr([7, 5, 6, 2, 5], [6, 5, 6, 1, 4]).statistic,
        stats.spearmanr([7, 5, 3, 6, 5], [7, 4, 2, 1, 7]).statistic,
        stats.spearmanr([6, 5, 6, 4], [7, 4, 1, 7]).statistic,
    ]
    assert panel.between_raters.value == pytest.approx(sum(pairs) / 3)
    assert panel.between_raters.count == 3
    assert panel.alpha.count == 16
    assert -1 < panel.alpha.value < 1


def test_ranking_is_over_means_of_agents(transcripts: Made, audited: Audited) -> None:
    data = transcripts()
    means = data.group_by("agent").agg(pl.col("reward", "gate").mean()).sort("agent")
    found = audited(data).ranking
    assert found.signals["gate"].spearman.value == pytest.approx(
        stats.spearmanr(means["gate"], means["reward"]).statistic
    )
    assert found.signals["gate"].kendall.value == pytest.approx(
        stats.kendalltau(means["gate"], means["reward"]).statistic
    )
    assert found.signals["gate"].spearman.count == 16
    assert found.clusters == 8
    shop = data.filter(pl.col("domain") == "shop").group_by("agent").agg(pl.col("reward", "gate").mean())
    assert found.signals["gate"].by_domain["shop"].value == pytest.approx(
        stats.spearmanr(shop["gate"], shop["reward"]).statistic
    )
    spread = found.range_by_domain["shop"]
    assert (spread.lowest, spread.highest) == pytest.approx((shop["reward"].min(), shop["reward"].max()))
    assert spread.ratio == pytest.approx(shop["reward"].std() / means["reward"].std())


def test_mis_anchored_means_validated_by_people_and_not_by_success(audited: Audited) -> None:
    generator = np.random.default_rng(5)
    rows = [
        {"agent": "a", "task": str(at), "reward": at % 2, "human": float(human), "gate": float(human)}
        for at, human in enumerate(generator.integers(1, 8, 60))
    ]
    found = audited(rows).ranking.anchoring[0]
    assert found.over == "transcripts"
    assert found.human_gate.value == pytest.approx(1.0)
    assert abs(found.human_reward.value) < 0.3
    assert found.verdict == "mis-anchored"
    for row in rows:
        row["human"] = row["gate"] = 1.0 + 5 * row["reward"]
    assert audited(rows).ranking.anchoring[0].verdict == "anchored"


def test_decisions_count_pairs(transcripts: Made, audited: Audited) -> None:
    data = transcripts(agents=20, tasks=9, trials=1)
    means = data.group_by("agent", "base_model").agg(pl.col("reward").sum(), pl.col("gate").sum()).rows()
    found = audited(data, near_equal=0.2, sensitivity=(0.12, 0.3)).decisions
    count = {"near": [0, 0], "wide": [0, 0], "other": [0, 0], 0.12: [0, 0], 0.3: [0, 0]}
    ties = 0
    for (_, one_base, one, one_gate), (_, other_base, other, other_gate) in combinations(means, 2):
        if one == other:
            ties += 1
            continue
        wrong = (one - other) * (one_gate - other_gate) < 0
        apart = abs(one - other) / 9
        keys = ["near" if apart < 0.2 else "wide"]
        keys += ["other"] if apart < 0.2 and one_base != other_base else []
        keys += [threshold for threshold in (0.12, 0.3) if apart < threshold]
        for key in keys:
            count[key][0] += wrong
            count[key][1] += 1
    gate = found.signals["gate"]
    assert [gate.near_equal.wrong, gate.near_equal.pairs] == count["near"]
    assert [gate.wide.wrong, gate.wide.pairs] == count["wide"]
    assert [gate.near_equal_other_bases.wrong, gate.near_equal_other_bases.pairs] == count["other"]
    assert [[part.wrong, part.pairs] for part in gate.sensitivity] == [count[0.12], count[0.3]]
    assert sum(part.pairs for part in gate.by_difference) == gate.near_equal.pairs + gate.wide.pairs
    assert found.ties == ties


def test_a_tie_of_the_signal_is_no_error(audited: Audited) -> None:
    rows = [{"agent": name, "reward": reward, "gate": 4.0} for name, reward in (("a", 0.5), ("b", 0.55), ("c", 0.9))]
    found = audited(rows).decisions.signals["gate"]
    assert (found.near_equal.wrong, found.near_equal.pairs, found.wide.wrong, found.wide.pairs) == (0, 1, 0, 2)


def test_a_tenth_is_not_near_equal(audited: Audited) -> None:
    """0.87 - 0.77 is less than 0.1 in binary floats."""
    rows = [{"agent": "a", "reward": 0.87, "gate": 5.0}, {"agent": "b", "reward": 0.77, "gate": 6.0}]
    found = audited(rows).decisions.signals["gate"]
    assert (found.near_equal.pairs, found.wide.pairs, found.wide.wrong) == (0, 1, 1)


def test_self_preference_is_a_difference_of_differences(audited: Audited) -> None:
    own, others = [(6.0, 5.0), (5.5, 5.0), (6.0, 5.4)], [(4.0, 4.2), (3.0, 3.4), (5.0, 5.1), (2.0, 2.0)]
    rows = [
        {"agent": f"a{at}", "base_model": f"Claude {at}", "reward": 0.5, "gate_opus": one, "gate_gpt": other}
        for at, (one, other) in enumerate(own)
    ] + [
        {"agent": f"b{at}", "base_model": f"Qwen {at}", "reward": 0.6, "gate_opus": one, "gate_gpt": other}
        for at, (one, other) in enumerate(others)
    ]
    found = audited(rows).self_preference.preferences
    assert [(row.one, row.family, row.own_agents) for row in found] == [("gate_opus", "Anthropic", 3)]
    a, b = [x - y for x, y in own], [x - y for x, y in others]
    assert found[0].points.value == pytest.approx(np.mean(a) - np.mean(b))
    interval = stats.ttest_ind(a, b, equal_var=False).confidence_interval()
    assert (found[0].points.low, found[0].points.high) == pytest.approx((interval.low, interval.high))
    z = [stats.zscore([pair[at] for pair in own + others], ddof=1) for at in (0, 1)]
    free = (z[0] - z[1])[:3].mean() - (z[0] - z[1])[3:].mean()
    assert found[0].scale_free.value == pytest.approx(free)
    told = audited([{**row, "gate": row["gate_gpt"]} for row in rows], families={"gate": "DeepSeek"})
    assert len(told.self_preference.preferences) == 2


def test_judges_against_each_other(audited: Audited) -> None:
    rows = [
        {"agent": f"a{at}", "provider": "P" if at < 3 else "Q", "reward": at / 10, "gate_x": x, "gate_y": y}
        for at, (x, y) in enumerate([(1, 2), (3, 3), (2, 2.5), (5, 4), (4, 6), (6, 5), (7, 6.5)])
    ]
    found = audited(rows, top=4).judges
    pair = found.pairs[0]
    assert pair.offset.value == pytest.approx(28 / 7 - 29 / 7)
    assert pair.spearman.value == pytest.approx(
        stats.spearmanr([1, 3, 2, 5, 4, 6, 7], [2, 3, 2.5, 4, 6, 5, 6.5]).statistic
    )
    assert pair.top_spearman.value == pytest.approx(stats.spearmanr([5, 4, 6, 7], [4, 6, 5, 6.5]).statistic)
    assert found.top["gate_x"].value == pytest.approx(stats.spearmanr([5, 4, 6, 7], [3, 4, 5, 6]).statistic)
    # by gate_y: ranks 7 5 6 4 2 3 1, by reward 7 6 5 4 3 2 1
    assert found.displacement["gate_y"]["P"].value == pytest.approx((0 - 1 + 1) / 3)
    assert found.displacement["gate_y"]["Q"].value == pytest.approx((0 - 1 + 1 + 0) / 4)


def test_surplus_by_the_formula(audited: Audited) -> None:
    rows = [
        {"agent": name, "reward": r, "proxy": p} for name, r, p in (("a", 0.2, 5.5), ("b", 0.5, 4.0), ("c", 0.9, 7))
    ]
    found = audited(rows).surplus
    assert [row.formula for row in found.agents] == pytest.approx([0.55, 0.0, 0.1])
    assert found.formula.value == pytest.approx(stats.spearmanr([0.55, 0.0, 0.1], [0.2, 0.5, 0.9]).statistic)
    assert found.printed.reason == "the table has no column surplus"


def test_tiers_personas_and_simulators(transcripts: Made, audited: Audited) -> None:
    data = transcripts().with_columns(
        tier=pl.when(pl.col("agent") < "a04").then(pl.lit("broken")).otherwise(pl.lit("fine"))
    )
    found = audited(data)
    means = {
        row["agent"]: row for row in data.group_by("agent").agg(pl.col("reward", "gate").mean()).iter_rows(named=True)
    }
    bad = [row for name, row in means.items() if name < "a04"]
    good = [row for name, row in means.items() if name >= "a04"]
    assert found.tiers.broken.value == pytest.approx(np.mean([row["reward"] for row in bad]))
    assert found.tiers.working.value == pytest.approx(np.mean([row["reward"] for row in good]))
    won = sum((g["gate"] > b["gate"]) + (g["gate"] == b["gate"]) / 2 for g in good for b in bad)
    assert found.tiers.signals["gate"].auc.value == pytest.approx(won / len(good) / len(bad))

    angry, base = (data.filter(pl.col("persona") == name) for name in ("angry", "baseline"))
    assert found.personas.baseline == "baseline"
    drop = {row.persona: row for row in found.personas.personas}["angry"]
    assert drop.reward_drop.value == pytest.approx(base["reward"].mean() - angry["reward"].mean())
    assert drop.signal_drops["proxy"].value == pytest.approx(base["proxy"].mean() - angry["proxy"].mean())
    assert audited(data, baseline="angry").personas.baseline == "angry"
    assert audited(data, baseline="nobody").personas.reason == 'no persona is called "nobody"'

    one, other = (
        data.filter(pl.col("simulator") == name).group_by("agent").agg(pl.col("reward", "gate").mean()).sort("agent")
        for name in ("s1", "s2")
    )
    between = found.simulators.between[0]
    assert between.reward.value == pytest.approx(stats.spearmanr(one["reward"], other["reward"]).statistic)
    assert between.signals["gate"].value == pytest.approx(stats.spearmanr(one["gate"], other["gate"]).statistic)
    first = found.simulators.simulators[0]
    assert first.ranking[0] == one.sort(["reward", "agent"], descending=[True, False])["agent"][0]
    assert first.reward.value == pytest.approx(data.filter(pl.col("simulator") == "s1")["reward"].mean())
    satisfied = data.filter((pl.col("simulator") == "s1") & (pl.col("gate") >= 5))
    assert first.gap["gate"].failed_among_satisfied.value == pytest.approx(1 - satisfied["reward"].mean())


def test_stability_over_trials(transcripts: Made, audited: Audited) -> None:
    data = transcripts(trials=3).drop("simulator")
    found = audited(data).stability
    assert (found.trials, found.cells) == (3, 16 * 12)
    cells = data.sort("trial").group_by("agent", "task").agg("reward")["reward"].to_list()
    table = np.array(cells, dtype=float)
    between = 3 * table.mean(1).var(ddof=1)
    within = table.var(axis=1, ddof=1).mean()
    assert found.columns["reward"].icc.value == pytest.approx((between - within) / (between + 2 * within))
    assert found.columns["reward"].icc.low < found.columns["reward"].icc.value < found.columns["reward"].icc.high
    by_trial = [
        data.filter(pl.col("trial") == at).group_by("agent").agg(pl.col("gate").mean()).sort("agent") for at in range(3)
    ]
    rhos = [stats.spearmanr(by_trial[i]["gate"], by_trial[j]["gate"]).statistic for i, j in ((0, 1), (0, 2), (1, 2))]
    assert found.columns["gate"].rank_stability.value == pytest.approx(np.mean(rhos))
    own = data.filter(pl.col("agent") == "a10").group_by("task").agg(pl.col("reward").sum())["reward"].to_list()
    for k in (1, 2, 3):
        expected = np.mean([math.comb(successes, k) / math.comb(3, k) for successes in own])
        assert found.pass_k["a10"][str(k)].value == pytest.approx(expected)


def test_tasks_with_too_few_trials_are_left_out_of_pass_k(audited: Audited) -> None:
    rows = [{"agent": "a", "task": "1", "trial": at, "reward": 1} for at in range(3)]
    rows += [{"agent": "a", "task": "2", "trial": 0, "reward": 0}]
    found = audited(rows).stability.pass_k["a"]
    assert (found["1"].value, found["1"].count) == (0.5, 2)
    assert (found["3"].value, found["3"].count) == (1.0, 1)


def test_cheap_signals(audited: Audited) -> None:
    rows = [
        {
            "agent": f"a{at % 3}",
            "reward": at % 2,
            "completed": at % 6 != 0,
            "truncated": at % 12 == 0,
            "length": at * 1.0,
        }
        for at in range(60)
    ]
    rows[1]["length"] = 500.0
    found = audited(rows, prices={"completed": 0.01}).cheap_signals
    bit = found.signals["completed"]
    assert bit.flagged == 10
    assert (bit.recall_truncated.value, bit.recall_truncated.count) == (1.0, 5)
    assert (bit.recall_failed.value, bit.recall_failed.count) == (10 / 30, 30)
    assert bit.precision.value == 1.0
    assert bit.price.value == 0.01
    assert found.ended_normally.value == pytest.approx(20 / 30)
    assert found.signals["length"].flagged == 1, "one length lies outside of Tukey's fences"
    assert found.signals["length"].recall_failed.value == 0.0
    completed = [row["completed"] for row in rows]
    expected = stats.spearmanr(completed, [row["reward"] for row in rows]).statistic
    assert bit.over_transcripts.value == pytest.approx(expected)


def test_calibration_and_dimensions(transcripts: Made, audited: Audited) -> None:
    generator = np.random.default_rng(1)
    data = transcripts()
    data = data.with_columns(
        dim_tone=pl.Series(generator.integers(1, 8, len(data)).astype(float)),
        dim_ease__x=pl.Series(generator.integers(1, 8, len(data)).astype(float)),
    ).with_columns(dim_ease__y=pl.col("dim_ease__x"))
    found = audited(data)
    for point in found.calibration.curves["gate"]:
        own = data.filter(pl.col("gate") == point.low)["reward"]
        assert (point.success.value, point.success.count) == (pytest.approx(own.mean()), len(own))
    tone = found.dimensions.dimensions["dim_tone"]
    expected = stats.spearmanr(data["dim_tone"], data["reward"])
    assert tone.mean.value == pytest.approx(data["dim_tone"].mean())
    assert tone.spearman.value == pytest.approx(expected.statistic)
    assert tone.p.value == pytest.approx(expected.pvalue)
    high = data.filter(pl.col("dim_tone") >= 5)["reward"]
    assert tone.high_but_failed.value == pytest.approx(1 - high.mean())
    assert len(tone.dose_response) == 7
    ease = found.dimensions.dimensions["dim_ease"]
    assert ease.alpha.value == pytest.approx(1.0)
    assert found.dimensions.highest.spearman.value == pytest.approx(
        stats.spearmanr(data["dim_tone"], data["dim_ease__x"]).statistic
    )


def test_continuous_scores_are_cut_into_ten(transcripts: Made, audited: Audited) -> None:
    generator = np.random.default_rng(1)
    data = transcripts()
    data = data.with_columns(gate=pl.Series(generator.uniform(1, 7, len(data))))
    curve = audited(data).calibration.curves["gate"]
    assert len(curve) == 10
    assert sum(point.success.count for point in curve) == len(data)
    assert all(one.high <= other.low for one, other in pairwise(curve))


def test_ensembles_by_hand(audited: Audited) -> None:
    """Two judges that are wrong on different pairs: their mean is wrong on none."""
    rewards = [0.10, 0.15, 0.30, 0.36, 0.60, 0.66, 0.80, 0.87]
    x, y = [2, 1.9, 3, 3.5, 4, 4.5, 5, 5.6], [2, 2.5, 3, 2.9, 4, 4.5, 5, 5.6]
    rows = [
        {"agent": f"a{at}", "provider": f"p{at % 3}", "reward": r, "gate_x": x[at], "gate_y": y[at]}
        for at, r in enumerate(rewards)
    ]
    found = audited(rows).ensembles
    assert {name: (part.wrong, part.pairs) for name, part in found.single.items()} == {
        "gate_x": (1, 4),
        "gate_y": (1, 4),
    }
    assert (found.mean.wrong, found.mean.pairs) == (0, 4)
    assert found.weighted.pairs == found.weighted_by_provider.pairs == 4


def test_weights_are_learnt_without_the_agents_at_hand() -> None:
    from benchlint.audit.figures.ensembles import _left_out

    generator = np.random.default_rng(0)
    matrix, reward = generator.normal(size=(12, 2)), generator.normal(size=12)
    groups = np.repeat(np.arange(6), 2)
    scores = _left_out(matrix, reward, groups)
    changed = reward.copy()
    changed[:2] += 100
    again = _left_out(matrix, changed, groups)
    assert again[:2] == pytest.approx(scores[:2]), "the reward of the agents at hand must not matter"
    assert not np.allclose(again[2:], scores[2:])


def test_ensembles_within_strata(transcripts: Made, audited: Audited) -> None:
    found = audited(transcripts().rename({"gate": "gate_a", "proxy": "gate_b"})).ensembles
    assert [part.by for part in found.by_stratum] == ["domain", "persona"]
    domain = found.by_stratum[0]
    assert domain.strata == 2
    assert domain.mean.pairs == domain.weighted.pairs == domain.best_single.pairs > 0


def test_abstention_by_the_tables_own_errors(audited: Audited) -> None:
    rows = [
        {"agent": name, "reward": r, "gate": g, "gate_se": 0.1}
        for name, r, g in (("a", 0.1, 2.0), ("b", 0.15, 1.9), ("c", 0.5, 4.0), ("d", 0.55, 5.0))
    ]
    found = audited(rows).abstention.signals["gate"]
    assert found.noise == "standard errors of the table"
    every, sure = found.by_gap[0], next(row for row in found.by_noise if row.at == 0.95)
    assert (every.error.value, every.error.count, every.coverage.value) == (pytest.approx(1 / 6), 6, 1.0)
    # a and b are 0.1 apart with a noise of 0.141: declined at 95 %
    assert (sure.error.value, sure.error.count, sure.coverage.value) == (0.0, 5, pytest.approx(5 / 6))
    assert (sure.near_equal_error.value, sure.near_equal_coverage.value) == (0.0, 0.5)
    assert [row.error.count for row in found.by_gap[:4]] == [6, 6, 5, 5]


def test_the_noise_of_a_gap_draws_tasks_for_all_agents_at_once(audited: Audited) -> None:
    """Two agents that share the luck of each task differ surely, although each of them is noisy."""
    generator = np.random.default_rng(0)
    luck = generator.normal(0, 1.5, 40)
    rows = [
        {"agent": agent, "task": str(at), "reward": at % 2, "gate": float(np.clip(4 + luck[at] + shift, 1, 7))}
        for agent, shift in (("a", 0.0), ("b", 0.2))
        for at in range(40)
    ]
    data = pl.DataFrame(rows).with_columns(reward=pl.when(pl.col("agent") == "b").then(1).otherwise(pl.col("reward")))
    found = audited(data).abstention.signals["gate"]
    assert found.noise == "tasks drawn again"
    assert next(row for row in found.by_noise if row.at == 0.99).coverage.value == 1.0
    alone = audited(data.drop("task")).abstention.signals["gate"]
    assert alone.noise == "transcripts as if independent"
    assert next(row for row in alone.by_noise if row.at == 0.95).coverage.value == 0.0


def test_the_oracle(audited: Audited) -> None:
    rows = [
        {"agent": "a", "task": str(at), "reward": None if at < 2 else at % 2, "gate": None if at == 5 else 4.0}
        | {"reward_basis": "DB+NL_ASSERTION" if at < 6 else "DB", "reward_llm": at < 6, "reward_llm_decided": at == 4}
        for at in range(10)
    ]
    found = audited(rows).oracle
    assert (found.rows, found.null_rewards, found.null_scores) == (10, 2, {"gate": 1})
    assert found.reward_basis == {"DB": 4, "DB+NL_ASSERTION": 4}
    assert (found.llm_in_basis.value, found.llm_decided.value) == (0.5, 0.125)
