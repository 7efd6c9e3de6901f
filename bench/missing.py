"""What people do about missing cells before logistic regression and a linear SVM, on the tables of missing.ts.

    python missing.py question.json answer.json

    mean      numbers: the column's mean; levels: the most frequent one, then one column per level
    iterative IterativeImputer over standardised numbers and one column per level (a missing level: missing in all of them)

Numbers are standardised. C by 5-fold cross-validation (3-fold from 5,000 rows) on the training rows, for accuracy and
log-loss each; the imputers learn from the training rows alone.
"""

import warnings

import numpy
from encode import by_mean, features
from peers import climb, log_loss, question, reply
from sklearn.exceptions import ConvergenceWarning
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.impute import IterativeImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.svm import LinearSVC

warnings.simplefilter("ignore", ConvergenceWarning)


def by_iteration(columns, count):
    x = numpy.vstack(columns).T
    imputer = IterativeImputer(random_state=0).fit(x[:count])
    return imputer.transform(x)


def judged(make, x, y, count, truth):
    """Accuracy at the C of the best cross-validated accuracy; log-loss at the C of the best cross-validated log-loss."""
    folds = StratifiedKFold(5 if count < 5000 else 3, shuffle=True, random_state=0)

    def best(scoring):
        c, _ = climb(lambda c: cross_val_score(make(c), x[:count], y, cv=folds, scoring=scoring).mean(), 4.0, 1.0, 6)
        return make(c).fit(x[:count], y)

    found = {"accuracy": float(best("accuracy").score(x[count:], truth))}
    if make is logistic:
        found["logLoss"] = log_loss(best("neg_log_loss").predict_proba(x[count:]), truth)
    return found


def logistic(c):
    return LogisticRegression(C=c, max_iter=300)


def svm(c):
    return LinearSVC(C=c, max_iter=2000, random_state=0)


def answer(task):
    columns, count = features(task)
    levels, y = numpy.unique(task["train"]["labels"], return_inverse=True)
    truth = numpy.searchsorted(levels, task["test"]["labels"])
    mean, iterated = by_mean(columns, count), by_iteration(columns, count)
    found = {
        "meanLr": judged(logistic, mean, y, count, truth),
        "meanSvm": judged(svm, mean, y, count, truth),
        "iterativeLr": judged(logistic, iterated, y, count, truth),
    }
    print("    " + ", ".join(f"{name} {100 * one['accuracy']:.2f}" for name, one in found.items()), flush=True)
    return found


asked = question()
print(f"  scikit-learn {asked['name']}", flush=True)
reply(answers=[answer(task) for task in asked["tasks"]])
