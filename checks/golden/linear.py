"""linear.json: L2 logistic regression and linear SVMs, at their optima, with the objective in LIBLINEAR's terms.

    one-vs-rest   ½‖w‖² + C Σ_i weight_i · loss(y_i w·x_i)         loss(m) = ln(1 + e^−m), max(0, 1 − m)², max(0, 1 − m)
    multinomial   ½ Σ_l ‖w_l‖² + C Σ_i weight_i · −ln p(label_i)    p(l | x) ∝ e^(w_l·x + b_l), b free

One-vs-rest: the bias is the weight of a feature that is always 1 and is penalised (-B 1). Two levels: one problem, the second level
against the first. Numbers are standardised by weighted mean and standard deviation, missing cells become the mean; levels are one-hot,
missing ones all zero; word counts are as they are. Solved by LIBLINEAR (through scikit-learn; multinomial by its lbfgs), checked
against BFGS (scipy) on the formula; the plain hinge against an interior-point method on its dual, whose value bounds the optimum from
below. `objectives` are the lower of both, `liblinear` its own, `weights` (level × feature, bias last) and scores the second opinion's.
"""

import sys

sys.dont_write_bytecode = True

from store import agree, columns, write
import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, log_softmax, softmax
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

rng = np.random.default_rng(20240707)


def standardised(X, w):
    """Weighted mean 0 and sd 1; missing cells 0. Second opinion: StandardScaler."""
    seen = ~np.isnan(X)
    mean = np.array([np.average(X[s, j], weights=w[s]) for j, s in enumerate(seen.T)])
    sd = np.array([np.sqrt(np.average((X[s, j] - mean[j]) ** 2, weights=w[s])) for j, s in enumerate(seen.T)])
    for j, s in enumerate(seen.T):
        scaler = StandardScaler().fit(X[s, j : j + 1], sample_weight=w[s])
        agree("mean", mean[j], scaler.mean_[0])
        agree("sd", sd[j], scaler.scale_[0])
    return np.where(seen, (X - mean) / sd, 0.0)


LOSSES = {
    "logistic": (lambda m: np.logaddexp(0, -m), lambda m: -expit(-m)),
    "squared": (lambda m: np.maximum(0, 1 - m) ** 2, lambda m: -2 * np.maximum(0, 1 - m)),
    "plain": (lambda m: np.maximum(0, 1 - m), None),
}


def objective(loss, w, A, y, cost):
    return 0.5 * w @ w + cost @ LOSSES[loss][0](y * (A @ w))


def second(loss, A, y, cost):
    """scipy's optimum of the same problem"""
    value, slope = LOSSES[loss]
    if loss == "plain":
        B = A * y[:, None]
        a, Q = cost / 2, B @ B.T
        barrier = lambda a, mu: 0.5 * a @ Q @ a - a.sum() - mu * np.sum(np.log(a) + np.log(cost - a))
        for mu in 10.0 ** -np.arange(0, 12.5, 0.5) * cost.mean():
            for _ in range(100):
                g = Q @ a - 1 - mu / a + mu / (cost - a)
                step = np.linalg.solve(Q + np.diag(mu / a**2 + mu / (cost - a) ** 2), -g)
                t = 1.0
                while np.any(a + t * step <= 0) or np.any(a + t * step >= cost):
                    t /= 2
                while t > 1e-12 and barrier(a + t * step, mu) > barrier(a, mu) + 1e-4 * t * g @ step:
                    t /= 2
                a = a + t * step
                if -g @ step < 1e-3 * mu:
                    break
        w = B.T @ a
        return w, a.sum() - 0.5 * w @ w
    f = lambda w: (0.5 * w @ w + cost @ value(y * (A @ w)), w + A.T @ (cost * y * slope(y * (A @ w))))
    w = minimize(f, np.zeros(A.shape[1]), jac=True, method="BFGS", options={"gtol": 1e-9, "maxiter": 10000}).x
    return w, None


