"""measures.json: what evaluate() and calibrate() compute, on rows whose truth is known.

    log-loss = Σ w (−ln p(truth)) / Σ w;   Brier = Σ w Σ_l (p(l) − 1[l = truth])² / Σ w   (not halved)
    AUC and average precision: one level against the rest, for each level, ties together;   macro: the plain mean over levels
    isotonic: argmin Σ w (y − f(x))², f never falling;   temperature: argmin_T of the log-loss of p^(1/T), normalised
    Wilson: the 95 % interval of a share;   entropy, relativeEntropy in nats

confusion[truth][predicted] in weight. Probabilities are multiples of 1/40 on half of the rows, so scores tie. scikit-learn,
checked against the formulas in plain numpy: AUC by counting pairs, average precision by cuts, isotonic by its max-min formula.
"""

import sys

sys.dont_write_bytecode = True

from store import agree, write

import numpy as np
from scipy.optimize import brentq
from scipy.special import softmax
from scipy.stats import binomtest, entropy
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import (
    accuracy_score,
    average_precision_score,
    brier_score_loss,
    confusion_matrix,
    f1_score,
    log_loss,
    precision_recall_fscore_support,
    roc_auc_score,
)

rng = np.random.default_rng(20240707)
levels = ["ash", "birch", "cedar", "dogwood"]
n, K = 240, 4

# Probabilities that know something, but too sure of it; half of them in steps of 1/40, none 0.
y = rng.choice(K, n, p=[0.45, 0.3, 0.2, 0.05])
p = softmax(2.5 * (rng.normal(size=(n, K)) + 1.2 * np.eye(K)[y]), axis=1)
p = 0.996 * p + 0.001
p /= p.sum(axis=1, keepdims=True)
coarse = np.maximum(1, np.round(p[::2] * 40))
coarse[np.arange(len(coarse)), coarse.argmax(axis=1)] += 40 - coarse.sum(axis=1)
assert coarse.min() >= 1
p[::2] = coarse / 40
weights = np.round(rng.uniform(0.01, 2.99, n), 3)
weights[[5, 77]] = 0


def auc_by_pairs(score, happened, w):
    up, down = happened & (w > 0), ~happened & (w > 0)
    gap = np.sign(score[up][:, None] - score[down][None, :])
    pair = w[up][:, None] * w[down][None, :]
    return (pair * (gap + 1) / 2).sum() / pair.sum()


def precision_by_cuts(score, happened, w):
    total, before, out = w[happened].sum(), 0.0, 0.0
    for cut in np.unique(score[w > 0])[::-1]:
        hits, alarms = w[(score >= cut) & happened].sum(), w[(score >= cut) & ~happened].sum()
        out += (hits - before) / total * hits / (hits + alarms)
        before = hits
    return out


def isotonic_by_formula(x, t, w):
    """f(x) = max over a ≤ x of min over b ≥ x of the mean of t on [a, b]"""
    at = np.unique(x)
    mean = lambda a, b: np.average(t[(x >= a) & (x <= b)], weights=w[(x >= a) & (x <= b)])
    return np.array([max(min(mean(a, b) for b in at if b >= v) for a in at if a <= v) for v in x])


cases = []
for name, w in [("plain", np.ones(n)), ("weighted", weights)]:
    said = p.argmax(axis=1)
    precision, recall, f1, support = precision_recall_fscore_support(
        y, said, sample_weight=w, labels=range(K), zero_division=0
    )
    counts = confusion_matrix(y, said, sample_weight=w)
    agree("F1", f1, [2 * counts[k, k] / (counts[k].sum() + counts[:, k].sum()) for k in range(K)])
    loss = log_loss(y, p, sample_weight=w)
    agree("log-loss", loss, np.average(-np.log(p[np.arange(n), y]), weights=w))
    brier = brier_score_loss(y, p, sample_weight=w, labels=range(K), scale_by_half=False)
    agree("Brier", brier, np.average(((p - np.eye(K)[y]) ** 2).sum(axis=1), weights=w))
    auc = [roc_auc_score(y == k, p[:, k], sample_weight=w) for k in range(K)]
    agree("AUC", auc, [auc_by_pairs(p[:, k], y == k, w) for k in range(K)])
    if name == "plain":
        agree("macro AUC", np.mean(auc), roc_auc_score(y, p, multi_class="ovr", average="macro"))
    precise = [average_precision_score(y == k, p[:, k], sample_weight=w) for k in range(K)]
    agree("average precision", precise, [precision_by_cuts(p[:, k], y == k, w) for k in range(K)])

    def slope(beta):
        """d/dβ of Σ w (ln Σ_l p(l)^β − β ln p(truth))"""
        q, z = softmax(beta * np.log(p), axis=1), np.log(p)
        return w @ ((q * z).sum(axis=1) - z[np.arange(n), y])

    cases.append(
        {
            "name": name,
            "weights": w,
            "expected": {
                "confusion": counts,
                "accuracy": accuracy_score(y, said, sample_weight=w),
                "logLoss": loss,
                "brier": brier,
                "macroF1": f1_score(y, said, sample_weight=w, average="macro"),
                "precision": precision,
                "recall": recall,
                "f1": f1,
                "support": support if name == "weighted" else np.bincount(y, minlength=K),
                "auc": auc,
                "averagePrecision": precise,
                "temperature": 1 / brentq(slope, 0.01, 10, xtol=1e-15, rtol=1e-15),
            },
        }
    )

# Isotonic regression: 60 points, ties in x, weights.
x = np.round(rng.normal(size=60), 1)
t = (rng.uniform(size=60) < 1 / (1 + np.exp(-1.5 * x))).astype(float)
w = np.round(rng.uniform(0.1, 2, 60), 2)
ask = np.round(np.linspace(-3.5, 3.5, 29), 3)
isotonic = []
for name, v in [("plain", np.ones(60)), ("weighted", w)]:
    model = IsotonicRegression(out_of_bounds="clip").fit(x, t, sample_weight=v)
    fit = model.predict(x)
    agree("isotonic", fit, isotonic_by_formula(x, t, v))
    isotonic.append({"name": name, "x": x, "y": t, "weights": v, "fit": fit, "ask": ask, "answer": model.predict(ask)})

wilson = []
for hits, rows in [(0, 10), (10, 10), (7, 10), (181, 240), (1, 1000)]:
    ends = binomtest(hits, rows).proportion_ci(0.95, method="wilson")
    z2, share = 1.959963984540054**2, hits / rows
    reach = np.sqrt(z2 * (share * (1 - share) / rows + z2 / (4 * rows**2)))
    agree("Wilson", [ends.low, ends.high], [(share + z2 / (2 * rows) + s * reach) / (1 + z2 / rows) for s in (-1, 1)])
    wilson.append({"hits": hits, "rows": rows, "low": ends.low, "high": ends.high})

a, b = np.array([0.5, 0.25, 0.25, 0.0]), np.array([0.125, 0.5, 0.25, 0.125])
agree("D(a‖b)", entropy(a, b), sum(u * np.log(u / v) for u, v in zip(a, b) if u > 0))
information = {"p": a, "q": b, "entropy": entropy(a), "relativeEntropy": entropy(a, b)}

write(
    "measures",
    __doc__,
    datasets={"trees": {"levels": levels, "truth": y, "probabilities": p}},
    cases=cases,
    isotonic=isotonic,
    wilson=wilson,
    information=information,
)
