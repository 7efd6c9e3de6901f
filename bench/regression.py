"""Tables of numbers and levels as the columns of a regression, and the regression with its best C."""

from functools import cache

import numpy
from peers import climb, log_loss
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.svm import LinearSVC


def features(task):
    """Standardised numbers and one column per level of the training rows, train then test; nan where missing."""
    columns = []
    for j, kind in enumerate(task["kinds"]):
        train = [row[j] for row in task["train"]["cells"]]
        cells = train + [row[j] for row in task["test"]["cells"]]
        if kind == "number":
            column = numpy.array(cells, dtype=float)  # null becomes nan
            seen = column[: len(train)]
            columns.append([(column - numpy.nanmean(seen)) / (numpy.nanstd(seen) or 1.0)])
            continue
        levels = sorted({cell for cell in train if cell is not None})
        hot = numpy.array([[cell == level for cell in cells] for level in levels], dtype=float)
        hot[:, [cell is None for cell in cells]] = numpy.nan
        columns.append(hot)
    return columns, len(task["train"]["cells"])


def by_mean(columns, count):
    """0 is the mean of a standardised number; the most frequent level is the column with the largest sum."""
    filled = []
    for column in map(numpy.array, columns):
        fill = numpy.zeros(len(column))
        if len(column) > 1:
            fill[numpy.argmax(numpy.nansum(column[:, :count], axis=1))] = 1.0
        filled.append(numpy.where(numpy.isnan(column), fill[:, None], column))
    return numpy.vstack(filled).T


def logistic(c):
    return LogisticRegression(C=c, max_iter=300)


def svm(c):
    return LinearSVC(C=c, max_iter=2000, random_state=0)


def judged(make, x, y, truth, folds):
    """Learned from the first rows of x, judged on the others: accuracy at the C of the best cross-validated accuracy, log-loss
    at the C of the best cross-validated log-loss. Without folds C = 1."""
    count = len(y)
    measures = {"accuracy": "accuracy", **({"logLoss": "neg_log_loss"} if make is logistic else {})}

    @cache
    def validated(c):
        parts = StratifiedKFold(folds, shuffle=True, random_state=0)
        return cross_validate(make(c), x[:count], y, cv=parts, scoring=measures)

    @cache
    def fitted(c):
        return make(c).fit(x[:count], y)

    def best(measure):
        return fitted(climb(lambda c: validated(c)[f"test_{measure}"].mean(), 4.0, 1.0, 6)[0] if folds else 1.0)

    found = {"accuracy": float(best("accuracy").score(x[count:], truth))}
    if make is logistic:
        found["logLoss"] = log_loss(best("logLoss").predict_proba(x[count:]), truth)
    return found