def liblinear(loss, A, y, C, weight):
    """A holds no column of ones: LIBLINEAR adds it."""
    if loss == "logistic":
        model = LogisticRegression(C=C, solver="liblinear", tol=1e-12, max_iter=100000, intercept_scaling=1)
    else:
        hinge = "squared_hinge" if loss == "squared" else "hinge"
        model = LinearSVC(C=C, loss=hinge, dual=loss == "plain", tol=1e-9, max_iter=10_000_000, random_state=1)
    model.fit(A, y, sample_weight=weight)
    return np.append(model.coef_[0], model.intercept_[0])


def one_vs_rest(loss, A, labels, levels, C, weight, Atest):
    ones = np.hstack([A, np.ones((len(A), 1))])
    test = np.hstack([Atest, np.ones((len(Atest), 1))])
    positives = range(len(levels)) if len(levels) > 2 else [1]
    objectives, theirs, weights = [], [], []
    for k in positives:
        y = np.where(labels == k, 1.0, -1.0)
        cost = C * weight
        first = liblinear(loss, A, y, C, weight)
        other, lower = second(loss, ones, y, cost)
        values = [objective(loss, w, ones, y, cost) for w in (first, other)]
        # coordinate descent ends a little early (by 1.3e-8 at most), the others do not
        agree(f"{loss}: LIBLINEAR, {levels[k]}", values[0], values[1], 1e-7 if loss == "plain" else 1e-10)
        if lower is not None:
            agree(f"{loss}: dual, {levels[k]}", values[1], lower, 1e-9)
        objectives.append(min(values))
        theirs.append(values[0])
        weights.append(other)
    scores = test @ np.array(weights).T
    if len(levels) == 2:
        scores = np.hstack([-scores, scores])
        weights = [-weights[0], weights[0]]
    expected = {"objectives": objectives, "liblinear": theirs, "weights": weights, "scores": scores}
    if loss == "logistic":
        p = expit(scores)
        expected["posterior"] = p / p.sum(1, keepdims=True)
    return expected


def multinomial(A, labels, levels, C, weight, Atest):
    k, d = len(levels), A.shape[1]
    Y = np.eye(k)[labels]

    def f(v):
        W, b = v[: k * d].reshape(k, d), v[k * d :]
        Z = A @ W.T + b
        G = (softmax(Z, 1) - Y) * (C * weight)[:, None]
        value = 0.5 * np.sum(W**2) - np.sum(C * weight * np.sum(Y * log_softmax(Z, 1), 1))
        return value, np.concatenate([(W + G.T @ A).ravel(), G.sum(0)])

    model = LogisticRegression(C=C, solver="lbfgs", tol=1e-11, max_iter=100000).fit(A, labels, sample_weight=weight)
    first = f(np.concatenate([model.coef_.ravel(), model.intercept_]))[0]
    v = minimize(f, np.zeros(k * d + k), jac=True, method="BFGS", options={"gtol": 1e-9, "maxiter": 20000}).x
    W, b = v[: k * d].reshape(k, d), v[k * d :] - v[k * d :].mean()
    agree("multinomial: objective", first, f(v)[0], 1e-8)
    P = softmax(Atest @ W.T + b, 1)
    agree("multinomial: posterior", model.predict_proba(Atest), P, 1e-5)
    return {"objectives": [min(first, f(v)[0])], "weights": np.hstack([W, b[:, None]]), "posterior": P}


# iris, every other row to learn from.
iris = load_iris()
names = ["sepal_length", "sepal_width", "petal_length", "petal_width"]
species = [str(name) for name in iris.target_names]
learn, held = np.arange(0, 150, 2), np.arange(1, 150, 6)
# A table with holes, two levels, weights: 80 rows.
n = 100
kind = rng.integers(0, 2, n)
number = np.round(rng.normal(kind * 1.2, 1.0), 2)
count = rng.poisson(2 + 2 * kind).astype(float)
colour = np.array(["blue", "green", "red"])[np.clip(rng.integers(0, 3, n) + (rng.uniform(size=n) < 0.3 * kind), 0, 2)]
number[::7] = np.nan
count[3::11] = np.nan
colour = colour.astype(object)
colour[5::13] = None
importance = np.round(rng.uniform(0.1, 3, n), 2)
# Bags of words, three levels, more words than rows: 40 rows.
topics = rng.dirichlet(np.full(60, 0.15), 3)
about = np.arange(60) % 3
bags = np.array([rng.multinomial(rng.integers(5, 25), 0.6 * topics[k] + 0.4 / 60) for k in about]).astype(float)
words = [f"w{j:02d}" for j in range(60)]
used = bags[:40].sum(0) > 0  # words of the held-out rows alone are not known

