"""What people do about missing cells before logistic regression and a linear SVM, on the tables of missing.ts.

    python missing.py question.json answer.json

    mean      numbers: the column's mean; levels: the most frequent one, then one column per level
    iterative IterativeImputer over standardised numbers and one column per level (a missing level: missing in all of
              them); each column from its 20 nearest where there are more than 50 (adult)

Numbers are standardised. C by 5-fold cross-validation (3-fold from 5,000 rows) on the training rows, for accuracy and
log-loss each; the imputers learn from the training rows alone.
"""

import warnings

import numpy
from peers import question, reply
from regression import by_mean, features, judged, logistic, svm
from sklearn.exceptions import ConvergenceWarning
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.impute import IterativeImputer

warnings.simplefilter("ignore", ConvergenceWarning)


def by_iteration(columns, count):
    x = numpy.vstack(columns).T
    nearest = 20 if x.shape[1] > 50 else None
    imputer = IterativeImputer(n_nearest_features=nearest, random_state=0).fit(x[:count])
    return imputer.transform(x)


def answer(task):
    columns, count = features(task)
    levels, y = numpy.unique(task["train"]["labels"], return_inverse=True)
    truth = numpy.searchsorted(levels, task["test"]["labels"])
    mean, iterated = by_mean(columns, count), by_iteration(columns, count)
    folds = 5 if count < 5000 else 3
    found = {
        "meanLr": judged(logistic, mean, y, truth, folds),
        "meanSvm": judged(svm, mean, y, truth, folds),
        "iterativeLr": judged(logistic, iterated, y, truth, folds),
    }
    print("    " + ", ".join(f"{name} {100 * one['accuracy']:.2f}" for name, one in found.items()), flush=True)
    return found


asked = question()
print(f"  scikit-learn {asked['name']}", flush=True)
reply(answers=[answer(task) for task in asked["tasks"]])