hot = np.stack([colour == c for c in ["blue", "green", "red"]], 1).astype(float)
both = np.stack([number, count], 1)
t, h = np.arange(80), np.arange(80, n)
scaled = lambda X, w, train, test: (lambda Z: (Z[: len(train)], Z[len(train) :]))(  # noqa: E731
    np.vstack([standardised(X[train], w), apart(X[train], w, X[test])])
)


def apart(X, w, T):
    """Held-out rows in the units of the training rows"""
    mean = np.array([np.average(c[~np.isnan(c)], weights=w[~np.isnan(c)]) for c in X.T])
    sd = np.array([np.sqrt(np.average((c[~np.isnan(c)] - m) ** 2, weights=w[~np.isnan(c)])) for c, m in zip(X.T, mean)])
    return np.where(np.isnan(T), 0.0, (T - mean) / sd)


Ai, Ti = scaled(iris.data, np.ones(len(learn)), learn, held)
Am, Tm = scaled(both, importance[t], t, h)
Am, Tm = np.hstack([Am, hot[t]]), np.hstack([Tm, hot[h]])
sets = {
    "iris": (Ai, iris.target[learn], species, np.ones(len(learn)), Ti),
    "mixed": (Am, kind[t], ["no", "yes"], importance[t], Tm),
    "bags": (bags[:40][:, used], about[:40], ["a", "b", "c"], np.ones(40), bags[40:][:, used]),
}
cell = lambda values: [None if v is None or v != v else v for v in values]  # noqa: E731
bag = lambda row: {w: int(c) for w, c in zip(words, row) if c > 0}  # noqa: E731
mixed = lambda at: {"number": cell(number[at]), "count": cell(count[at]), "colour": cell(colour[at])}  # noqa: E731
datasets = {
    "iris": {
        "label": "species",
        "features": names,
        "columns": {**columns(names, iris.data[learn]), "species": [species[k] for k in iris.target[learn]]},
        "test": columns(names, iris.data[held]),
    },
    "mixed": {
        "label": "kind",
        "features": ["number", "count", "colour = blue", "colour = green", "colour = red"],
        "columns": {**mixed(t), "kind": [["no", "yes"][k] for k in kind[t]], "importance": importance[t]},
        "test": mixed(h),
    },
    "bags": {
        "label": "about",
        "features": [f"text: {w}" for w, u in zip(words, used) if u],
        "columns": {"text": [bag(row) for row in bags[:40]], "about": ["abc"[k] for k in about[:40]]},
        "test": {"text": [bag(row) for row in bags[40:]]},
    },
}

cases = []
for name, (A, labels, levels, weight, T) in sets.items():
    for C in [0.1, 1.0, 10.0]:
        for loss in LOSSES:
            cases.append({"dataset": name, "c": C, "loss": loss, "levels": levels,
                          "expected": one_vs_rest(loss, A, labels, levels, C, weight, T)})  # fmt: skip
        if len(levels) > 2:
            cases.append({"dataset": name, "c": C, "loss": "multinomial", "levels": levels,
                          "expected": multinomial(A, labels, levels, C, weight, T)})  # fmt: skip
# Weights of words would fill the file: those of the bags are judged by objective, scores and posterior.
for case in cases:
    if case["dataset"] == "bags":
        del case["expected"]["weights"]
write("linear", __doc__, datasets=datasets, cases=cases)
